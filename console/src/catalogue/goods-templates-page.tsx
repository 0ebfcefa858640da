import { listGoodsTemplates, userTypes, type GoodsTemplate } from '@chairside/contract'
import { useState } from 'react'
import { AddButton } from '../kit/add-button.tsx'
import type { AddressState } from '../kit/address.ts'
import { DeviceCount } from '../kit/device-count.tsx'
import type { FilterDefinition } from '../kit/filter.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { BlockedPage } from '../kit/plain-page.tsx'
import { useUser } from '../kit/user.ts'
import { GoodsRows } from './goods-rows.tsx'
import { TemplateActions, type TemplateDialogName } from './template-actions.tsx'

const TemplateDialog = lazyDialog(() =>
  import('./template-dialog.tsx').then((module) => module.TemplateDialog),
)
const GoodsDialog = lazyDialog(() => import('./goods-dialog.tsx').then((module) => module.GoodsDialog))

const ImportGoodsDialog = lazyDialog(() =>
  import('./import-goods-dialog.tsx').then((module) => module.ImportGoodsDialog),
)

type Listed = GoodsTemplate & Record<string, unknown>
type Opened = { dialog: 'add' } | { dialog: TemplateDialogName; template: GoodsTemplate }

const filters: readonly FilterDefinition[] = [
  { name: 'name', text: 'catalogue.template.field.name', kind: 'text', maxLength: 60 },
  {
    name: 'workmode',
    text: 'catalogue.template.field.workMode',
    kind: 'choice',
    values: ['0', '1'],
    valueText: 'catalogue.workMode',
  },
]
const keeps = ({ name, workMode }: Listed, { name: wanted = '', workmode = '' }: AddressState) =>
  name.toLowerCase().includes(wanted.trim().toLowerCase()) &&
  (workmode === '' || workmode === String(workMode))
const widths = {
  name: 240,
  workMode: 120,
  sleepModeStart: 104,
  sleepModeEnd: 104,
  goodsCount: 96,
  deviceCount: 96,
  actions: 168,
}
const draw = {
  goodsCount: (template: Listed) => <GoodsCount template={template} />,
  deviceCount: (template: Listed) => (
    <DeviceCount count={template.deviceCount} search={{ templateid: String(template.id) }} />
  ),
}

/** `/goodstemp`: what a merchant's chairs sell, grouped in templates that are bound to chairs (spec 2 §2). */
export function GoodsTemplatesPage() {
  const { type } = useUser()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  if (type !== userTypes.merchant) return <BlockedPage isForOthers />
  return (
    <>
      <ListScreen<Listed>
        title="catalogue.template.title"
        emptyText={{ hint: 'catalogue.template.noneHint' }}
        endpoint={listGoodsTemplates}
        filters={filters}
        keeps={keeps}
        rowKey="id"
        rowName="name"
        widths={widths}
        draw={draw}
        toolbar={
          <AddButton
            text="catalogue.template.add"
            needs="goodstemp.add"
            onClick={() => setOpened({ dialog: 'add' })}
          />
        }
        actions={(template) => (
          <TemplateActions template={template} onOpen={(dialog) => setOpened({ dialog, template })} />
        )}
        expanded={(template) => <GoodsRows template={template} />}
      />
      {opened?.dialog === 'add' && <TemplateDialog onClose={close} />}
      {opened?.dialog === 'edit' && <TemplateDialog template={opened.template} onClose={close} />}
      {opened?.dialog === 'import' && <ImportGoodsDialog template={opened.template} onClose={close} />}
      {opened?.dialog === 'goods' && <GoodsDialog template={opened.template} onClose={close} />}
    </>
  )
}

/** A template without goods is said to be one: its devices offer nothing. */
function GoodsCount({ template: { goodsCount } }: { template: GoodsTemplate }) {
  const say = useTexts()
  const { language } = useLanguage()
  return goodsCount > 0 ? (
    <span className="figure">{formatCount(goodsCount, language)}</span>
  ) : (
    <span className="tag tag-warn" title={say('catalogue.template.noGoodsHint')}>
      {say('catalogue.template.noGoods')}
    </span>
  )
}
