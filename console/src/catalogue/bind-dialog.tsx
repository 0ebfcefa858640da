import {
  bindSubAccounts,
  listPlaceAssociations,
  type PlaceAssociation,
  type PlaceRow,
} from '@chairside/contract'
import { App, Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useChange, useReadOnce } from '../kit/call.ts'
import { useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import { useUnsavedWork } from '../kit/unsaved-work.ts'
import { differenceOf, toggled } from '../kit/sets.ts'
import './catalogue.css'

interface Props {
  place: PlaceRow
  onClose: () => void
}

/** Which sub-accounts see a place. A choice that is as it was is not sent (spec 2 §5). */
export function BindDialog({ place, onClose }: Props) {
  const say = useTexts()
  const { message } = App.useApp()
  const read = useReadOnce(listPlaceAssociations, { placeid: place.id, pagesize: 0 })
  const change = useChange(bindSubAccounts)
  const [changed, setChanged] = useState<ReadonlySet<number> | null>(null)
  const accounts = read.data?.list ?? []
  const old = new Set(accounts.filter(({ associated }) => associated).map(({ userId }) => userId))
  const chosen = changed ?? old
  const { mayLeave } = useUnsavedWork(differenceOf(chosen, old))
  const leave = async () => {
    if (!change.isPending && (await mayLeave())) onClose()
  }
  useAboveThePage(leave)

  const save = async () => {
    if (differenceOf(chosen, old).length === 0) {
      void message.warning(say('catalogue.place.notChanged'))
      onClose()
      return
    }
    try {
      const done = await change.mutateAsync({
        placeId: place.id,
        subs: [...chosen],
        oldSubs: [...old],
        userIds: [...chosen],
      })
      void message.success(say('catalogue.place.bound', done))
      onClose()
    } catch (error) {
      void message.error(say('console.form.failed', { reason: (error as Error).message }))
    }
  }
  return (
    <Modal
      open
      title={say('catalogue.place.bindTitle', { name: place.address })}
      onCancel={leave}
      closable={{ 'aria-label': say('console.form.close') }}
      footer={
        <>
          <Button onClick={leave}>{say('console.form.cancel')}</Button>
          <Button type="primary" loading={change.isPending} disabled={!read.data} onClick={() => void save()}>
            {say('catalogue.place.save')}
          </Button>
        </>
      }
    >
      <p className="hint">{say('catalogue.place.bindExplain')}</p>
      <ReadState read={read}>
        {accounts.length === 0 ? (
          <p>{say('catalogue.place.bindNone')}</p>
        ) : (
          <AccountTree accounts={accounts} chosen={chosen} onChange={setChanged} />
        )}
      </ReadState>
    </Modal>
  )
}

interface TreeProps {
  accounts: readonly PlaceAssociation[]
  chosen: ReadonlySet<number>
  onChange: (chosen: Set<number>) => void
}

/** All sub-accounts, and below each of them. */
function AccountTree({ accounts, chosen, onChange }: TreeProps) {
  const say = useTexts()
  const all = new Set(accounts.map(({ userId }) => userId))
  return (
    <div className="choice-tree">
      <Checkbox
        checked={chosen.size === all.size}
        indeterminate={chosen.size > 0 && chosen.size < all.size}
        onChange={({ target }) => onChange(target.checked ? all : new Set())}
      >
        {say('catalogue.place.bindAll')}
      </Checkbox>
      <div className="choice-branches">
        {accounts.map(({ userId, userName, realName }) => (
          <Checkbox
            key={userId}
            checked={chosen.has(userId)}
            onChange={() => onChange(toggled(chosen, userId))}
          >
            {realName} ({userName})
          </Checkbox>
        ))}
      </div>
    </div>
  )
}
