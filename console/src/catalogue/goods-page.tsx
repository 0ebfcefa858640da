import {
  centsFromYuan,
  getGoods,
  modifyGoods,
  userTypes,
  workModes,
  yuanFromCents,
  type DataOf,
} from '@chairside/contract'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError, useReadOnce } from '../kit/call.ts'
import { FormPanel } from '../kit/form-panel.tsx'
import { formatCount } from '../kit/formats.ts'
import { ImportButton } from '../kit/imports/import-button.tsx'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { BlockedPage } from '../kit/plain-page.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { ScreenHeader } from '../kit/screen-header.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { GoodsFields, type TypedGoods } from './goods-fields.tsx'
import { GoodsPreview } from './goods-preview.tsx'
import { usePriceCheck } from './price-field.tsx'
import './catalogue.css'

const ImportGoodsDialog = lazyDialog(() =>
  import('./import-goods-dialog.tsx').then((module) => module.ImportGoodsDialog),
)

type Loaded = DataOf<typeof getGoods>

/** `/goods/{id}`: all of one of the goods, with the pay page beside it as it will look (spec 2 §2). */
export function GoodsPage() {
  const say = useTexts()
  const may = useMay()
  const { type } = useUser()
  const { id } = useParams({ strict: false }) as { id: string }
  const isForOthers = type !== userTypes.merchant
  if (isForOthers || !may('goods.modify')) return <BlockedPage isForOthers={isForOthers} />
  return <GoodsLoaded key={id} id={id} title={say('catalogue.goods.title')} />
}

/** Result codes for goods that were deleted or never were, and for what is no id at all. */
const notThere = new Set(['104', '100'])

function GoodsLoaded({ id, title }: { id: string; title: string }) {
  const say = useTexts()
  const read = useReadOnce(getGoods, { id })
  const name = read.data?.name
  if (read.error instanceof CallError && notThere.has(read.error.code)) return <NoSuchGoods title={title} />
  return (
    <>
      <ScreenHeader title={name === undefined ? title : say('catalogue.goods.editTitle', { name })}>
        {read.data && <ImportIntoTemplate goods={read.data} />}
      </ScreenHeader>
      <ReadState read={read}>{read.data && <GoodsForm goods={read.data} />}</ReadState>
    </>
  )
}

/** In the place of goods that are not there, where no other try would help. */
function NoSuchGoods({ title }: { title: string }) {
  const say = useTexts()
  return (
    <>
      <ScreenHeader title={title} />
      <div className="notice" role="alert">
        <p>{say('catalogue.goods.notThere')}</p>
        <Link to="/goodstemp">{say('catalogue.goods.toTemplates')}</Link>
      </div>
    </>
  )
}

/** Further goods for the template of these. */
function ImportIntoTemplate({ goods: { templateid, templateName } }: { goods: Loaded }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ImportButton text="imports.goods.open" needs="goods.add" onClick={() => setOpen(true)} />
      {isOpen && (
        <ImportGoodsDialog template={{ id: templateid, name: templateName }} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

const typedOf = (goods: Loaded): TypedGoods => ({
  name: goods.name,
  nameEn: goods.nameEn,
  price: yuanFromCents(goods.price).replaceAll(',', ''),
  duration: String(goods.duration),
  queue: String(goods.queue),
  instock: String(goods.instock),
  freeFirst: goods.freeFirst,
  memberOnly: goods.memberOnly,
  timeLimit: goods.timeLimit,
  timeStart: goods.timeStart,
  timeEnd: goods.timeEnd,
  portrait: goods.portrait,
})

function GoodsForm({ goods }: { goods: Loaded }) {
  const say = useTexts()
  const textOf = useTextOf()
  const { language } = useLanguage()
  const navigate = useNavigate()
  const checkPrice = usePriceCheck()
  const [typed, setTyped] = useState(() => typedOf(goods))
  const { instock, ...others } = typed
  const [isUploading, setUploading] = useState(false)
  const wasTouched = instock !== String(goods.instock)
  const check = (): Record<string, string> => ({
    ...checkPrice(typed.price),
    ...(typed.queue.trim() === '' ? { queue: say('validation.required') } : {}),
    ...(isUploading ? { portrait: say('catalogue.goods.uploading') } : {}),
    ...(instock.trim() === '' ? { instock: say('validation.required') } : {}),
    ...(typed.timeLimit && typed.timeStart === '' ? { timeStart: say('validation.required') } : {}),
    ...(typed.timeLimit && typed.timeEnd === '' ? { timeEnd: say('validation.required') } : {}),
  })
  const backToTemplates = () => void navigate({ to: '/goodstemp' })
  const devices = formatCount(goods.deviceCount, language)
  return (
    <div className="goods-edit">
      <FormPanel
        endpoint={modifyGoods}
        input={{
          ...others,
          id: goods.id,
          price: centsFromYuan(typed.price) ?? '',
          // Customers lower the stock meanwhile: it is sent only by whoever sets it.
          ...(wasTouched ? { instock } : {}),
        }}
        typed={[typed, isUploading]}
        check={check}
        submitText={say('catalogue.goods.save')}
        doneText={say('catalogue.goods.updated')}
        onDone={backToTemplates}
        onLeave={backToTemplates}
      >
        {(errors) => (
          <>
            <p className="hint">
              {goods.templateName} · {textOf(`catalogue.workMode.${goods.workMode}`)} ·{' '}
              {goods.deviceCount === 0
                ? say('catalogue.goods.soldNowhere')
                : say('catalogue.goods.soldOn', { devices })}
            </p>
            <GoodsFields
              goodsId={goods.id}
              typed={typed}
              workMode={goods.workMode === Number(workModes.sleep) ? '1' : '0'}
              errors={errors}
              onChange={(changed) => setTyped((before) => ({ ...before, ...changed }))}
              onUploading={setUploading}
            />
          </>
        )}
      </FormPanel>
      <GoodsPreview goods={goods} typed={typed} />
    </div>
  )
}
