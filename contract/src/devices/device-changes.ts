import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  choiceOr,
  filter,
  listUpTo,
  recordId,
  text,
  textOrEmpty,
  leavingUnchanged,
} from '../kit/fields.ts'
import { userTypes } from '../identity/user-types.ts'
import { deviceIdPattern } from './devices.ts'

/** Longest values of the fields of a device (spec 2 §9). */
export const deviceLimits = { deviceid: 20, name: 60, fmversion: 64 } as const

/** The one type of device there is (spec 2 §3): massage. */
export const massageTypeId = '1'

/** A device id: one of seven first letters, then capitals and digits, at least one digit (spec 2 §5). */
export const deviceId = z
  .string()
  .trim()
  .toUpperCase()
  .min(1)
  .max(deviceLimits.deviceid)
  .regex(deviceIdPattern, { error: 'deviceId' })
  .regex(/\d/, { error: 'deviceId' })

/**
 * Devices by the ids of their rows, which are numbers, or by their device ids, which begin with a letter: an array, or
 * text with commas between them.
 */
export const deviceList = listUpTo(
  2000,
  z.array(z.union([recordId, deviceId], { error: 'deviceId' })),
  /[\s,"[\]]+/,
) as unknown as z.ZodType<(number | string)[], readonly (number | string)[] | string>

/** Why one device of several is left as it is. */
export const deviceRefusals = [
  'notFound',
  'deviceBusy',
  'lockedByAdmin',
  'deviceUnassigned',
  'otherMerchant',
  'notPossible',
] as const
export type DeviceRefusal = (typeof deviceRefusals)[number]

/** What became of a change to one or many devices. One that is already as wished counts as changed. */
export const DevicesChanged = z.object({
  changed: z.int(),
  failed: z.array(z.object({ id: z.int(), deviceId: z.string(), message: z.string() })),
})
export type DevicesChanged = z.output<typeof DevicesChanged>

const ofDevices = { data: DevicesChanged, refuses: [...deviceRefusals, 'noDeviceChosen'] } as const

/** One device by `id`, which is refused or done; or many by `deviceIds`, each with its own outcome. */
const oneOrMany = { id: filter(recordId), deviceIds: filter(deviceList) }

/** Spec 2 §4: 1 sets 2 when an admin does it and 1 when others do; only an admin lifts 2. */
export const lockDevices = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/device/lock',
  summary: 'Locks (option 1) or unlocks (0) a device or several',
  needs: 'device.lock',
  audit: 'device.lock',
  input: z.object({ ...oneOrMany, option: choice(['0', '1']) }),
  ...ofDevices,
})

/** Spec 2 §4: a bound device sells, an unbound one does not. */
export const associateDevices = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/device/associate',
  summary: 'Binds (option 1) or unbinds (0) a device or several',
  needs: 'device.bind',
  audit: 'device.bind',
  input: z.object({ ...oneOrMany, option: choice(['0', '1']) }),
  ...ofDevices,
})

/**
 * Gives devices to a merchant. At another merchant they start afresh, without place, templates and WiFi of the one before.
 * `associated`: 1 binds, 0 unbinds, 2 leaves it as it is.
 */
export const moveDevices = endpoint({
  verb: 'POST',
  path: '/api/devices/move',
  summary: 'Moves devices to a merchant',
  needs: 'device.move',
  audit: 'device.move',
  input: z.object({
    deviceIds: filter(deviceList),
    merchantId: recordId,
    associated: choiceOr('2', ['0', '1', '2']),
  }),
  data: DevicesChanged,
  refuses: [...ofDevices.refuses, 'onlyToMerchants'],
})

export const linkDevicesToPlace = endpoint({
  verb: 'POST',
  path: '/api/device/place',
  summary: 'Puts devices at a place of their merchant',
  needs: 'device.linkplace',
  audit: 'device.linkplace',
  input: z.object({ deviceIds: filter(deviceList), placeId: recordId }),
  ...ofDevices,
})

/** `sleepTemplateId`: absent leaves it, 0 takes it away. */
export const bindGoodsToDevices = endpoint({
  verb: 'POST',
  path: '/api/devices/template',
  summary: 'Lets devices sell the goods of a template of their merchant',
  needs: 'device.goods',
  audit: 'device.goods',
  input: z.object({
    deviceIds: filter(deviceList),
    templateId: recordId,
    sleepTemplateId: filter(choice(['0']).or(recordId)),
  }),
  ...ofDevices,
})

const deviceForm = {
  name: text(deviceLimits.name),
  modelid: recordId,
  typeid: choiceOr(massageTypeId, [massageTypeId]),
  fmversion: textOrEmpty(deviceLimits.fmversion).optional(),
}

/** A new device, of nobody yet. One that was removed comes back under its id, as new. */
export const addDevice = endpoint({
  verb: 'POST',
  path: '/api/device',
  summary: 'Adds a device',
  needs: 'device.add',
  audit: 'device.add',
  input: z.object({ deviceid: deviceId, ...deviceForm }),
  data: z.object({
    id: z.int(),
    deviceId: z.string(),
    /** The board's password, told this once; it signs in at the broker with it. */
    password: z.string(),
  }),
  refuses: ['deviceIdTaken'],
})

/** A board and the password with which it signs in at the broker. */
export const BoardPassword = z.object({ deviceId: z.string(), password: z.string() })
export type BoardPassword = z.output<typeof BoardPassword>

/**
 * Gives boards new passwords, shown only once; the old ones stop working, and boards connected with them are
 * disconnected. For passwords that were lost, or fell into wrong hands.
 */
export const renewBoardPasswords = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/device/password',
  summary: 'Gives the board of a device or several another password',
  needs: 'device.add',
  types: [userTypes.admin],
  audit: 'device.password',
  input: z.object(oneOrMany),
  data: DevicesChanged.extend({ boards: z.array(BoardPassword) }),
  refuses: ofDevices.refuses,
})

export const editDevice = endpoint({
  verb: 'PUT',
  path: '/api/device',
  summary: 'Changes name, model and firmware of a device',
  needs: 'device.edit',
  audit: 'device.edit',
  // The device id stays; when it is sent it has to be the same.
  input: z.object({ id: recordId, deviceid: filter(deviceId), ...deviceForm, ...leavingUnchanged }),
  data: z.object({ id: z.int(), deviceId: z.string() }),
  refuses: ['notFound'],
})

/** The row leaves every list; its orders, its history and its log stay. */
export const removeDevices = endpoint({
  verb: 'DELETE',
  path: '/api/device',
  summary: 'Removes a device or several',
  needs: 'device.edit',
  types: [userTypes.admin],
  audit: 'device.delete',
  input: z.object(oneOrMany),
  ...ofDevices,
})

export const deviceChangeCalls = {
  lockDevices,
  associateDevices,
  moveDevices,
  linkDevicesToPlace,
  bindGoodsToDevices,
  addDevice,
  renewBoardPasswords,
  editDevice,
  removeDevices,
}
