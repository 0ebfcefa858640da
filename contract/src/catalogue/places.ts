import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  filter,
  idList,
  integer,
  listOf,
  paging,
  recordId,
  textOrEmpty,
  leavingUnchanged,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { halfHour } from './clock-times.ts'

/** Spec 2 §9. */
const placeLimits = { address: 128, phone: 32 } as const

/** A place (spec 2 §3). */
export const PlaceRow = z.object({
  id: z.int(),
  address: z.string(),
  phone: z.string(),
  merchantId: z.int(),
  /** Id of the account that owns the merchant. */
  ownerid: z.int().nullable(),
  /** `HH:MM`, across midnight when it closes before it opens; the same two times mean all day. */
  businessTime: z.object({ id: z.int(), openTime: z.string(), closeTime: z.string() }),
  /** The same for reading, with the caller's word for all day. */
  hours: z.string(),
  /** Ids of the devices there. */
  devices: z.array(z.string()),
  deviceCount: z.int(),
  /** Names of the sub-accounts that are bound to it. */
  subName: z.string(),
})
export type PlaceRow = z.output<typeof PlaceRow>

const placeColumns = [
  { field: 'address', text: 'catalogue.place.field.address', kind: 'text' },
  { field: 'phone', text: 'catalogue.place.field.phone', kind: 'id' },
  { field: 'hours', text: 'catalogue.place.field.hours', kind: 'text' },
  { field: 'deviceCount', text: 'catalogue.place.field.devices', kind: 'integer' },
  { field: 'subName', text: 'catalogue.place.field.subName', kind: 'text' },
] as const satisfies readonly SheetColumn[]

/** Sub-accounts have none of a merchant's own calls (spec 2 §6). */
const types = [2] as const

/**
 * Also fills the filter of the device list, for a sub-account with the places it is bound to. `address`, which is ours: a
 * part of it, so that the Excel file has what the screen was searched for.
 */
export const listPlaces = endpoint({
  verb: 'GET',
  path: '/api/merchant/places',
  summary: 'Places of the caller’s merchant, newest first',
  needs: ['place.list', 'device.list'],
  types: [2, 4],
  input: z.object({ ...paging, address: filter(textOrEmpty(placeLimits.address)) }),
  data: listOf(PlaceRow),
  refuses: [],
  sheet: { fileName: 'places.xlsx', columns: placeColumns },
})

const placeFields = {
  address: z
    .string({ error: 'placeNameEmpty' })
    .trim()
    .min(1, { error: 'placeNameEmpty' })
    .max(placeLimits.address),
  phone: textOrEmpty(placeLimits.phone).optional(),
}

export const addPlace = endpoint({
  verb: 'POST',
  path: '/api/merchant/place',
  summary: 'Adds a place to the caller’s merchant',
  needs: 'place.add',
  types,
  audit: 'place.add',
  /** `merchantid` and `ownerid` can only be the caller's own. */
  input: z.object({ ...placeFields, merchantid: filter(recordId), ownerid: filter(recordId) }),
  data: PlaceRow,
  refuses: ['notFound'],
})

export const modifyPlace = endpoint({
  verb: 'PUT',
  path: '/api/merchant/place',
  summary: 'Changes address and phone of a place',
  needs: 'place.modify',
  types,
  audit: 'place.modify',
  input: z.object({ id: recordId, ...placeFields, ...leavingUnchanged }),
  data: PlaceRow,
  refuses: ['notFound'],
})

/** Its devices have no place then and cannot sell; sub-accounts lose it at once; orders and income stay. */
export const deletePlace = endpoint({
  verb: 'DELETE',
  path: '/api/merchant/place',
  summary: 'Deletes a place',
  needs: 'place.delete',
  types,
  audit: 'place.delete',
  input: z.object({ id: recordId }),
  data: z.object({
    /** Devices that were there. */
    devices: z.int(),
    /** Sub-accounts that were bound to it. */
    subAccounts: z.int(),
  }),
  refuses: ['notFound'],
})

/** `id` is that of the place's business hours, 0 for a place that has none yet; the same two times mean all day. */
export const setPlaceHours = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/merchant/place/hours/:id',
  summary: 'Sets the business hours of a place',
  needs: 'place.hours',
  types,
  audit: 'place.hours',
  input: z.object({
    id: integer(0, Number.MAX_SAFE_INTEGER),
    placeid: recordId,
    opentime: halfHour,
    closetime: halfHour,
    ...leavingUnchanged,
  }),
  data: PlaceRow,
  refuses: ['notFound'],
})

/** A sub-account and whether it is bound to a place (spec 2 §3, "Association row"). */
export const PlaceAssociation = z.object({
  userId: z.int(),
  userName: z.string(),
  realName: z.string(),
  associated: z.boolean(),
})
export type PlaceAssociation = z.output<typeof PlaceAssociation>

export const listPlaceAssociations = endpoint({
  verb: 'GET',
  path: '/api/merchant/associate',
  summary: 'Sub-accounts of the caller’s merchant, and which are bound to a place',
  needs: 'place.bind',
  types,
  input: z.object({ ...paging, placeid: recordId }),
  data: listOf(PlaceAssociation),
  refuses: ['notFound'],
})

/**
 * Binds sub-accounts to a place and releases the others. `userIds` are those chosen, `subs` the same under its other
 * name; `oldSubs` those that were bound when the choice began, by which one made meanwhile is noticed.
 */
export const bindSubAccounts = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/merchant/associate',
  summary: 'Binds sub-accounts to a place',
  needs: 'place.bind',
  types,
  audit: 'place.bind',
  input: z.object({
    placeId: recordId,
    userIds: idList.optional(),
    subs: idList.optional(),
    oldSubs: idList.optional(),
  }),
  data: z.object({ bound: z.int(), released: z.int() }),
  refuses: ['notFound', 'changedMeanwhile'],
})

export const placeCalls = {
  listPlaces,
  addPlace,
  modifyPlace,
  deletePlace,
  setPlaceHours,
  listPlaceAssociations,
  bindSubAccounts,
}
