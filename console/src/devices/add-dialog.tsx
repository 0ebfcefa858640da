import { addDevice } from '@chairside/contract'
import { App } from 'antd'
import { useState } from 'react'
import { Copyable } from '../kit/copyable.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { useTexts } from '../kit/language.tsx'
import { DeviceFields, type TypedDevice } from './device-form.tsx'

const empty: TypedDevice = { deviceid: '', name: '', modelid: '', fmversion: '' }

/** Adds a device and shows its board's password, this once. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  const { modal } = App.useApp()
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
        modal.success({
          title: say('devices.form.passwordTitle', { device: deviceId }),
          content: (
            <>
              <p className="password-shown">
                <Copyable value={password} />
              </p>
              <p>{say('devices.form.passwordExplain')}</p>
            </>
          ),
          okText: say('console.form.close'),
        })
      }
      onClose={onClose}
    >
      {(errors) => <DeviceFields isNew typed={typed} errors={errors} onChange={setTyped} />}
    </FormDialog>
  )
}
