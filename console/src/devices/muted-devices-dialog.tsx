import { listMutedDevices, muteDevices, type MutedDevice } from '@chairside/contract'
import { App, Modal } from 'antd'
import { ActionButton } from '../kit/action-button.tsx'
import { useChange, useRead } from '../kit/call.ts'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import { useMay } from '../kit/user.ts'
import './alerts.css'

/** Devices nobody hears of, until when and by whom, and the way to hear of them again. */
export function MutedDevicesDialog({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  useAboveThePage(onClose)
  const may = useMay()
  const { message } = App.useApp()
  const read = useRead(listMutedDevices, {})
  const change = useChange(muteDevices)
  const devices = read.data?.list ?? []
  const lift = async ({ id, deviceId }: MutedDevice) => {
    try {
      await change.mutateAsync({ id })
      void message.success(say('alerts.mute.lifted', { id: deviceId }))
    } catch (error) {
      void message.error(say('console.form.failed', { reason: (error as Error).message }))
    }
  }
  return (
    <Modal
      open
      title={say('alerts.mute.muted')}
      onCancel={onClose}
      footer={null}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <ReadState read={read}>
        {devices.length === 0 && <p>{say('alerts.mute.none')}</p>}
        <ul className="muted-devices">
          {devices.map((device) => (
            <li key={device.id}>
              <div>
                <code>{device.deviceId}</code> {device.name}{' '}
                <span className="hint">{device.placeAddress}</span>
                <div className="hint">
                  {say('alerts.mute.mutedUntil', {
                    time: formatDateTime(device.mutedUntil),
                    name: device.mutedBy,
                  })}
                </div>
              </div>
              {may('device.edit') && (
                <ActionButton onClick={() => void lift(device)}>{say('alerts.mute.lift')}</ActionButton>
              )}
            </li>
          ))}
        </ul>
      </ReadState>
    </Modal>
  )
}
