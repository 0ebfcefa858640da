import { refundStatuses, type OrderStatus, type PayPageOrder } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { timeOfOrderId } from './order-id.ts'
import { earliestOpen } from './recent-orders.ts'

interface Record {
  orderId: string
  deviceId: string
  status: OrderStatus
  goodsName: string
  goodsNameEn: string
  priceCents: number
  refundedCents: number
  durationMinutes: number
  paidAt: Date | null
  startedAt: Date | null
  endsAt: Date | null
  finishedAt: Date | null
  deliveredSeconds: number
  stopping: boolean
  stoppable: boolean
  workMode: number
  merchantName: string
  servicePhone: string
}

/** A chair that acknowledged a stop tells its end within this. */
const standStillSeconds = 15

const columns = sql`
  o.order_id as "orderId", o.device_sid as "deviceId", o.status::text as status, o.goods_name as "goodsName", o.goods_name_en as "goodsNameEn",
  o.fee_cents as "priceCents", o.refunded_cents as "refundedCents", o.duration_minutes as "durationMinutes", o.paid_at as "paidAt", o.started_at as "startedAt",
  coalesce(t.work_mode, 0) as "workMode", o.ends_at as "endsAt", o.finished_at as "finishedAt", o.delivered_seconds as "deliveredSeconds", coalesce(m.name, '') as "merchantName",
  coalesce(nullif(p.phone, ''), m.mobile, '') as "servicePhone",
  o.ends_at is not null and exists (select 1 from device_commands c
    where c.order_id = o.order_id and c.kind = 'stop'
      and (c.state in ('pending', 'sent') or c.state = 'accepted' and c.acknowledged_at > now() - make_interval(secs => ${standStillSeconds}))) as stopping,
  coalesce((select mo.controllable from devices d join device_models mo on mo.id = d.model_id where d.id = o.device_id), true) as stoppable`
const tables = sql`
  orders o left join organisations m on m.id = o.merchant_id left join places p on p.id = o.place_id
    left join goods g on g.id = o.goods_id left join goods_templates t on t.id = g.template_id`

/**
 * What the page says of an order in each state. Whatever becomes of the money, who sits on a running chair sees the time
 * left and can stop it.
 */
function phaseOf(record: Record, now: Date): PayPageOrder['phase'] {
  if (isRunning(record, now)) return 'running'
  switch (record.status) {
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
      return runPhaseOf(record, now)
  }
}

const isRunning = ({ startedAt, endsAt, finishedAt }: Record, now: Date): boolean =>
  finishedAt === null && startedAt !== null && endsAt !== null && endsAt > now

/** A chair that has not started by then will not for this payment: its start has timed out. */
const startingMinutes = 10

function runPhaseOf({ paidAt, startedAt, endsAt, finishedAt }: Record, now: Date): PayPageOrder['phase'] {
  if (finishedAt !== null) return 'ended'
  // A chair that lost its power: the rest is the customer's still.
  if (startedAt !== null) return endsAt === null ? 'brokenOff' : 'ended'
  const isAwaited = paidAt !== null && now.getTime() - paidAt.getTime() < startingMinutes * 60_000
  return isAwaited ? 'starting' : 'ended'
}

function remainingSecondsOf(
  { endsAt, durationMinutes, deliveredSeconds }: Record,
  phase: PayPageOrder['phase'],
  now: Date,
): number {
  if (phase === 'brokenOff') return Math.max(0, durationMinutes * 60 - deliveredSeconds)
  if (phase !== 'running' || endsAt === null) return 0
  return Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / 1000))
}

function payPageOrderOf(record: Record, now: Date): PayPageOrder {
  const phase = phaseOf(record, now)
  const endsAt = phase === 'running' ? record.endsAt : null
  const { paidAt: _paid, startedAt, finishedAt: _finished, deliveredSeconds: _delivered, ...shown } = record
  return {
    ...shown,
    phase,
    hasStarted: startedAt !== null,
    stopping: phase === 'running' && record.stopping,
    endsAt: endsAt?.toISOString() ?? null,
    remainingSeconds: remainingSecondsOf(record, phase, now),
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

const openPhases: ReadonlySet<PayPageOrder['phase']> = new Set([
  'paying',
  'starting',
  'running',
  'brokenOff',
  'refunding',
  'refundFailed',
])

/**
 * The order of a customer on a chair that is not over: waits, runs, has a rest, or has its money on the way back, or
 * stuck there until somebody has seen to it.
 */
export async function findOpenOrderOf(
  db: Database,
  customerId: number,
  deviceId: number,
  now: Date,
): Promise<PayPageOrder | undefined> {
  const { rows } = await sql<Record & { isSeenTo: boolean }>`
    select ${columns},
           exists (select 1 from refunds r where r.order_id = o.order_id and r.status = ${refundStatuses.ended}) as "isSeenTo"
      from ${tables}
     where o.customer_id = ${customerId} and o.device_id = ${deviceId} and o.order_time > ${earliestOpen(now)}
     order by o.order_time desc limit 1`.execute(db)
  if (!rows[0]) return undefined
  const { isSeenTo, ...record } = rows[0]
  const latest = payPageOrderOf(record, now)
  const isOver = !openPhases.has(latest.phase) || (latest.phase === 'refundFailed' && isSeenTo)
  return isOver ? undefined : latest
}
