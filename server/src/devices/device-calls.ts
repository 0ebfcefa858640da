import type { Call } from '../kit/call.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { createDeviceCredentials } from './device-credentials.ts'
import { createAlertCalls } from './alerts/alert-calls.ts'
import { createDeviceListCalls } from './device-list-api.ts'
import { createImportDevicesCalls } from './import-devices.ts'
import { equipDevicesCalls } from './equip-devices.ts'
import { createBatchCalls } from './keep-batches.ts'
import { createKeepDevicesCalls } from './keep-devices.ts'
import { createRenewPasswordsCalls } from './renew-passwords.ts'
import { createLiveDeviceCalls, type LiveDevices } from './live-devices.ts'
import { lockDevicesCalls } from './lock-devices.ts'
import { modelCalls } from './models-api.ts'
import { createShowDeviceCalls } from './show-device.ts'
import { createWifiCalls } from './set-wifi.ts'
import { moveDevicesCalls } from './move-devices.ts'
import { createQrCodeCalls } from './stickers/qr-code-calls.ts'

/** Devices: listing, adding, changing, moving and equipping them, and their online history. */
export const createDeviceCalls = ({
  timeZone,
  secrets,
  live,
  publicUrl,
}: {
  timeZone: string
  secrets: SecretBox
  live: LiveDevices
  /** Where customers reach us; QR codes hold it. */
  publicUrl: string
}): Call[] => {
  const credentials = createDeviceCredentials(secrets)
  return [
    ...createDeviceListCalls(timeZone, secrets),
    ...createKeepDevicesCalls(credentials),
    ...createRenewPasswordsCalls(credentials),
    ...createImportDevicesCalls(credentials),
    ...createBatchCalls(credentials),
    ...createQrCodeCalls(publicUrl),
    ...createLiveDeviceCalls(live),
    ...createWifiCalls(secrets),
    ...createShowDeviceCalls({ timeZone, publicUrl }),
    ...lockDevicesCalls,
    ...moveDevicesCalls,
    ...equipDevicesCalls,
    ...modelCalls,
    ...createAlertCalls(timeZone),
  ]
}
