import { isMerchantMode, type DeviceRow } from '@chairside/contract'
import { Facts } from '../kit/facts.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { useMay, useUser } from '../kit/user.ts'

/** What a row of the device list shows more when it is opened. */
export function DeviceFacts({ device }: { device: DeviceRow }) {
  const say = useTexts()
  const user = useUser()
  const may = useMay()
  const templates = [device.templateName, device.sleepTemplateName].filter(Boolean).join(' / ')
  return (
    <Facts
      facts={[
        [say('devices.field.templateName'), templates],
        [
          say('console.devices.sleepMode'),
          say(device.sleepMode ? 'console.devices.yes' : 'console.devices.no'),
        ],
        [say('devices.field.fmVersion'), device.fmVersion],
        [say('devices.field.lastSeenTime'), formatDateTime(device.lastSeenTime)],
        [say('console.devices.boundSince'), formatDateTime(device.associatedTime)],
        [say('console.devices.addedAt'), formatDateTime(device.createTime)],
        ...(isMerchantMode(user.type) ? [] : [[say('console.devices.agent'), device.agentName] as const]),
        ...(may('device.wifi')
          ? [
              [say('devices.field.wifiSsid'), device.wifiSsid] as const,
              [say('devices.field.wifiPass'), device.wifiPass] as const,
            ]
          : []),
        [
          say('console.devices.payPage'),
          <a key="page" href={device.qrcodeurl} target="_blank" rel="noopener">
            {device.qrcodeurl}
          </a>,
        ],
      ]}
    />
  )
}
