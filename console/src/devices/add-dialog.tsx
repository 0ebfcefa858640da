import { addDevice } from '@chairside/contract'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { useTexts } from '../kit/language.tsx'
import { useShowOnce } from '../kit/password-shown.tsx'
import { DeviceFields, type TypedDevice } from './device-form.tsx'

const empty: TypedDevice = { deviceid: '', name: '', modelid: '', fmversion: '' }

/** Adds a device and shows its board's password, this once. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  const show = useShowOnce()
  const [typed, setTyped] = useState(empty)
  return (
    <FormDialog
      title={say('devices.action.add')}
      endpoint={addDevice}
      input={typed}
      refusedAt={{ '106': 'deviceid' }}
      submitText={say('devices.form.add')}
      doneText={say('devices.form.added')}
      onDone={({ deviceId, password }) =>
        show(
          say('devices.form.passwordTitle', { device: deviceId }),
          password,
          say('devices.form.passwordExplain'),
        )
      }
      onClose={onClose}
    >
      {(errors) => <DeviceFields isNew typed={typed} errors={errors} onChange={setTyped} />}
    </FormDialog>
  )
}
