import {
  orderStatuses,
  orderTransitions,
  type OrderCause,
  type OrderStatus,
  type PayChannel,
} from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { timeOfOrderId } from './order-id.ts'

/** An order as use cases need it, locked for change. */
export interface OrderRecord {
  orderId: string
  orderTime: Date
  merchantId: number
  placeId: number | null
  deviceId: number | null
  deviceSid: string
  goodsId: number | null
  /** A piece of a limited stock was taken for it. */
  tookStock: boolean
  status: OrderStatus
  feeCents: number
  refundedCents: number
  durationMinutes: number
  payChannel: PayChannel | null
  channelId: number | null
  /** Whether the platform's own channel took the money. */
  heldByPlatform: boolean
  transactionId: string | null
  customerId: number | null
  memberId: number | null
  phone: string
  paidAt: Date | null
  startedAt: Date | null
  endsAt: Date | null
  finishedAt: Date | null
  deliveredSeconds: number
}

const orderRecordColumns = sql`
  o.order_id as "orderId", o.order_time as "orderTime", o.merchant_id as "merchantId", o.place_id as "placeId", o.device_id as "deviceId",
  o.device_sid as "deviceSid", o.goods_id as "goodsId", o.took_stock as "tookStock", o.status::text as status, o.fee_cents as "feeCents", o.refunded_cents as "refundedCents",
  o.duration_minutes as "durationMinutes", o.pay_channel as "payChannel", o.channel_id as "channelId",
  coalesce((select organisation_id = 1 from pay_channels c where c.id = o.channel_id), false) as "heldByPlatform",
  o.transaction_id as "transactionId", o.customer_id as "customerId", o.member_id as "memberId", o.phone, o.paid_at as "paidAt",
  o.started_at as "startedAt", o.ends_at as "endsAt", o.finished_at as "finishedAt", o.delivered_seconds as "deliveredSeconds"`

/** The months of some orders: bounds at hand spare the planner all other partitions. */
export function betweenTimesOf(orders: readonly Pick<OrderRecord, 'orderTime'>[]) {
  const times = orders.map(({ orderTime }) => orderTime.getTime())
  return sql<boolean>`o.order_time between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times))}`
}

/** Reads orders for change; they are locked in the order of their ids, so that two callers never wait for each other. */
export async function lockOrders(db: Database, orderIds: readonly string[]): Promise<OrderRecord[]> {
  const times = orderIds.map(timeOfOrderId)
  const wanted = orderIds.flatMap((orderId, index) =>
    times[index] ? [{ orderId, orderTime: times[index] }] : [],
  )
  if (wanted.length === 0) return []
  const ids = wanted.map(({ orderId }) => orderId)
  const { rows } = await sql<OrderRecord>`
    select ${orderRecordColumns} from orders o
     where o.order_id = any(${ids}) and ${betweenTimesOf(wanted)} order by o.order_id for update of o`.execute(
    db,
  )
  return rows
}

/** One order, locked until the transaction ends. */
export async function lockOrder(db: Database, orderId: string): Promise<OrderRecord | undefined> {
  return (await lockOrders(db, [orderId]))[0]
}

/** What an order was paid by. */
export interface OrderPayment {
  payChannel: PayChannel
  channelId: number
  channelAccount: string
  transactionId: string
  paidAt: Date
}

export interface StatusChange {
  order: Pick<OrderRecord, 'orderId' | 'orderTime' | 'merchantId' | 'status'>
  to: OrderStatus
  /** Stored with the status; without it what is stored stays. */
  payment?: OrderPayment
  cause: OrderCause
  /** A user name, or one of `orderActors`. */
  byWhom: string
  detail?: string
}

/** The order had left the state that a change expects. */
class StatusChangedError extends Error {
  override name = 'StatusChangedError'
}

/**
 * Changes the status of orders, each guarded by the state it leaves and by the table of the contract, and keeps a row
 * of history for each (decisions §4).
 * @throws StatusChangedError when one of them is not in the state that was read
 */
export async function changeStatuses(db: Database, changes: readonly StatusChange[]): Promise<void> {
  if (changes.length === 0) return
  for (const { order, to } of changes) {
    if (!orderTransitions[order.status].includes(to))
      throw new StatusChangedError(`an order cannot go from ${order.status} to ${to}`)
  }
  const rows = changes.map(({ order, to, payment, cause, byWhom, detail = '' }) => ({
    ...payment,
    orderId: order.orderId,
    orderTime: order.orderTime,
    merchantId: order.merchantId,
    from: Number(order.status),
    to: Number(to),
    cause,
    byWhom,
    detail,
  }))
  const changed = await sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (
        "orderId" text, "orderTime" timestamptz, "merchantId" bigint, "from" smallint, "to" smallint, cause text, "byWhom" text, detail text,
        "payChannel" text, "channelId" bigint, "channelAccount" text, "transactionId" text, "paidAt" timestamptz)),
    changed as (
      update orders o set status = w."to", pay_channel = coalesce(w."payChannel", o.pay_channel), channel_id = coalesce(w."channelId", o.channel_id),
             channel_account = coalesce(w."channelAccount", o.channel_account), transaction_id = coalesce(w."transactionId", o.transaction_id),
             paid_at = coalesce(w."paidAt", o.paid_at)
        from wanted w
       where o.order_id = w."orderId" and o.order_time = w."orderTime" and o.merchant_id = w."merchantId" and o.status = w."from"
         and ${betweenTimesOf(changes.map(({ order }) => order))}
      returning o.order_id)
    insert into order_history (order_id, order_time, merchant_id, from_status, to_status, cause, by_whom, detail)
    select w."orderId", w."orderTime", w."merchantId", w."from", w."to", w.cause, w."byWhom", w.detail
      from wanted w join changed c on c.order_id = w."orderId" returning 1`.execute(db)
  if (changed.rows.length !== changes.length) throw new StatusChangedError('an order has changed meanwhile')
}

/** Adds a step to an order's story that changes no status. */
export async function noteOnOrder(
  db: Database,
  order: Pick<OrderRecord, 'orderId' | 'orderTime' | 'merchantId' | 'status'>,
  cause: OrderCause,
  byWhom: string,
  detail = '',
): Promise<void> {
  await sql`
    insert into order_history (order_id, order_time, merchant_id, from_status, to_status, cause, by_whom, detail)
    values (${order.orderId}, ${order.orderTime}, ${order.merchantId}, ${Number(order.status)}, ${Number(order.status)}, ${cause}, ${byWhom}, ${detail})`.execute(
    db,
  )
}

export const {
  unpaid,
  closed,
  paid,
  running,
  refundApplied,
  refundRefused,
  refunding,
  refunded,
  refundFailed,
} = orderStatuses
