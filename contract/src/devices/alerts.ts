import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  choiceOr,
  day,
  filter,
  idList,
  instant,
  listOf,
  paging,
  recordId,
  textOrEmpty,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { deviceList, DevicesChanged, deviceRefusals } from './device-changes.ts'

/*
 * Alerts: what needs attention. Each is raised once, concerns one device or several of a place, and clears by
 * itself. `docs/alerts.md` has the rules in words; settings give the first three times.
 */

/** What an alert is about. */
export const alertKinds = ['offline', 'trouble', 'weakSignal', 'quiet'] as const
export type AlertKind = (typeof alertKinds)[number]

/** Numbers of the rules that are no setting. */
export const alertRules = {
  /** A signal of so many bars at most is weak. */
  weakSignalBars: 1,
  /** Devices of a place for which it began within so many minutes of each other are one alert; trouble is each one's own. */
  groupMinutes: { offline: 10, trouble: 0, weakSignal: 60, quiet: 360 },
  /** A device for which it begins again so many minutes after it was over takes up its alert again. */
  reopenMinutes: 60,
  /**
   * When more than this share of all devices, at so many places or more, went offline and nobody was told yet, it is our
   * own line, or a start of ours after a long pause: no place is alerted.
   */
  ownOutage: { share: 0.5, places: 10 },
  /**
   * A pause without a sale is unusual when it is `factor` times as long as nine of ten pauses of that device within the
   * last `historyDays`, and `leastHours` at least; hours are weighed by the trade of the place. Who has made fewer than
   * `leastPauses` has no usual one yet.
   */
  quiet: { historyDays: 84, leastPauses: 20, quantile: 0.9, factor: 3, leastHours: 2 },
  /** A device that was offline or in trouble for so many minutes could not have sold. */
  outageMinutes: 10,
  /** Cleared alerts are kept so many days. */
  keptDays: 90,
} as const

/** Longest mute of a device, in days. */
export const longestMuteDays = 90

const alertStates = ['open', 'cleared'] as const

export const AlertRow = z.object({
  id: z.int(),
  kind: z.enum(alertKinds),
  state: z.enum(alertStates),
  merchantId: z.int(),
  merchantName: z.string(),
  placeId: z.int().nullable(),
  placeAddress: z.string(),
  /** The device, where it is of one; empty where it is of several. */
  deviceId: z.string(),
  deviceName: z.string(),
  /** Devices for which it holds now. */
  devices: z.int(),
  /** Most at once. */
  mostDevices: z.int(),
  /** Devices in use at the place when the alert grew last. */
  placeDevices: z.int(),
  /** The board's code of its trouble. */
  code: z.string(),
  /** How often it began, of the device that comes and goes most. */
  times: z.int(),
  beganTime: instant,
  raisedTime: instant,
  clearedTime: instant.nullable(),
  /** When the caller's organisation saw it, and who of it. */
  seenTime: instant.nullable(),
  seenBy: z.string(),
})
export type AlertRow = z.output<typeof AlertRow>

const alertColumns: readonly SheetColumn[] = [
  { field: 'kind', text: 'alerts.field.kind', kind: 'status', valueText: 'alerts.kind' },
  { field: 'deviceId', text: 'devices.field.deviceId', kind: 'id' },
  { field: 'deviceName', text: 'devices.field.name', kind: 'text' },
  { field: 'placeAddress', text: 'devices.field.placeAddress', kind: 'text' },
  { field: 'merchantName', text: 'devices.field.merchantName', kind: 'text' },
  { field: 'devices', text: 'alerts.field.devices', kind: 'integer' },
  { field: 'mostDevices', text: 'alerts.field.mostDevices', kind: 'integer' },
  { field: 'placeDevices', text: 'alerts.field.placeDevices', kind: 'integer' },
  { field: 'code', text: 'alerts.field.code', kind: 'code', valueText: 'alerts.trouble' },
  { field: 'times', text: 'alerts.field.times', kind: 'integer' },
  { field: 'beganTime', text: 'alerts.field.beganTime', kind: 'dateTime' },
  { field: 'raisedTime', text: 'alerts.field.raisedTime', kind: 'dateTime' },
  { field: 'clearedTime', text: 'alerts.field.clearedTime', kind: 'dateTime' },
  { field: 'state', text: 'alerts.field.state', kind: 'status', valueText: 'alerts.state' },
  { field: 'seenBy', text: 'alerts.field.seenBy', kind: 'text' },
]

export const listAlerts = endpoint({
  verb: 'GET',
  path: '/api/alerts',
  summary: 'A page of alerts of devices, newest first; the open ones unless `state` says otherwise',
  needs: 'alert.list',
  input: z.object({
    ...paging,
    state: choiceOr('open', ['open', 'cleared', 'all']),
    kind: filter(choice(alertKinds)),
    deviceid: filter(textOrEmpty(20)),
    placeid: filter(recordId),
    merchantid: filter(recordId),
    agentId: filter(recordId),
    startdate: filter(day),
    enddate: filter(day),
  }),
  data: listOf(AlertRow),
  refuses: [],
  sheet: { fileName: 'alerts.xlsx', columns: alertColumns },
})

/** A device of an alert. */
export const AlertDevice = z.object({
  id: z.int(),
  deviceId: z.string(),
  name: z.string(),
  beganTime: instant,
  /** When it was over for this device; null while it holds. */
  overTime: instant.nullable(),
  /** Of one that is unusually quiet: when it sold last, and hours within which it usually sells. */
  lastSaleTime: instant.nullable(),
  usualHours: z.number().nullable(),
  times: z.int(),
})
export type AlertDevice = z.output<typeof AlertDevice>

export const listAlertDevices = endpoint({
  verb: 'GET',
  path: '/api/alerts/:id/devices',
  summary: 'The devices of an alert, those it still holds for first',
  needs: 'alert.list',
  input: z.object({ id: recordId }),
  data: z.object({ list: z.array(AlertDevice) }),
  refuses: ['notFound'],
})

export const countAlerts = endpoint({
  verb: 'GET',
  path: '/api/alerts/count',
  summary: 'How many alerts are open, and how many of them the caller’s organisation has not seen',
  needs: 'alert.list',
  input: z.object({}),
  data: z.object({ open: z.int(), unseen: z.int() }),
  refuses: [],
})

/** Seen by the caller's organisation; the word of another one stays its own. */
export const acknowledgeAlerts = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/alerts/seen',
  summary: 'Notes that the caller’s organisation has seen alerts',
  needs: 'alert.list',
  audit: 'alert.seen',
  input: z.object({ ids: idList }),
  data: z.object({
    /** Those it had not seen before. */
    seen: z.int(),
  }),
  refuses: ['notFound', 'nothingSelected'],
})

/** Mutes devices until an instant and clears their current alerts; without an instant, unmutes them. */
export const muteDevices = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/device/mute',
  summary: 'Mutes alerts of a device or several until an instant, or lifts that',
  needs: 'device.edit',
  audit: 'device.mute',
  input: z.object({ id: filter(recordId), deviceIds: filter(deviceList), until: filter(z.iso.datetime()) }),
  data: DevicesChanged,
  refuses: [...deviceRefusals, 'noDeviceChosen'],
})

export const MutedDevice = z.object({
  id: z.int(),
  deviceId: z.string(),
  name: z.string(),
  placeAddress: z.string(),
  mutedUntil: instant,
  mutedBy: z.string(),
})
export type MutedDevice = z.output<typeof MutedDevice>

export const listMutedDevices = endpoint({
  verb: 'GET',
  path: '/api/device/mute',
  summary: 'Devices whose alerts are muted now',
  needs: 'alert.list',
  input: z.object({}),
  data: z.object({ list: z.array(MutedDevice) }),
  refuses: [],
})

export const alertCalls = {
  listAlerts,
  listAlertDevices,
  countAlerts,
  acknowledgeAlerts,
  muteDevices,
  listMutedDevices,
}
