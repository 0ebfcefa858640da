import type { OrderStatus, PayPageOrder } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { timeOfOrderId } from './order-id.ts'

interface Record {
  orderId: string
  deviceId: string
  status: OrderStatus
  goodsName: string
  goodsNameEn: string
  priceCents: number
  refundedCents: number
  durationMinutes: number
  startedAt: Date | null
  endsAt: Date | null
  finishedAt: Date | null
  merchantName: string
  servicePhone: string
}

const columns = sql`
  o.order_id as "orderId", o.device_sid as "deviceId", o.status::text as status, o.goods_name as "goodsName", o.goods_name_en as "goodsNameEn",
  o.fee_cents as "priceCents", o.refunded_cents as "refundedCents", o.duration_minutes as "durationMinutes", o.started_at as "startedAt",
  o.ends_at as "endsAt", o.finished_at as "finishedAt", coalesce(m.name, '') as "merchantName",
  coalesce(nullif(p.phone, ''), m.mobile, '') as "servicePhone"`
const tables = sql`orders o left join organisations m on m.id = o.merchant_id left join places p on p.id = o.place_id`

/** What the page says of an order in each state. A refund that a merchant applied for does not concern the running chair. */
function phaseOf({ status, startedAt, finishedAt, endsAt }: Record, now: Date): PayPageOrder['phase'] {
  switch (status) {
    case '1':
      return 'paying'
    case '2':
      return 'closed'
    case '7':
      return 'refunding'
    case '8':
      return 'refunded'
    case '9':
      return 'refundFailed'
    default:
      if (finishedAt !== null || (endsAt !== null && endsAt <= now)) return 'ended'
      return startedAt === null ? 'starting' : 'running'
  }
}

function payPageOrderOf(record: Record, now: Date): PayPageOrder {
  const phase = phaseOf(record, now)
  const endsAt = phase === 'running' ? record.endsAt : null
  const { startedAt: _started, finishedAt: _finished, ...shown } = record
  return {
    ...shown,
    phase,
    endsAt: endsAt?.toISOString() ?? null,
    remainingSeconds: endsAt ? Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)) : 0,
  }
}

/** An order of a customer's own; of anybody else's there is none. */
export async function findPayPageOrder(
  db: Database,
  customerId: number,
  orderId: string,
  now: Date,
): Promise<PayPageOrder | undefined> {
  const time = timeOfOrderId(orderId)
  if (!time) return undefined
  const { rows } = await sql<Record>`
    select ${columns} from ${tables} where o.order_id = ${orderId} and o.order_time = ${time} and o.customer_id = ${customerId}`.execute(
    db,
  )
  return rows[0] && payPageOrderOf(rows[0], now)
}

/** Longest use there is, and some time to come back to see a refund arrive. */
const recentHours = 24

/** The order of a customer on a chair that is not over: waits, runs, or has its money on the way back. */
export async function findOpenOrderOf(
  db: Database,
  customerId: number,
  deviceId: number,
  now: Date,
): Promise<PayPageOrder | undefined> {
  const { rows } = await sql<Record>`
    select ${columns} from ${tables}
     where o.customer_id = ${customerId} and o.device_id = ${deviceId} and o.order_time > ${now}::timestamptz - make_interval(hours => ${recentHours})
       and (o.status in (1, 7) or (o.status in (3, 4, 5) and o.finished_at is null and coalesce(o.ends_at > ${now}, true)))
     order by o.order_time desc limit 1`.execute(db)
  return rows[0] && payPageOrderOf(rows[0], now)
}

/** Whether somebody's order keeps a chair from being sold: it waits to be paid, to start, or runs. */
export async function isChairTaken(
  db: Database,
  deviceId: number,
  now: Date,
  paymentWindowSeconds: number,
  exceptCustomerId: number | null,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from orders o
     where o.device_id = ${deviceId} and o.status in (1, 3, 4) and o.finished_at is null and o.order_time > ${now}::timestamptz - interval '1 day'
       and (o.status = 4 and coalesce(o.ends_at > ${now}, true)
         or o.status = 3 and exists (select 1 from device_commands c where c.order_id = o.order_id and c.state in ('pending', 'sent'))
         or o.status = 1 and o.customer_id is distinct from ${exceptCustomerId}
            and o.order_time > ${now}::timestamptz - make_interval(secs => ${paymentWindowSeconds}))
     limit 1`.execute(db)
  return rows.length > 0
}
