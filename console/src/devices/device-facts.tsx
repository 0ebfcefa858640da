import { isMerchantMode, type DeviceRow } from '@chairside/contract'
import { Facts } from '../kit/facts.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTexts } from '../kit/language.tsx'
import { useMay, useUser } from '../kit/user.ts'

interface Props {
  device: DeviceRow
  /** Also what the table has no room to show whole. */
  withNames?: boolean
}

/** What a row of the device list shows more when it is opened. */
export function DeviceFacts({ device, withNames = false }: Props) {
  const say = useTexts()
  const user = useUser()
  const may = useMay()
  const ofMerchantMode = isMerchantMode(user.type)
  const names = [
    [say('devices.field.name'), device.name],
    [say('devices.field.model'), [device.model, device.modelName].filter(Boolean).join(' · ')],
    [say('devices.field.placeAddress'), device.placeAddress],
    ...(ofMerchantMode ? [] : [[say('devices.field.merchantName'), device.merchantName] as const]),
  ] as const
  const templates = [device.templateName, device.sleepTemplateName].filter(Boolean).join(' / ')
  return (
    <Facts
      facts={[
        ...(withNames ? names : []),
        [say('devices.field.templateName'), templates],
        [
          say('console.devices.sleepMode'),
          say(device.sleepMode ? 'console.devices.yes' : 'console.devices.no'),
        ],
        [say('devices.field.fmVersion'), device.fmVersion],
        [say('devices.field.lastSeenTime'), formatDateTime(device.lastSeenTime)],
        [say('console.devices.boundSince'), formatDateTime(device.associatedTime)],
        [say('console.devices.addedAt'), formatDateTime(device.createTime)],
        ...(ofMerchantMode ? [] : [[say('console.devices.agent'), device.agentName] as const]),
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
