import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  day,
  filter,
  instant,
  integer,
  listOf,
  paging,
  recordId,
  textOrEmpty,
} from '../kit/fields.ts'
import { deviceId, deviceList, DevicesChanged } from './device-changes.ts'

/** Longest run a board takes, a day (docs/device-protocol.md). */
export const mostRunMinutes = 1440

/** Why a board is not told, or does not do, what it should. */
const commandRefusals = [
  'notFound',
  'deviceUnassigned',
  'deviceBlocked',
  'deviceLocked',
  'deviceOffline',
  'deviceInTrouble',
  'deviceBusy',
  'deviceResetting',
  'deviceNotRunning',
  'deviceNotControllable',
  'wifiUnderWay',
  'deviceRefused',
  'deviceNoAnswer',
] as const
export type CommandRefusal = (typeof commandRefusals)[number]

const ofBoards = { data: DevicesChanged, refuses: [...commandRefusals, 'noDeviceChosen'] } as const

/**
 * The network of one device by `id` or of many by `deviceIds`. Answered when the boards have acknowledged, refused, or
 * had their time. What the list shows is what a board acknowledged last: one that does not answer keeps the network of
 * before there, and should it answer late, the new one is stored then.
 */
export const setDeviceWifi = endpoint({
  verb: 'POST',
  path: '/api/device/wifi',
  summary: 'Tells boards the network and password they are to use',
  needs: 'device.wifi',
  audit: 'device.wifi',
  input: z.object({
    id: filter(recordId),
    deviceIds: filter(deviceList),
    /** As typed: spaces belong to a network's name and password; spaces alone are none. */
    wifissid: z
      .string()
      .min(1)
      .max(32)
      .refine((ssid) => ssid.trim() !== '', { error: 'required' }),
    wifipass: z.string().max(32).default(''),
  }),
  ...ofBoards,
})

export const workOperations = { start: '1', stop: '2' } as const

/**
 * Starts a chair for some minutes, which makes a `manualStart` order of price 0, or ends what runs on it (operation 2,
 * duration 0). `startup` is the switch of the form: on goes with 1 and off with 2; one that says otherwise is refused.
 */
export const workDevices = endpoint({
  verb: 'POST',
  path: '/api/device/work',
  summary: 'Starts (operation 1) or stops (2) a chair or several',
  needs: 'device.massage',
  audit: 'device.massage',
  input: z.object({
    deviceid: filter(deviceId),
    deviceIds: filter(deviceList),
    operation: choice([workOperations.start, workOperations.stop]),
    /** Minutes. */
    duration: filter(integer(0, mostRunMinutes)),
    startup: filter(choice(['on', 'off'])),
  }),
  ...ofBoards,
})

/** Spec 2 §3, "Device log". */
export const DeviceLogRow = z.object({ operateTime: instant, userId: z.string(), remark: z.string() })
export type DeviceLogRow = z.output<typeof DeviceLogRow>

/** What was done with a device while it was the caller's, or below the caller. */
export const listDeviceLogs = endpoint({
  verb: 'GET',
  path: '/api/device/logs',
  summary: 'What was done with a device, newest first',
  needs: 'device.log',
  input: z.object({
    ...paging,
    deviceid: textOrEmpty(20).min(1),
    startdate: filter(day),
    enddate: filter(day),
  }),
  data: listOf(DeviceLogRow),
  refuses: ['notFound'],
})

export const showDevice = endpoint({
  verb: 'GET',
  path: '/api/devices/:deviceId/show',
  summary: 'Address of the customer page of a device',
  needs: 'device.list',
  input: z.object({ deviceId: textOrEmpty(20).min(1) }),
  data: z.string(),
  refuses: ['notFound'],
})

export const deviceCommandCalls = { setDeviceWifi, workDevices, listDeviceLogs, showDevice }
