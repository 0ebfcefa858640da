import {
  deleteReceiver,
  listReceivers,
  receiverColumns,
  testReceiver,
  type Receiver,
} from '@chairside/contract'
import { App } from 'antd'
import { useState } from 'react'
import { AddButton } from '../kit/add-button.tsx'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import type { FilterDefinition } from '../kit/filter.ts'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { RowActions } from '../kit/row-actions.tsx'
import { useMay } from '../kit/user.ts'

const ReceiverDialog = lazyDialog(() =>
  import('./receiver-dialog.tsx').then((module) => module.ReceiverDialog),
)

type Listed = Receiver & Record<string, unknown>

const widths = {
  name: 128,
  kind: 124,
  address: 144,
  events: 216,
  active: 64,
  lastSentTime: 168,
  failure: 172,
  actions: 148,
}
const optionalColumns = ['language']

const noFilters: readonly FilterDefinition[] = []
/** They come at once, and their pages are made here. */
const all = () => true

/** What a receiver tells of, as many as they are. */
function Events({ receiver }: { receiver: Receiver }) {
  const say = useTexts()
  return <span>{receiver.events.map((event) => say(`notifications.events.${event}`)).join(' · ')}</span>
}

/** What went wrong last, and since when. */
function Failure({ receiver: { failure, failingTime } }: { receiver: Receiver }) {
  const say = useTexts()
  if (!failingTime) return <span className="nothing">—</span>
  return (
    <span title={failure}>
      {failure}
      <div className="hint">{say('notifications.failingSince', { time: formatDateTime(failingTime) })}</div>
    </span>
  )
}

const draw = {
  events: (receiver: Receiver) => <Events receiver={receiver} />,
  failure: (receiver: Receiver) => <Failure receiver={receiver} />,
}

/** `/notifications`: where one's own organisation has notifications sent. They are few and come at once. */
export function ReceiversPage() {
  const may = useMay()
  const [opened, setOpened] = useState<Receiver | 'new' | null>(null)
  return (
    <>
      <ListScreen<Listed>
        title="permissions.page.notifications"
        emptyText={{ title: 'notifications.none', hint: 'notifications.noneHint' }}
        endpoint={listReceivers}
        columns={receiverColumns}
        filters={noFilters}
        keeps={all}
        rowKey="name"
        widths={widths}
        optionalColumns={optionalColumns}
        draw={draw}
        toolbar={
          <AddButton text="notifications.add" needs="notification.edit" onClick={() => setOpened('new')} />
        }
        {...(may('notification.edit')
          ? {
              actions: (receiver: Listed) => (
                <ReceiverActions receiver={receiver} onEdit={() => setOpened(receiver)} />
              ),
            }
          : {})}
      />
      {opened !== null && (
        <ReceiverDialog {...(opened === 'new' ? {} : { receiver: opened })} onClose={() => setOpened(null)} />
      )}
    </>
  )
}

function ReceiverActions({ receiver, onEdit }: { receiver: Receiver; onEdit: () => void }) {
  const say = useTexts()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const remove = useChange(deleteReceiver)
  const test = useChange(testReceiver)
  const { id: receiverId, name } = receiver

  const askToRemove = async () => {
    const isDone = await confirm({
      title: say('notifications.deleteTitle', { name }),
      explain: say('notifications.deleteExplain'),
      doText: say('notifications.delete'),
      danger: true,
      act: () => remove.mutateAsync({ receiverId }),
      failedText: 'console.form.deleteFailed',
    })
    if (isDone) void message.success(say('console.form.deleted'))
  }
  const sendTest = async () => {
    try {
      const { sent, answer } = await test.mutateAsync({ receiverId })
      if (sent) void message.success(say('notifications.testSent', { name }))
      else void message.error(say('notifications.testFailed', { name, answer }))
    } catch (error) {
      void message.error(say('notifications.testFailed', { name, answer: (error as Error).message }))
    }
  }
  return (
    <RowActions
      row={name}
      actions={[
        { key: 'test', text: say('notifications.sendTest'), act: () => void sendTest() },
        { key: 'edit', text: say('notifications.edit'), act: onEdit },
        { key: 'delete', text: say('notifications.delete'), danger: true, act: () => void askToRemove() },
      ]}
    />
  )
}
