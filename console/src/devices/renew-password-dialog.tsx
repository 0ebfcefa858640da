import { renewBoardPasswords, type BoardPassword } from '@chairside/contract'
import { useRef, useState } from 'react'
import { useTexts } from '../kit/language.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { useBoardPasswords } from './board-passwords.tsx'
import type { DeviceDialogProps } from './chosen-devices.ts'

/** Gives boards other passwords, and shows them this once when it is through with all. */
export function RenewPasswordDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  const boards = useRef<BoardPassword[]>([])
  const passwords = useBoardPasswords(props.onClose)
  const [isAsking, setAsking] = useState(true)
  const goOn = () => {
    if (boards.current.length === 0) return props.onClose()
    setAsking(false)
    passwords.show(boards.current)
  }
  if (!isAsking) return passwords.dialog
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.renewPasswordTitle', counted)}
      endpoint={renewBoardPasswords}
      inputOf={(deviceIds) => ({ deviceIds })}
      onOutcome={({ boards: renewed }) => boards.current.push(...renewed)}
      submitText={say('devices.action.renewPassword')}
      danger
      onClose={goOn}
    >
      <p>{say('devices.dialog.renewPassword', counted)}</p>
    </BulkDialog>
  )
}
