import { z } from 'zod'
import { userTypes, type UserType } from '../identity/user-types.ts'
import { endpoint } from '../kit/endpoint.ts'
import { choice, day, filter, flag, instant, listOf, paging, recordId, textOrEmpty } from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'

/** Online state of a device (spec 2 §4). */
export const deviceStatuses = { wifiOnline: 1, offline: 2, trouble: 3, gprsOnline: 4 } as const
export const isOnline = (status: number) =>
  status === deviceStatuses.wifiOnline || status === deviceStatuses.gprsOnline

/** Lock of a device: 0 enabled, 1 disabled, 2 locked by an admin (spec 2 §4). */
export const deviceLocks = { enabled: 0, disabled: 1, adminLocked: 2 } as const

/** Only admins tell their own lock from a merchant's; to others any lock is "disabled" (spec 2 §4). */
export const shownLock = (locked: number, type: UserType) =>
  type === userTypes.admin || locked === deviceLocks.enabled ? locked : deviceLocks.disabled

/** What the online history shows: 1 wifi online, 4 gprs online, anything else offline (spec 2 §2). */
export const shownInHistory = (status: number) => (isOnline(status) ? status : deviceStatuses.offline)

/** 0 unbound, 1 bound, 2 bound but unable to sell (spec 2 §3, decisions §3). */
export const deviceAssociations = { unbound: 0, bound: 1, cannotSell: 2 } as const

/** What a bound device lacks to sell; several may hold. */
export const cannotSellReasons = ['noPlace', 'noTemplate', 'noPayChannel'] as const

/** First letters of a device id (spec 2 §5). */
export const deviceIdPattern = /^[GWJKTNB][0-9A-Z]{0,19}$/

/** A row of the device list (spec 2 §3). */
export const DeviceRow = z.object({
  id: z.int(),
  deviceId: z.string(),
  model: z.string(),
  modelId: z.int(),
  modelName: z.string(),
  name: z.string(),
  typeId: z.string(),
  typeName: z.string(),
  fmVersion: z.string(),
  sleepMode: z.boolean(),
  /** Whether it can be stopped before its time; of its model, as the one before. */
  controllable: z.boolean(),
  /** The agent of its merchant; null for the merchant's own people. */
  agentId: z.int().nullable(),
  agentName: z.string().nullable(),
  agentUserId: z.string().nullable(),
  merchantId: z.int().nullable(),
  merchantName: z.string().nullable(),
  merchantUserId: z.string().nullable(),
  templateId: z.int().nullable(),
  templateName: z.string().nullable(),
  sleepTemplateName: z.string().nullable(),
  placeId: z.int().nullable(),
  placeAddress: z.string().nullable(),
  status: z.int(),
  signals: z.int(),
  associated: z.int(),
  associatedTime: instant.nullable(),
  cannotSell: z.array(z.enum(cannotSellReasons)),
  createTime: instant,
  locked: z.int(),
  blocked: z.boolean(),
  qrcodeurl: z.string(),
  singalimg: z.string(),
  wifiSsid: z.string(),
  wifiPass: z.string(),
  tag: z.string(),
  lastSeenTime: instant.nullable(),
  /** Whether the chair reports that it runs. */
  running: z.boolean(),
})
export type DeviceRow = z.output<typeof DeviceRow>

const admins = [userTypes.admin]
const others = Object.values(userTypes).filter((type) => type !== userTypes.admin)

export const deviceColumns: readonly SheetColumn[] = [
  { field: 'deviceId', text: 'devices.field.deviceId', kind: 'id' },
  { field: 'name', text: 'devices.field.name', kind: 'text' },
  { field: 'status', text: 'devices.field.status', kind: 'status', valueText: 'devices.status' },
  { field: 'running', text: 'devices.field.running', kind: 'status', valueText: 'devices.running' },
  { field: 'signals', text: 'devices.field.signals', kind: 'integer' },
  { field: 'model', text: 'devices.field.model', kind: 'text' },
  { field: 'agentName', text: 'devices.field.agentName', kind: 'text', types: admins },
  { field: 'merchantName', text: 'devices.field.merchantName', kind: 'text' },
  { field: 'placeAddress', text: 'devices.field.placeAddress', kind: 'text' },
  { field: 'templateName', text: 'devices.field.templateName', kind: 'text' },
  { field: 'associated', text: 'devices.field.associated', kind: 'status', valueText: 'devices.associated' },
  { field: 'cannotSell', text: 'devices.field.cannotSell', kind: 'status', valueText: 'devices.cannotSell' },
  {
    field: 'locked',
    text: 'devices.field.locked',
    kind: 'status',
    valueText: 'devices.locked',
    types: admins,
  },
  {
    field: 'locked',
    text: 'devices.field.locked',
    kind: 'status',
    valueText: 'devices.lockedOutsideAdmin',
    types: others,
  },
  { field: 'blocked', text: 'devices.field.blocked', kind: 'status', valueText: 'devices.blocked' },
  { field: 'fmVersion', text: 'devices.field.fmVersion', kind: 'id' },
  { field: 'lastSeenTime', text: 'devices.field.lastSeenTime', kind: 'dateTime' },
]

/**
 * Spec 2 §7, "Devices"; `merchantid=0` lists devices that belong to nobody. Outside admin `locked=1` are all that are
 * locked, whoever locked them.
 */
export const listDevices = endpoint({
  verb: 'GET',
  path: '/api/devices',
  summary: 'A page of devices by device id',
  needs: 'device.list',
  input: z.object({
    ...paging,
    deviceid: filter(textOrEmpty(20)),
    modelid: filter(recordId),
    status: filter(choice(['1', '2', '3', '4'])),
    locked: filter(choice(['0', '1', '2'])),
    associated: filter(choice(['0', '1', '2'])),
    sleepmode: filter(flag),
    placeid: filter(recordId),
    templateid: filter(recordId),
    merchantid: filter(choice(['0']).or(recordId)),
    agentId: filter(recordId),
  }),
  data: listOf(DeviceRow),
  refuses: [],
  sheet: { fileName: 'devices.xlsx', columns: deviceColumns },
})

/** Spec 2 §3, "Online/status record". */
const DeviceStatusRow = z.object({
  deviceSid: z.string(),
  status: z.int(),
  /** Seconds the status lasted; up to now for the current one. */
  duration: z.int(),
  reportTime: instant,
  hostName: z.string(),
})

export const deviceStatusColumns: readonly SheetColumn[] = [
  { field: 'deviceSid', text: 'devices.field.deviceId', kind: 'id' },
  { field: 'status', text: 'devices.field.status', kind: 'status', valueText: 'devices.history.status' },
  { field: 'duration', text: 'devices.field.statusSeconds', kind: 'integer' },
  { field: 'reportTime', text: 'devices.field.reportTime', kind: 'dateTime' },
  { field: 'hostName', text: 'devices.field.hostName', kind: 'text' },
]

export const listDeviceStatus = endpoint({
  verb: 'GET',
  path: '/api/device/status',
  summary: 'Online history of a device or of the devices of a merchant, newest first',
  needs: 'device.online',
  input: z.object({
    ...paging,
    deviceid: filter(textOrEmpty(20)),
    merchantid: filter(recordId),
    startdate: filter(day),
    enddate: filter(day),
  }),
  data: listOf(DeviceStatusRow),
  refuses: [],
  sheet: { fileName: 'devices.xlsx', columns: deviceStatusColumns },
})

export const deviceCalls = { listDevices, listDeviceStatus }
