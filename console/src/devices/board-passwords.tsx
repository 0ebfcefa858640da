import { DownloadOutlined } from '@ant-design/icons'
import { App, Button, Modal } from 'antd'
import { useState } from 'react'
import { useConfirm } from '../kit/confirm.ts'
import { saveFile } from '../kit/download.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useReturnFocus } from '../kit/return-focus.ts'
import type { Boards } from './batches-page.tsx'

/** Lines as every flashing tool reads them; ids and passwords hold no commas and begin no formula. */
const fileOf = (boards: Boards) =>
  new Blob(
    [
      ['deviceId,password', ...boards.map(({ deviceId, password }) => `${deviceId},${password}`), ''].join(
        '\r\n',
      ),
    ],
    { type: 'text/csv' },
  )

/** The passwords of new boards, to be saved this once. */
export function BoardPasswords({ boards, onClose }: { boards: Boards; onClose: () => void }) {
  const say = useTexts()
  useReturnFocus()
  const confirm = useConfirm()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const [isSaved, setSaved] = useState(false)
  const name = `boards-${boards[0]?.deviceId ?? ''}.csv`
  const save = () => {
    saveFile(fileOf(boards), name)
    setSaved(true)
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
  return (
    <Modal
      open
      title={say('batches.passwords.title', { count: formatCount(boards.length, language) })}
      onCancel={() => void leave()}
      footer={null}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <p>{say('batches.passwords.explain')}</p>
      <div className="dialog-actions">
        <Button onClick={() => void leave()}>{say('console.form.close')}</Button>
        <Button type="primary" icon={<DownloadOutlined aria-hidden />} onClick={save}>
          {say('batches.passwords.save')}
        </Button>
      </div>
    </Modal>
  )
}
