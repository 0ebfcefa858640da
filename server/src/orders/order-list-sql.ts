import type { OrderRow, PayChannel } from '@chairside/contract'
import { plannedOnce, sql, streamRows, type Database, type RawBuilder } from '../kit/database.ts'
import { instantsOfDays } from '../kit/calendar.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { findNewestOrders } from './newest-orders-sql.ts'
import { timeOfOrderId } from './order-id.ts'
import { namesOfMerchant, orderColumns, orderNames, orderOf, type CountedRow } from './order-row-sql.ts'

/** What a list of orders is narrowed by; the scope holds beside it. */
export interface OrderFilter {
  startDate: string
  endDate: string
  status: number | undefined
  channel: PayChannel | undefined
  deviceSid: string | undefined
  orderId: string | undefined
  transactionId: string | undefined
  payId: string | undefined
}

export interface OrderTotals {
  total: number
  feeCents: number
  actualCents: number
}

/** A page with the names that its rows show. */
const withNames = (scope: Scope, page: RawBuilder<unknown>) =>
  'merchantId' in scope
    ? sql`${namesOfMerchant(scope.merchantId)} cross join ${page} o`
    : sql`${page} o ${orderNames}`

/** Filters that no counter knows; each finds its few orders by an index of its own. */
const isByKey = (filter: OrderFilter) =>
  filter.deviceSid !== undefined ||
  filter.orderId !== undefined ||
  filter.transactionId !== undefined ||
  filter.payId !== undefined

/** What a scope's counters are kept under. */
function countedScopes(scope: Scope): number[] {
  switch (scope.kind) {
    case 'platform':
      return [1]
    case 'agent':
      return [scope.organisationId]
    case 'merchant':
      return [scope.merchantId]
    case 'places':
      return [...scope.placeIds]
  }
}

/** Total and rows of a page come from one statement, hence from one moment. */
const counted = (scope: Scope, filter: OrderFilter, skip: number, take: number) => sql`
  ${scope.kind}, ${countedScopes(scope)}::bigint[], ${filter.startDate}::date, ${filter.endDate}::date,
  ${filter.status ?? null}::smallint, ${filter.channel ?? null}::text, ${skip}::bigint, ${take}::bigint`

const within = (scope: Scope) =>
  withinScope(scope, { merchantId: sql`o.merchant_id`, placeId: sql`o.place_id` })

/** Conditions that rows are read by; status and channel where given. */
function matching(scope: Scope, filter: OrderFilter, timeZone: string) {
  const { from, before } = instantsOfDays(filter.startDate, filter.endDate, timeZone)
  const conditions = [within(scope), sql`o.order_time >= ${from} and o.order_time < ${before}`]
  if (filter.status !== undefined) conditions.push(sql`o.status = ${filter.status}`)
  if (filter.channel !== undefined) conditions.push(sql`o.pay_channel = ${filter.channel}`)
  if (filter.deviceSid !== undefined) conditions.push(sql`o.device_sid = ${filter.deviceSid}`)
  if (filter.orderId !== undefined) {
    // The id's own time leaves one partition to look in; other texts are nobody's id.
    const time = timeOfOrderId(filter.orderId)
    conditions.push(time ? sql`o.order_id = ${filter.orderId} and o.order_time = ${time}` : sql`false`)
  }
  if (filter.transactionId !== undefined) conditions.push(sql`o.transaction_id = ${filter.transactionId}`)
  if (filter.payId !== undefined) {
    const ours = filter.payId.toUpperCase()
    conditions.push(
      sql`(o.transaction_id = ${filter.payId} or o.order_id = any(array(select order_id from payments where out_trade_no = ${ours})))`,
    )
  }
  return sql.join(conditions, sql` and `)
}

/** A page of orders, newest first, with the exact number of all that match. */
export async function findOrders(
  db: Database,
  scope: Scope,
  filter: OrderFilter,
  page: { skip: number; take: number; timeZone: string; now: Date },
): Promise<{ list: OrderRow[]; total: number }> {
  if (isByKey(filter)) {
    const { total } = await sumOrdersByKey(db, scope, filter, page.timeZone)
    const { rows } = await sql<OrderRow>`
      select ${orderColumns} from orders o ${orderNames} where ${matching(scope, filter, page.timeZone)}
       order by o.order_time desc, o.order_id desc offset ${page.skip} limit ${page.take}`.execute(db)
    return { list: rows, total }
  }
  const isWhole = filter.status === undefined && filter.channel === undefined
  const newest =
    scope.kind === 'merchant' && isWhole
      ? await findNewestOrders(db, scope.merchantId, filter, page)
      : undefined
  if (newest) return newest
  const found = sql`page_of_orders(${counted(scope, filter, page.skip, page.take)})`
  const { rows } = await sql<CountedRow>`${plannedOnce}
    select o.total, ${orderColumns} from ${withNames(scope, found)}
     order by o.order_time desc, o.order_id desc`.execute(db)
  return { list: rows.flatMap(orderOf), total: rows[0]?.total ?? 0 }
}

const nothing: OrderTotals = { total: 0, feeCents: 0, actualCents: 0 }

const totalsOf = ({ total, feeCents, actualCents }: OrderTotals = nothing): OrderTotals => ({
  total,
  feeCents,
  actualCents,
})

async function sumOrdersByKey(
  db: Database,
  scope: Scope,
  filter: OrderFilter,
  timeZone: string,
): Promise<OrderTotals> {
  const { rows } = await sql<OrderTotals>`
    select count(*) as total, coalesce(sum(o.fee_cents), 0) as "feeCents",
           coalesce(sum(order_actual_cents(o.paid_at, o.fee_cents, o.refunded_cents)), 0) as "actualCents"
      from orders o where ${matching(scope, filter, timeZone)}`.execute(db)
  return totalsOf(rows[0])
}

/** Total and sums of all that match. */
export async function sumOfOrders(
  db: Database,
  scope: Scope,
  filter: OrderFilter,
  timeZone: string,
): Promise<OrderTotals> {
  if (isByKey(filter)) return sumOrdersByKey(db, scope, filter, timeZone)
  const { rows } = await sql<OrderTotals>`${plannedOnce}
    select total, fee_cents as "feeCents", actual_cents as "actualCents" from seek_orders(${counted(scope, filter, 0, 0)})`.execute(
    db,
  )
  return totalsOf(rows[0])
}

/** Every order that matches, newest first, some at a time. */
export function streamOrders(
  db: Database,
  scope: Scope,
  filter: OrderFilter,
  timeZone: string,
): AsyncGenerator<OrderRow[]> {
  const query = sql<OrderRow>`
    select ${orderColumns} from orders o ${orderNames} where ${matching(scope, filter, timeZone)} order by o.order_time desc, o.order_id desc`
  return streamRows(db, query)
}

/** One order within a scope. */
export async function findOrder(db: Database, scope: Scope, orderId: string): Promise<OrderRow | undefined> {
  const time = timeOfOrderId(orderId)
  if (!time) return undefined
  const { rows } = await sql<OrderRow>`
    select ${orderColumns} from orders o ${orderNames} where o.order_id = ${orderId} and o.order_time = ${time} and ${within(scope)}`.execute(
    db,
  )
  return rows[0]
}
