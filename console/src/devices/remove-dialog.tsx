import { removeDevices } from '@chairside/contract'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import type { DeviceDialogProps } from './chosen-devices.ts'

/** Removes devices; says how many of them are a merchant's. */
export function RemoveDialog(props: DeviceDialogProps) {
  const say = useTexts()
  const counted = { count: props.chosen.devices.length }
  const { language } = useLanguage()
  const held = props.chosen.devices.filter(({ merchantId }) => merchantId !== null).length
  return (
    <BulkDialog
      {...props}
      title={say('devices.dialog.removeTitle', counted)}
      endpoint={removeDevices}
      inputOf={(deviceIds) => ({ deviceIds })}
      submitText={say('devices.action.remove')}
      danger
    >
      <p>{say('devices.dialog.remove', counted)}</p>
      {held > 0 && (
        <p>
          {counted.count === 1
            ? say('devices.dialog.removeHeldAlone')
            : say('devices.dialog.removeHeld', { count: formatCount(held, language) })}
        </p>
      )}
    </BulkDialog>
  )
}
