import {
  deviceStatuses,
  isWithinTimes,
  type payPageDeviceStates,
  type placeOrder,
  type RefusalOf,
} from '@chairside/contract'
import type { Hours, LocalTime } from '../catalogue/goods-on-offer.ts'
import type { DeviceForSale } from '../devices/device-for-sale.ts'
import { sql, type Database } from '../kit/database.ts'
import { earliestOpen } from './recent-orders.ts'
import { isStarting } from './runs-sql.ts'

/** What placing orders is told once. */
export interface PlacingSettings {
  timeZone: string
  /** How long an order waits to be paid. */
  paymentWindowSeconds: number
}

/** Calendar day and time of the platform at an instant. */
export function localTime(now: Date, timeZone: string): LocalTime {
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(now)
    .split(' ')
  return { day, time }
}

export type SaleState = Exclude<(typeof payPageDeviceStates)[number], 'running'>

/** Whether a place is open at a local time, also across midnight; the same two times mean all day. */
export function isOpenAt(
  hours: { openTime: string | null; closeTime: string | null },
  time: string,
): boolean {
  if (hours.openTime === null || hours.closeTime === null) return true
  return isWithinTimes(time, hours.openTime.slice(0, 5), hours.closeTime.slice(0, 5))
}

/** When a place with hours opens, as people read it. */
export const opensAt = ({ openTime }: { openTime: string | null }): string => (openTime ?? '').slice(0, 5)

/** From when goods of these hours can be bought at a place; empty when it is closed all the while. */
export function sellsFrom(
  place: { openTime: string | null; closeTime: string | null },
  hours: Hours,
): string {
  if (isOpenAt(place, hours.from)) return hours.from
  const opens = opensAt(place)
  return isWithinTimes(opens, hours.from, hours.until) ? opens : ''
}

/**
 * Whether a chair can be bought now, and why not.
 * @param customerId whose own unpaid order is not in the way
 */
export async function saleStateOf(
  db: Database,
  device: DeviceForSale,
  customerId: number | null,
  now: Date,
  settings: PlacingSettings,
): Promise<SaleState> {
  if (device.blocked) return 'blocked'
  if (device.locked > 0) return 'locked'
  if (device.merchantId === null || device.cannotSell.length > 0) return 'cannotSell'
  if (device.status === deviceStatuses.offline) return 'offline'
  if (device.status === deviceStatuses.trouble) return 'trouble'
  if (
    device.running ||
    device.resetting ||
    (await isChairTaken(db, device.id, now, settings.paymentWindowSeconds, { customerId }))
  )
    return 'busy'
  return isOpenAt(device, localTime(now, settings.timeZone).time) ? 'ready' : 'closedNow'
}

/** The refusal of an order for a chair in a state. */
export const saleRefusals: Record<Exclude<SaleState, 'ready'>, RefusalOf<typeof placeOrder>> = {
  busy: 'deviceBusy',
  offline: 'deviceOffline',
  trouble: 'deviceCannotSell',
  locked: 'deviceLocked',
  blocked: 'deviceBlocked',
  cannotSell: 'deviceCannotSell',
  closedNow: 'placeClosed',
}

/**
 * Whether somebody's order keeps a chair from being sold or started: it waits to be paid, to start, or runs. A start that
 * is on its way counts whatever has become of its order, for which a refund may have been asked.
 * @param except a customer whose own unpaid orders are not in the way, and an order that is not in its own way
 */
export async function isChairTaken(
  db: Database,
  deviceId: number,
  now: Date,
  paymentWindowSeconds: number,
  except: { customerId: number | null; orderId?: string },
): Promise<boolean> {
  if (await isStarting(db, deviceId, now, except.orderId)) return true
  const { rows } = await sql`
    select 1 from orders o
     where o.device_id = ${deviceId} and o.status in (1, 3, 4) and o.finished_at is null and o.order_time > ${earliestOpen(now)}
       and o.order_id is distinct from ${except.orderId ?? null}
       and (o.status = 4 and coalesce(o.ends_at > ${now}, true)
         or o.status = 3 and exists (select 1 from device_commands c where c.order_id = o.order_id and c.kind = 'start' and c.state in ('pending', 'sent'))
         or o.status = 1 and o.customer_id is distinct from ${except.customerId}
            and o.order_time > ${now}::timestamptz - make_interval(secs => ${paymentWindowSeconds}))
     limit 1`.execute(db)
  return rows.length > 0
}
