import { deletePlace, type PlaceRow } from '@chairside/contract'
import { App } from 'antd'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { formatCount, joinSentences } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { RowActions, type RowAction } from '../kit/row-actions.tsx'
import { useMay } from '../kit/user.ts'

export type PlaceDialogName = 'edit' | 'hours' | 'bind'

interface Props {
  place: PlaceRow
  onOpen: (dialog: PlaceDialogName) => void
}

/** What can be done with a place. */
export function PlaceActions({ place, onOpen }: Props) {
  const say = useTexts()
  const may = useMay()
  const askToDelete = useDeletion(place)
  const actions: RowAction[] = [
    ...(may('place.hours')
      ? [{ key: 'hours', text: say('catalogue.place.hours'), act: () => onOpen('hours') }]
      : []),
    ...(may('place.modify')
      ? [{ key: 'edit', text: say('catalogue.place.edit'), act: () => onOpen('edit') }]
      : []),
    ...(may('place.bind')
      ? [{ key: 'bind', text: say('catalogue.place.bind'), act: () => onOpen('bind') }]
      : []),
    ...(may('place.delete')
      ? [
          {
            key: 'delete',
            text: say('catalogue.place.delete'),
            danger: true,
            act: () => void askToDelete(),
          },
        ]
      : []),
  ]
  return <RowActions row={place.address} actions={actions} />
}

/** Asks before a place is deleted, saying what becomes of its devices and sub-accounts. */
function useDeletion({ id, address, deviceCount, subName }: PlaceRow): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const { language } = useLanguage()
  const remove = useChange(deletePlace)
  return async () => {
    const sentences = [
      deviceCount > 0
        ? say('catalogue.place.deleteDevices', { devices: formatCount(deviceCount, language) })
        : say('catalogue.place.deleteNoDevices'),
      ...(subName === '' ? [] : [say('catalogue.place.deleteSubAccounts', { names: subName })]),
      say('catalogue.place.deleteHistory'),
    ]
    const isDone = await confirm({
      title: say('catalogue.place.deleteTitle', { name: address }),
      explain: joinSentences(sentences, language),
      doText: say('catalogue.place.delete'),
      danger: true,
      act: () => remove.mutateAsync({ id }),
      failedText: 'console.form.deleteFailed',
    })
    if (isDone) void message.success(say('catalogue.place.deleted', { name: address }))
  }
}
