import { associateDevices } from '@chairside/contract'
import { useTexts } from '../kit/language.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import type { DeviceDialogProps } from './chosen-devices.ts'

/** Binds devices to their merchants: from then on they sell (spec 2 §4). */
export function BindDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.bindTitle', counted)}
      endpoint={associateDevices}
      inputOf={(deviceIds) => ({ deviceIds, option: '1' as const })}
      submitText={say('devices.action.bind')}
    >
      <p>{say('devices.dialog.bind', counted)}</p>
    </BulkDialog>
  )
}

export function UnbindDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.unbindTitle', counted)}
      endpoint={associateDevices}
      inputOf={(deviceIds) => ({ deviceIds, option: '0' as const })}
      submitText={say('devices.action.unbind')}
      danger
    >
      <p>{say('devices.dialog.unbind', counted)}</p>
    </BulkDialog>
  )
}
