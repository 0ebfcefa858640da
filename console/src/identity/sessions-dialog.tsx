import { endOwnOtherSessions, endOwnSession, listSessions, type SessionRow } from '@chairside/contract'
import { App, Button, Modal } from 'antd'
import { ActionButton } from '../kit/action-button.tsx'
import { useChange, useRead } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import './identity.css'

/** Where one is signed in, and the way to sign out there. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  useAboveThePage(onClose)
  const confirm = useConfirm()
  const { message } = App.useApp()
  const read = useRead(listSessions, {})
  const end = useChange(endOwnSession)
  const endOthers = useChange(endOwnOtherSessions)
  const sessions = read.data?.list ?? []
  const nameOf = ({ browser }: SessionRow) => browser || say('identity.sessions.unknownBrowser')

  const askToEnd = (session: SessionRow) =>
    confirm({
      title: say('identity.sessions.endTitle'),
      explain: say('identity.sessions.endExplain', { browser: nameOf(session), address: session.address }),
      doText: say('identity.sessions.end'),
      danger: true,
      act: () => end.mutateAsync({ sessionId: session.id }),
    })
  const askToEndOthers = () =>
    confirm({
      title: say('identity.sessions.endOthersTitle'),
      explain: say('identity.sessions.endOthersExplain'),
      doText: say('identity.sessions.endOthers'),
      danger: true,
      act: async () => {
        const { endedSessions } = await endOthers.mutateAsync({})
        void message.success(say('identity.sessions.ended', { count: endedSessions }))
      },
    })
  return (
    <Modal
      open
      title={say('identity.sessions.title')}
      onCancel={onClose}
      closable={{ 'aria-label': say('console.form.close') }}
      footer={
        sessions.length > 1 && (
          <Button danger onClick={() => void askToEndOthers()}>
            {say('identity.sessions.endOthers')}
          </Button>
        )
      }
    >
      <ReadState read={read}>
        <ul className="sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <div>
                <strong>{nameOf(session)}</strong> <span className="hint">{session.address}</span>
                <div className="hint">
                  {say('identity.sessions.since', { time: formatDateTime(session.createTime) })} ·{' '}
                  {say('identity.sessions.lastUsed', { time: formatDateTime(session.lastUsedTime) })}
                </div>
              </div>
              {session.current ? (
                <span className="tag tag-good">{say('identity.sessions.current')}</span>
              ) : (
                <ActionButton onClick={() => void askToEnd(session)}>
                  {say('identity.sessions.end')}
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      </ReadState>
    </Modal>
  )
}
