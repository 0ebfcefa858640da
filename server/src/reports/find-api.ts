import {
  dayOfInstant,
  find,
  foundOfEachKind,
  isFindable,
  mobileTailMinLength,
  type Found,
  type PermissionKey,
} from '@chairside/contract'
import { handleReading, type Call } from '../kit/call.ts'
import { findOrganisationsCalled } from '../organisations/search-organisations.ts'
import { findDevicesByBeginning, findOrdersByNumber } from './find-sql.ts'

/** What may be the number of an order, of a payment, or of the provider's: all have digits. */
const perhapsOrderNumber = /^(?=.*\d)[0-9a-z_-]{8,64}$/i
const perhapsDeviceId = /^[a-z][0-9a-z]{1,19}$/i
const perhapsMobileTail = new RegExp(`^\\d{${mobileTailMinLength},20}$`)

/** The one box: what a text may be is looked for where the caller may look. */
export function createFindCalls(timeZone: string): Call[] {
  return [
    handleReading(find, async ({ db, scope, input, caller }): Promise<Found> => {
      const sought = input.text
      if (!isFindable(sought)) return { orders: [], devices: [], organisations: [] }
      const { permissions } = caller()
      const when = <Row>(isWanted: boolean, key: PermissionKey, read: () => Promise<Row[]>): Promise<Row[]> =>
        isWanted && permissions.has(key) ? read() : Promise.resolve([])
      const [orders, devices, organisations] = await Promise.all([
        when(perhapsOrderNumber.test(sought), 'order.list', () =>
          findOrdersByNumber(db, scope, sought, foundOfEachKind),
        ),
        when(perhapsDeviceId.test(sought), 'device.list', () =>
          findDevicesByBeginning(db, scope, sought.toUpperCase(), foundOfEachKind),
        ),
        when(true, 'users.list', () =>
          findOrganisationsCalled(db, scope, sought, {
            take: foundOfEachKind,
            mobileTail: perhapsMobileTail.test(sought) ? sought : undefined,
          }),
        ),
      ])
      return {
        orders: orders.map((order) => ({
          ...order,
          year: Number(dayOfInstant(new Date(order.orderTime), timeZone).slice(0, 4)),
        })),
        devices,
        organisations,
      }
    }),
  ]
}
