import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { instant, text } from '../kit/fields.ts'
import { orderStatusValues } from '../orders/order-states.ts'
import { OrganisationFound, searchMinLength } from '../organisations/search.ts'

/** Most that is answered of each kind. */
export const foundOfEachKind = 5
/** Fewest digits of a mobile's end by which its organisation is found. */
export const mobileTailMinLength = 4

export const FoundOrder = z.object({
  orderId: z.string(),
  orderTime: instant,
  /** The platform's year that it is listed in. */
  year: z.int(),
  status: z.enum(orderStatusValues),
  orderFee: z.int(),
  deviceSid: z.string(),
  merchantName: z.string(),
})
export type FoundOrder = z.output<typeof FoundOrder>

export const FoundDevice = z.object({
  deviceId: z.string(),
  name: z.string(),
  merchantName: z.string(),
  placeAddress: z.string(),
})
export type FoundDevice = z.output<typeof FoundDevice>

/** Of each kind nothing where the caller lacks the permission for its list. */
export const Found = z.object({
  orders: z.array(FoundOrder),
  devices: z.array(FoundDevice),
  organisations: z.array(OrganisationFound),
})
export type Found = z.output<typeof Found>

/**
 * One box for everything, within the caller's scope and permissions: an order by its number, the payment's or the
 * provider's; devices by the beginning of their id; agents and merchants by a part of name or user name, the initials of
 * the name's pinyin, or the end of their mobile.
 */
export const find = endpoint({
  verb: 'GET',
  path: '/api/find',
  summary: 'Finds orders, devices, agents and merchants by a number or a name',
  needs: 'signedIn',
  input: z.object({ text: text(64) }),
  data: Found,
  refuses: [],
})

export const findCalls = { find }

/** Whether a text is long enough to be looked for. */
export const isFindable = (sought: string): boolean => [...sought.trim()].length >= searchMinLength
