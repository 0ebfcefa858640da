import { deviceStatuses, type cannotSellReasons } from '@chairside/contract'
import type { RawBuilder } from 'kysely'
import { plannedOnce, sql, type Database } from '../kit/database.ts'

/** A chair as the pay page and orders need it. */
export interface DeviceForSale {
  id: number
  sid: string
  name: string
  /** Whom it sells for; null while it is not bound. */
  merchantId: number | null
  /** Whose it is, bound or not. */
  holderId: number | null
  merchantName: string
  merchantMobile: string
  placeId: number | null
  placeAddress: string
  placePhone: string
  openTime: string | null
  closeTime: string | null
  templateId: number | null
  sleepTemplateId: number | null
  status: number
  locked: number
  /** Its merchant is locked (decisions §2). */
  blocked: boolean
  /** The chair reports that it runs. */
  running: boolean
  /** See `isResetting`. */
  resetting: boolean
  cannotSell: (typeof cannotSellReasons)[number][]
}

/**
 * What a device lacks to sell, for queries over `devices d`.
 * @param takesMoney whether money can be taken for its merchant
 */
const cannotSellColumn = (takesMoney: RawBuilder<unknown> = sql`has_pay_channel(d.merchant_id)`) => sql`
  array_remove(array[
    case when d.place_id is null then 'noPlace' end,
    case when d.template_id is null then 'noTemplate' end,
    case when d.merchant_id is not null and not ${takesMoney} then 'noPayChannel' end], null)`

/**
 * Whether a chair goes back to its beginning after its last run, for as long as its model says, and is not to be started
 * (docs/decisions/0287); for queries over `devices d` and their models `mo`.
 */
export const isResetting = sql`
  case when mo.reset_seconds > 0 then coalesce((
    select coalesce(c.ended_at, c.acknowledged_at + make_interval(secs => (c.payload ->> 'durationSeconds')::integer))
             + make_interval(secs => mo.reset_seconds) > now()
      from device_commands c where c.device_id = d.id and c.kind = 'start' and c.state in ('accepted', 'ended')
     order by c.created_at desc limit 1), false) else false end`

/**
 * Minutes without a word after which nothing is sold on a chair's last word. Gateways note sooner that a board is silent;
 * while none is there, nobody notes it, and nobody sends a start either.
 */
const unheardMinutes = 5

/** What a board says that it is, which is shown later where it wavers (docs/decisions/0467); for `device_states s`. */
export const latestStatus = sql`coalesce(s.held_status, s.status)`

/** The same as far as its word is recent. */
const statusOfLate = sql`
  case when s.last_seen_at < now() - make_interval(mins => ${sql.lit(unheardMinutes)}) then ${sql.lit(deviceStatuses.offline)} else ${latestStatus} end`

/** What the pay page and orders need to know of a chair; undefined when there is none. */
export async function deviceForSale(db: Database, sid: string): Promise<DeviceForSale | undefined> {
  const { rows } = await sql<DeviceForSale>`${plannedOnce}
    select d.id, d.sid, d.name, case when d.bound then d.merchant_id end as "merchantId", d.merchant_id as "holderId", coalesce(m.name, '') as "merchantName",
           coalesce(m.mobile, '') as "merchantMobile", d.place_id as "placeId", coalesce(p.address, '') as "placeAddress",
           coalesce(p.phone, '') as "placePhone", p.open_time::text as "openTime", p.close_time::text as "closeTime",
           d.template_id as "templateId", d.sleep_template_id as "sleepTemplateId", ${statusOfLate} as status, d.locked,
           coalesce(m.status = 2, false) as blocked,
           s.running_command_id <> '' and coalesce(s.running_until > now(), false) as running,
           ${isResetting} as resetting, ${cannotSellColumn()} as "cannotSell"
      from devices d
      join device_models mo on mo.id = d.model_id
      join device_states s on s.device_id = d.id
      left join organisations m on m.id = d.merchant_id
      left join places p on p.id = d.place_id
     where d.sid = ${sid} and d.removed_at is null`.execute(db)
  return rows[0]
}
