import { applyRefund, deviceOrderPrefix, orderCan, refundStatuses } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import { sql } from '../kit/database.ts'
import { announce } from '../notifications/announce.ts'
import { isRefundAllowed } from '../payments/pay-channels-sql.ts'
import { changeStatuses, refundApplied } from './change-order-status.ts'
import { lockOrderWithin } from './order-within-scope.ts'

/** A merchant applies for the refund of an order (spec 1 §6): all that was paid and not given back. */
export const applyRefundCall: Call = handle(
  applyRefund,
  async ({ db, scope, input, caller, refuse, audit }) => {
    const order = await lockOrderWithin(db, scope, input.orderId)
    if (!order) return refuse('notFound')
    if (!order.orderId.startsWith(deviceOrderPrefix)) return refuse('notADeviceOrder')
    const priceCents = order.feeCents - order.refundedCents
    if (!orderCan.refund(order) || priceCents === 0) return refuse('notPossible')
    if (!(await isRefundAllowed(db, order.merchantId))) return refuse('refundNotAllowed')

    const { userName } = caller()
    const { rows } = await sql<{ id: number }>`
    insert into refunds (order_id, order_time, merchant_id, place_id, device_sid, price_cents, phone, status, content, created_by)
    values (${order.orderId}, ${order.orderTime}, ${order.merchantId}, ${order.placeId}, ${order.deviceSid}, ${priceCents}, ${order.phone},
            ${refundStatuses.unaudited}, ${input.remark ?? ''}, ${userName}) returning id`.execute(db)
    await changeStatuses(db, [
      { order, to: refundApplied, cause: 'refund applied', byWhom: userName, detail: input.remark ?? '' },
    ])
    await announce(db, [
      {
        cause: `refund ${rows[0]?.id} applied for`,
        merchantId: order.merchantId,
        event: { type: 'refundApplied', told: { orderId: order.orderId, amountCents: priceCents } },
      },
    ])
    audit({ target: order.orderId, after: { priceCents, remark: input.remark ?? '' } })
    return { id: rows[0]?.id ?? 0, orderId: order.orderId, status: refundStatuses.unaudited }
  },
)
