import type { BoardPassword } from '@chairside/contract'
import { DownloadOutlined } from '@ant-design/icons'
import { App, Button, Modal } from 'antd'
import { useState, type ReactNode } from 'react'
import { Copyable } from '../kit/copyable.tsx'
import { useConfirm } from '../kit/confirm.ts'
import { saveFile } from '../kit/download.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import { useUnsavedWork } from '../kit/unsaved-work.ts'

/** Lines as every flashing tool reads them; ids and passwords hold no commas and begin no formula. */
const fileOf = (boards: BoardPassword[]) =>
  new Blob(
    [
      ['deviceId,password', ...boards.map(({ deviceId, password }) => `${deviceId},${password}`), ''].join(
        '\r\n',
      ),
    ],
    { type: 'text/csv' },
  )

/** The dialog of boards' new passwords. Until they are saved, Back and the closing of the tab ask too. */
export function useBoardPasswords(onClosed?: () => void): {
  show: (boards: BoardPassword[]) => void
  dialog: ReactNode
} {
  const [{ boards, isSaved }, setShown] = useState<{ boards: BoardPassword[]; isSaved: boolean }>({
    boards: [],
    isSaved: true,
  })
  useUnsavedWork(isSaved)
  const show = (made: BoardPassword[]) => setShown({ boards: made, isSaved: made.length === 0 })
  const dialog = boards.length > 0 && (
    <BoardPasswords
      boards={boards}
      isSaved={isSaved}
      onSaved={() => setShown({ boards, isSaved: true })}
      onClose={() => {
        show([])
        onClosed?.()
      }}
    />
  )
  return { show, dialog }
}

interface Props {
  boards: BoardPassword[]
  isSaved: boolean
  onSaved: () => void
  onClose: () => void
}

/** The passwords of new boards, to be saved this once. */
function BoardPasswords({ boards, isSaved, onSaved, onClose }: Props) {
  const say = useTexts()
  const confirm = useConfirm()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const name = `boards-${boards[0]?.deviceId ?? ''}.csv`
  const save = () => {
    saveFile(fileOf(boards), name)
    onSaved()
    void message.success(say('batches.passwords.saved', { name }))
  }
  const leave = async () => {
    const mayLeave =
      isSaved ||
      (await confirm({
        title: say('batches.passwords.leaveTitle'),
        explain: say('batches.passwords.leaveExplain'),
        doText: say('batches.passwords.leave'),
        danger: true,
      }))
    if (mayLeave) onClose()
  }
  useAboveThePage(leave)
  return (
    <Modal
      open
      title={say('batches.passwords.title', { count: formatCount(boards.length, language) })}
      onCancel={() => void leave()}
      footer={null}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <p>{say('batches.passwords.explain')}</p>
      {boards.length === 1 && (
        <p className="password-shown">
          <Copyable value={boards[0]?.password ?? ''} />
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={() => void leave()}>{say('console.form.close')}</Button>
        <Button type="primary" icon={<DownloadOutlined aria-hidden />} onClick={save}>
          {say('batches.passwords.save')}
        </Button>
      </div>
    </Modal>
  )
}
