import { isMerchantMode, removeSleepPrompt, type BannerRow } from '@chairside/contract'
import { App } from 'antd'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { useTexts } from '../kit/language.tsx'
import { RowActions, type RowAction } from '../kit/row-actions.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { useBannerName } from './banner-name.ts'

export type BannerDialogName = 'edit' | 'change' | 'time' | 'upload' | 'review' | 'prompt'

interface Props {
  row: BannerRow
  onOpen: (dialog: BannerDialogName) => void
}

/** What can be done with a banner, by the keys its user holds (spec 2 §6). */
export function BannerActions({ row, onOpen }: Props) {
  const say = useTexts()
  const may = useMay()
  const user = useUser()
  const askToRemove = useRemoval(row)
  const nameOf = useBannerName()
  // What is not open to its merchant is changed by those above it alone.
  const manages = !isMerchantMode(user.type) || row.allowManage
  const notOpen = manages ? undefined : say('refusals.bannerNotOpen')
  const open = (dialog: BannerDialogName, text: string, disabledBecause?: string): RowAction => ({
    key: dialog,
    text,
    act: () => onOpen(dialog),
    ...(disabledBecause === undefined ? {} : { disabledBecause }),
  })
  const actions: (RowAction | false)[] = [
    row.pending && may('banner.review') && open('review', say('banners.action.review')),
    !manages && may('banner.upload') && open('upload', say('banners.action.upload')),
    may('banner.edit') && open('edit', say('banners.action.edit'), notOpen),
    may('banner.change') && open('change', say('banners.action.change'), notOpen),
    may('banner.time') && open('time', say('banners.action.time'), notOpen),
    manages && may('banner.upload') && open('upload', say('banners.action.upload')),
    may('banner.modifyprompt') && open('prompt', say('banners.action.modifyPrompt')),
    may('banner.removeprompt') &&
      (row.sleepPrompt !== '' || row.newSleepPrompt !== '') && {
        key: 'removePrompt',
        text: say('banners.action.removePrompt'),
        danger: true,
        act: () => void askToRemove(),
      },
  ]
  return <RowActions row={nameOf(row)} actions={actions.filter((action) => action !== false)} />
}

/** Asks before the sleep prompt of a banner is removed, saying what goes. */
function useRemoval(row: BannerRow): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const remove = useChange(removeSleepPrompt)
  const nameOf = useBannerName()
  return async () => {
    const isDone = await confirm({
      title: say('banners.removePrompt.title', { name: nameOf(row) }),
      explain:
        row.sleepPrompt === ''
          ? say('banners.removePrompt.explainPending')
          : say('banners.removePrompt.explain', { prompt: row.sleepPrompt }),
      doText: say('banners.action.removePrompt'),
      danger: true,
      act: () => remove.mutateAsync({ merchantid: row.merchantId }),
    })
    if (isDone) void message.success(say('console.form.done'))
  }
}
