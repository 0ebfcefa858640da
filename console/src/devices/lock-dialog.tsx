import { lockDevices, userTypes } from '@chairside/contract'
import { useTexts } from '../kit/language.tsx'
import { useUser } from '../kit/user.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { DeviceDialogProps } from './chosen-devices.ts'

/** Locks devices; says who can unlock them (spec 2 §4). */
export function LockDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  const isAdmin = useUser().type === userTypes.admin
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.lockTitle', counted)}
      endpoint={lockDevices}
      inputOf={(deviceIds) => ({ deviceIds, option: '1' as const })}
      submitText={say('devices.action.lock')}
      danger
    >
      <p>{say(isAdmin ? 'devices.dialog.lockAsAdmin' : 'devices.dialog.lock', counted)}</p>
    </BulkDialog>
  )
}

export function UnlockDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.unlockTitle', counted)}
      endpoint={lockDevices}
      inputOf={(deviceIds) => ({ deviceIds, option: '0' as const })}
      submitText={say('devices.action.unlock')}
    >
      <p>{say('devices.dialog.unlock', counted)}</p>
    </BulkDialog>
  )
}
