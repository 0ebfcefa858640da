import {
  isMerchantMode,
  listBanners,
  pictureUrl,
  platformId,
  userTypes,
  type BannerRow,
  type SessionUser,
} from '@chairside/contract'
import { useState } from 'react'
import { AddButton } from '../kit/add-button.tsx'
import { Facts } from '../kit/facts.tsx'
import type { FilterDefinition } from '../kit/filter.ts'
import { useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { StatusTag } from '../kit/status-tag.tsx'
import { useUser } from '../kit/user.ts'
import { BannerActions, type BannerDialogName } from './banner-actions.tsx'
import './banners.css'

const BannerDialog = lazyDialog(() => import('./banner-dialog.tsx').then((module) => module.BannerDialog))
const BannerPictureDialog = lazyDialog(() =>
  import('./banner-picture-dialog.tsx').then((module) => module.BannerPictureDialog),
)
const BannerTimeDialog = lazyDialog(() =>
  import('./banner-time-dialog.tsx').then((module) => module.BannerTimeDialog),
)
const SleepPromptDialog = lazyDialog(() =>
  import('./sleep-prompt-dialog.tsx').then((module) => module.SleepPromptDialog),
)
const BannerReviewDialog = lazyDialog(() =>
  import('./banner-review-dialog.tsx').then((module) => module.BannerReviewDialog),
)

type Listed = BannerRow & Record<string, unknown>

/** On this screen only a merchant's owner counts as merchant (spec 2 §2). */
const isOwner = ({ type }: SessionUser) => type === userTypes.merchant
const seesMany = ({ type }: SessionUser) => !isMerchantMode(type)

const filters: readonly FilterDefinition[] = [
  { name: 'merchantid', text: 'banners.field.merchantName', kind: 'merchant', visible: seesMany },
  {
    name: 'pending',
    text: 'banners.field.pending',
    kind: 'flag',
    yes: 'banners.list.pendingYes',
    no: 'banners.list.pendingNo',
    visible: seesMany,
  },
]
const hiddenColumns = ['startdate', 'enddate', 'merchantUserId']
const widths = {
  merchantName: 156,
  bannerkey: 112,
  bannerenable: 104,
  datelimit: 192,
  frontLang: 96,
  sleepPrompt: 124,
  allowManage: 92,
  pending: 112,
  actions: 136,
}
const draw = {
  merchantName: (row: Listed) => <MerchantOf row={row} />,
  bannerkey: (row: Listed) => <Thumbnail pictureKey={row.bannerkey} name={row.merchantName} />,
  datelimit: (row: Listed) => <PeriodOf row={row} />,
  pending: (row: Listed) =>
    row.pending ? <StatusTag of="banners.waiting" value="true" /> : <span className="nothing">—</span>,
}

type Opened = { dialog: 'add' } | { dialog: BannerDialogName; row: BannerRow }

/** `/banner`: the pictures and words of pay pages (spec 2 §2). */
export function BannersPage() {
  const user = useUser()
  const [opened, setOpened] = useState<Opened | null>(null)
  return (
    <>
      <ListScreen<Listed>
        title="banners.list.title"
        endpoint={listBanners}
        filters={filters}
        rowKey="merchantUserId"
        hiddenColumns={isOwner(user) ? [...hiddenColumns, 'allowManage'] : hiddenColumns}
        widths={widths}
        draw={draw}
        toolbar={
          // A merchant has its one banner from the beginning, so its people cannot add one.
          seesMany(user) && (
            <AddButton
              text="banners.action.add"
              needs="banner.edit"
              onClick={() => setOpened({ dialog: 'add' })}
            />
          )
        }
        actions={(row) => <BannerActions row={row} onOpen={(dialog) => setOpened({ dialog, row })} />}
        expanded={(row) => <MoreOf row={row} />}
      />
      {opened && <Dialog opened={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function Dialog({ opened, onClose }: { opened: Opened; onClose: () => void }) {
  switch (opened.dialog) {
    case 'add':
      return <BannerDialog onClose={onClose} />
    case 'edit':
      return <BannerDialog row={opened.row} onClose={onClose} />
    case 'change':
    case 'upload':
      return <BannerPictureDialog row={opened.row} does={opened.dialog} onClose={onClose} />
    case 'time':
      return <BannerTimeDialog row={opened.row} onClose={onClose} />
    case 'prompt':
      return <SleepPromptDialog row={opened.row} onClose={onClose} />
    case 'review':
      return <BannerReviewDialog row={opened.row} onClose={onClose} />
  }
}

function MerchantOf({ row }: { row: Listed }) {
  const say = useTexts()
  if (row.merchantId === platformId) return <strong>{say('banners.list.defaultBanner')}</strong>
  return (
    <span title={row.merchantUserId}>
      {row.merchantName} <span className="hint">{row.merchantUserId}</span>
    </span>
  )
}

function Thumbnail({ pictureKey, name }: { pictureKey: string; name: string }) {
  const say = useTexts()
  return pictureKey === '' ? (
    <span className="nothing">{say('banners.list.noPicture')}</span>
  ) : (
    <img className="banner-thumbnail" src={pictureUrl(pictureKey)} alt={name} loading="lazy" />
  )
}

function PeriodOf({ row }: { row: Listed }) {
  const say = useTexts()
  if (!row.datelimit) return <span className="nothing">—</span>
  return (
    <span className="figure nowrap">
      {say('banners.list.period', { start: row.startdate, end: row.enddate })}
    </span>
  )
}

function MoreOf({ row }: { row: Listed }) {
  const say = useTexts()
  const words = (['url', 'timeUrl', 'successText', 'successUrl', 'css'] as const).map(
    (name) => [say(`banners.field.${name}`), row[name]] as const,
  )
  return (
    <Facts
      facts={[
        ...words,
        [
          say('banners.field.timeBannerkey'),
          <Thumbnail key="time" pictureKey={row.timeBannerkey} name={say('banners.field.timeBannerkey')} />,
        ],
      ]}
    />
  )
}
