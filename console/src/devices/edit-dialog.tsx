import { editDevice } from '@chairside/contract'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { useTexts } from '../kit/language.tsx'
import type { DeviceDialogProps, ListedDevice } from './chosen-devices.ts'
import { DeviceFields } from './device-form.tsx'

/** Changes a device's name, model and firmware; its id stays. */
export function EditDialog({ chosen: { devices }, onDone, onClose }: DeviceDialogProps) {
  const [device] = devices
  return device && <EditForm device={device} onDone={() => onDone([])} onClose={onClose} />
}

interface FormProps {
  device: ListedDevice
  onDone: () => void
  onClose: () => void
}

function EditForm({ device, onDone, onClose }: FormProps) {
  const say = useTexts()
  const [typed, setTyped] = useState({
    deviceid: device.deviceId,
    name: device.name,
    modelid: String(device.modelId),
    fmversion: device.fmVersion,
  })
  return (
    <FormDialog
      title={say('devices.form.edit', { device: device.deviceId })}
      endpoint={editDevice}
      input={{ id: device.id, ...typed }}
      submitText={say('devices.form.save')}
      doneText={say('devices.form.updated')}
      canUndo
      onDone={onDone}
      onClose={onClose}
    >
      {(errors) => <DeviceFields isNew={false} typed={typed} errors={errors} onChange={setTyped} />}
    </FormDialog>
  )
}
