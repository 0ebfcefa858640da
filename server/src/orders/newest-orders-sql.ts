import { addDays, dayOfInstant, endOfMonth, type DayRange, type OrderRow } from '@chairside/contract'
import { startOfDay } from '../kit/calendar.ts'
import { plannedOnce, sql, type Database, type RawBuilder } from '../kit/database.ts'
import { namesOfMerchant, orderColumns, orderOf, type CountedRow } from './order-row-sql.ts'

/*
 * The first pages of a merchant's list that asks for nothing but a year: their rows are the newest in the index, so that no
 * counter has to tell where they are (docs/decisions/0420).
 */

/** Rows that are read or passed over at most; a page that ends later is looked up by counters. */
const mostRows = 100

/** Where the newest orders of a period are. */
interface NewestWindow {
  /** Borders of partitions: written into the statement, they leave two or three of them in its plan. */
  partitions: RawBuilder<unknown>
  /** Instants of the period. */
  from: string
  before: string
  /** Last day of the window; what the period has later is not in it. */
  lastDay: string
}

/** Whole months up to the end of a year, as every list begins; a connection keeps a plan for each month that ends here. */
const isUsual = ({ startDate, endDate }: DayRange) => startDate.endsWith('-01') && endDate.endsWith('-12-31')

/** The border of partitions at or before an instant, some months from it; partitions are months of UTC. */
const monthBorder = (instant: Date, months: number) =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + months, 1))

/** The month in which a period's newest orders are, as far as that can be known, and the one before. */
function windowOf({ startDate, endDate }: DayRange, timeZone: string, now: Date): NewestWindow {
  // A month ahead: an order that seems to come from the future is shown as well.
  const ahead = endOfMonth(addDays(endOfMonth(dayOfInstant(now, timeZone)), 1))
  const lastDay = endDate < ahead ? endDate : ahead
  const end = startOfDay(addDays(lastDay, 1), timeZone)
  const lastInstant = new Date(end.getTime() - 1)
  const newest = now < lastInstant ? now : lastInstant
  const text = (instant: Date) => sql.lit(instant.toISOString())
  return {
    partitions: sql`o.order_time >= ${text(monthBorder(newest, -1))} and o.order_time < ${text(monthBorder(lastInstant, 1))}`,
    from: startOfDay(startDate, timeZone).toISOString(),
    before: end.toISOString(),
    lastDay,
  }
}

/** Windows that were made lately: to find the beginning of a day in a time zone takes as long as all else here. */
const windows = new Map<string, NewestWindow>()
const mostWindows = 100

function rememberedWindow(period: DayRange, timeZone: string, now: Date): NewestWindow {
  const today = dayOfInstant(now, timeZone)
  const key = `${period.startDate} ${period.endDate} ${today} ${timeZone}`
  const known = windows.get(key)
  if (known) return known
  const made = windowOf(period, timeZone, now)
  if (windows.size >= mostWindows) windows.clear()
  windows.set(key, made)
  return made
}

/**
 * A page of the newest orders of a merchant in a period, with the exact number of all that it has.
 * @returns undefined where it takes counters to find the page
 */
export async function findNewestOrders(
  db: Database,
  merchantId: number,
  period: DayRange,
  { skip, take, timeZone, now }: { skip: number; take: number; timeZone: string; now: Date },
): Promise<{ list: OrderRow[]; total: number } | undefined> {
  if (skip + take > mostRows || !isUsual(period)) return undefined
  const { partitions, from, before, lastDay } = rememberedWindow(period, timeZone, now)
  const days = sql`between ${period.startDate}::date and ${period.endDate}::date`
  const { rows } = await sql<CountedRow & { later: number }>`${plannedOnce}
    select counted.total, counted.later, ${orderColumns}
      from (select coalesce(sum(c.orders), 0)::bigint as total,
                   coalesce(sum(c.orders) filter (where c.day > ${lastDay}::date), 0)::bigint as later
              from (select t.month as day, t.orders from order_month_totals t
                     where t.scope_kind = 'o' and t.scope_id = ${merchantId} and t.month ${days}
                    union all
                    select d.day, d.orders from order_counter_deltas d where d.merchant_id = ${merchantId} and d.day ${days}) c) counted
           cross join ${namesOfMerchant(merchantId)}
           left join (select * from orders o
                       where o.merchant_id = ${merchantId} and ${partitions} and o.order_time >= ${from} and o.order_time < ${before}
                       order by o.order_time desc, o.order_id desc offset (select ${skip}::bigint) limit ${take}) o on true
     order by o.order_time desc, o.order_id desc`.execute(db)
  const [first] = rows
  const list = rows.flatMap(orderOf)
  if (!first || first.later > 0 || list.length < Math.min(take, first.total - skip)) return undefined
  return { list, total: first.total }
}
