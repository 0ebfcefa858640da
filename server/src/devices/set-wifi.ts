import { randomBytes } from 'node:crypto'
import { deviceStatuses, setDeviceWifi } from '@chairside/contract'
import { handleOutside, type Call } from '../kit/call.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { commandBoards } from './command-boards.ts'
import { requestWifi } from './device-commands.ts'

/** The network of boards (spec 2 §3, "WiFi form"); the password is sealed before anything else is done with it. */
export function createWifiCalls(secrets: SecretBox): Call[] {
  return [
    handleOutside(setDeviceWifi, (context) => {
      const { id, deviceIds = [], wifissid: ssid, wifipass } = context.input
      const sealedPassword = secrets.seal(wifipass).toString('base64')
      return commandBoards(context, id === undefined ? deviceIds : [id, ...deviceIds], {
        judge: async (_db, { status, isChangingWifi }) => {
          if (status === deviceStatuses.offline) return 'deviceOffline'
          return isChangingWifi ? 'wifiUnderWay' : undefined
        },
        send: async (db, devices, { userName: requestedBy, organisationId: operatorOrganisationId }) => {
          const changes = devices.map(({ id: deviceId, merchantId }) => ({
            commandId: `W${deviceId}-${randomBytes(9).toString('base64url')}`,
            deviceId,
            payload: { ssid, sealedPassword, merchantId, operatorOrganisationId },
            requestedBy,
          }))
          await requestWifi(db, changes)
          return changes.map(({ commandId }) => commandId)
        },
        log: () => ({ action: 'wifiSent', details: { ssid } }),
        after: { ssid },
      })
    }),
  ]
}
