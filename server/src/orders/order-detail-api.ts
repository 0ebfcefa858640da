import { getOrder, type DataOf, type OrderRow } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import { sql, type Database } from '../kit/database.ts'
import { findOrder } from './order-list-sql.ts'

type Step = Omit<DataOf<typeof getOrder>['timeline'][number], 'at'> & { at: Date }

/**
 * Everything that happened to an order, oldest first: its own changes with what an applicant or auditor wrote, payments,
 * notices, commands to the chair, refunds through the provider. What a decision gives back may be a part of the price.
 */
async function timelineOf(db: Database, { orderId, orderTime }: OrderRow): Promise<Step[]> {
  const { rows } = await sql<Step>`
    select h.at, 'status' as kind, h.to_status::text as what, h.by_whom as by, concat_ws(' · ', h.cause, nullif(h.detail, '')) as detail,
           decided.price_cents as cents
      from order_history h
      left join refunds decided on h.cause in ('refund approved', 'refund approved, offline')
                               and decided.order_id = h.order_id and decided.audit in (1, 2)
     where h.order_id = ${orderId} and h.order_time = ${orderTime}
    union all
    select n.received_at, 'notice', n.outcome, 'provider', concat_ws(' · ', n.kind, n.notice_id), null
      from payments p join payment_notices n on n.out_trade_no = p.out_trade_no where p.order_id = ${orderId}
    union all
    -- Providers tell whole seconds.
    select greatest(p.paid_at, p.created_at), 'payment', p.state, 'customer', p.out_trade_no, p.amount_cents
      from payments p where p.order_id = ${orderId}
    union all
    select c.created_at, 'command', 'sent ' || c.kind, c.requested_by, c.id, null from device_commands c where c.order_id = ${orderId}
    union all
    select c.acknowledged_at, 'command', c.state, 'device', concat_ws(' · ', c.kind, nullif(c.reason, '')), null
      from device_commands c where c.order_id = ${orderId} and c.acknowledged_at is not null
    union all
    select coalesce(r.settled_at, r.created_at), 'refund', r.state, 'provider', concat_ws(' · ', r.out_refund_no, nullif(r.reason, '')), r.amount_cents
      from provider_refunds r where r.order_id = ${orderId}
    order by 1`.execute(db)
  return rows
}

/** The detail dialog of an order with its whole story (spec 1 §2). */
export const orderDetailCalls: Call[] = [
  handle(getOrder, async ({ db, scope, input, refuse }) => {
    const order = await findOrder(db, scope, input.orderId)
    if (!order) return refuse('notFound')
    const timeline = await timelineOf(db, order)
    return { ...order, timeline: timeline.map((step) => ({ ...step, at: step.at.toISOString() })) }
  }),
]
