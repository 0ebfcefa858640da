import { refundStatuses } from '@chairside/contract'
import { returnToStock } from '../catalogue/goods-on-offer.ts'
import { requestStarts } from '../devices/device-commands.ts'
import { sql, type Database } from '../kit/database.ts'
import { incomeKindOf, recordIncome } from '../money/income.ts'
import { transferOfPayment, transferOfRefund, type OrderMoney } from '../money/order-transfers.ts'
import { postTransfers } from '../money/post-transfers.ts'
import type { PaidPayment, PaymentOutcomes, SettledProviderRefund } from '../payments/payment-outcomes.ts'
import { requestProviderRefund } from '../payments/provider-refunds.ts'
import {
  changeStatuses,
  closed,
  lockOrder,
  lockOrders,
  paid,
  refunded,
  refundFailed,
  refunding,
  unpaid,
  type OrderRecord,
} from './change-order-status.ts'
import { bookProviderRefund } from './give-money-back.ts'

interface Settling {
  order: OrderRecord
  payment: PaidPayment
}

const moneyOf = ({ order, payment }: Settling): OrderMoney => ({
  orderId: order.orderId,
  orderTime: order.orderTime,
  merchantId: order.merchantId,
  channel: payment.channelName,
  heldByPlatform: payment.channelOwnerId === 1,
})

/**
 * What happens to orders when their payments end. Settling is one transaction with the payment's own state: status,
 * ledger, income and the start of the chair (design §3).
 */
export const paymentOutcomes: PaymentOutcomes = { settlePaid, settleClosed, settleRefund }

async function settlePaid(db: Database, payments: readonly PaidPayment[]): Promise<void> {
  const orders = new Map(
    (
      await lockOrders(
        db,
        payments.map(({ orderId }) => orderId),
      )
    ).map((order) => [order.orderId, order]),
  )
  const settling: Settling[] = []
  const late: Settling[] = []
  const surplus: Settling[] = []
  for (const payment of payments) {
    const order = orders.get(payment.orderId)
    if (!order) continue
    if (order.status === unpaid) settling.push({ order: { ...order }, payment })
    else if (order.status === closed) late.push({ order: { ...order }, payment })
    else surplus.push({ order, payment })
    // A second payment of the same order in one batch pays nothing more.
    order.status = paid
  }
  await postTransfers(
    db,
    [...settling, ...late, ...surplus].map((one) =>
      transferOfPayment(moneyOf(one), one.payment.outTradeNo, one.payment.amountCents),
    ),
  )
  await storePaidOrders(db, [...settling, ...late])
  await changeStatuses(db, [
    ...settling.map(({ order, payment }) => ({
      order,
      to: paid,
      cause: 'paid',
      byWhom: 'provider',
      detail: payment.learntBy,
    })),
    ...late.map(({ order }) => ({
      order,
      to: refunding,
      cause: 'paid after it was closed',
      byWhom: 'system',
    })),
  ])
  await recordIncome(
    db,
    [...settling, ...late].map(({ order, payment }) => ({
      merchantId: order.merchantId,
      placeId: order.placeId,
      deviceId: order.deviceId,
      kind: incomeKindOf(order.orderId, payment.channelName),
      at: payment.paidAt,
      amountCents: payment.amountCents,
      count: 1 as const,
    })),
  )
  await requestStarts(
    db,
    settling.flatMap(({ order }) => startOf(order)),
  )
  for (const { order, payment } of [...late, ...surplus]) {
    const { orderId, merchantId } = order
    const { amountCents, outTradeNo } = payment
    await requestProviderRefund(db, {
      orderId,
      merchantId,
      amountCents,
      outTradeNo,
      refundId: null,
      reference: 'A',
      reason: 'paid after it was closed',
    })
  }
}

/** The first start of an order is known by the order's id, so that no repeat starts a chair twice. */
const startOf = (order: OrderRecord) =>
  order.deviceId === null
    ? []
    : [
        {
          commandId: order.orderId,
          deviceId: order.deviceId,
          orderId: order.orderId,
          durationSeconds: order.durationMinutes * 60,
          requestedBy: 'system',
        },
      ]

async function storePaidOrders(db: Database, settling: readonly Settling[]): Promise<void> {
  if (settling.length === 0) return
  const rows = settling.map(({ order, payment }) => ({
    orderId: order.orderId,
    orderTime: order.orderTime,
    merchantId: order.merchantId,
    payChannel: payment.channelName,
    channelId: payment.channelId,
    channelAccount: payment.channelAccount,
    transactionId: payment.transactionId,
    paidAt: payment.paidAt,
  }))
  await sql`
    update orders o set pay_channel = p."payChannel", channel_id = p."channelId", channel_account = p."channelAccount",
           transaction_id = p."transactionId", paid_at = p."paidAt"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p (
        "orderId" text, "orderTime" timestamptz, "merchantId" bigint, "payChannel" text, "channelId" bigint, "channelAccount" text,
        "transactionId" text, "paidAt" timestamptz)
     where o.order_id = p."orderId" and o.order_time = p."orderTime" and o.merchant_id = p."merchantId"`.execute(
    db,
  )
}

async function settleClosed(db: Database, { orderId }: { orderId: string }): Promise<void> {
  const order = await lockOrder(db, orderId)
  if (order?.status !== unpaid) return
  await changeStatuses(db, [{ order, to: closed, cause: 'not paid', byWhom: 'system' }])
  if (order.goodsId !== null) await returnToStock(db, [order.goodsId])
}

async function settleRefund(db: Database, refund: SettledProviderRefund): Promise<void> {
  const order = await lockOrder(db, refund.orderId)
  if (!order) return
  if (await isOfAnotherPayment(db, order, refund)) return settleSurplusRefund(db, order, refund)
  if (refund.refundId !== null) await storeRefundEnd(db, refund.refundId, refund)
  if (!refund.succeeded) {
    if (order.status === refunding)
      await changeStatuses(db, [
        { order, to: refundFailed, cause: 'the provider refused', byWhom: 'provider', detail: refund.reason },
      ])
    return
  }
  await changeStatuses(db, [{ order, to: refunded, cause: 'refunded', byWhom: 'provider' }])
  await bookProviderRefund(db, order, refund.outRefundNo, refund.amountCents, refund.settledAt)
}

/** An order paid twice keeps the payment that settled it; the other goes back and touches nothing but the ledger. */
async function isOfAnotherPayment(
  db: Database,
  order: OrderRecord,
  refund: SettledProviderRefund,
): Promise<boolean> {
  const { rows } = await sql<{ transactionId: string | null }>`
    select p.transaction_id as "transactionId" from provider_refunds r join payments p on p.out_trade_no = r.out_trade_no
     where r.out_refund_no = ${refund.outRefundNo}`.execute(db)
  return rows[0]?.transactionId !== order.transactionId
}

async function settleSurplusRefund(
  db: Database,
  order: OrderRecord,
  refund: SettledProviderRefund,
): Promise<void> {
  if (!refund.succeeded) return
  const { rows } = await sql<{ channelName: PaidPayment['channelName']; ownerId: number }>`
    select c.name as "channelName", c.organisation_id as "ownerId" from provider_refunds r
      join payments p on p.out_trade_no = r.out_trade_no join pay_channels c on c.id = p.channel_id
     where r.out_refund_no = ${refund.outRefundNo}`.execute(db)
  const channel = rows[0]
  if (!channel) return
  const money = {
    orderId: order.orderId,
    orderTime: order.orderTime,
    merchantId: order.merchantId,
    channel: channel.channelName,
    heldByPlatform: channel.ownerId === 1,
  }
  await postTransfers(db, [transferOfRefund(money, refund.outRefundNo, refund.amountCents)])
}

async function storeRefundEnd(
  db: Database,
  refundId: number,
  { succeeded, reason, settledAt }: SettledProviderRefund,
): Promise<void> {
  const to = succeeded ? refundStatuses.refunded : refundStatuses.failed
  await sql`
    update refunds set status = ${to}, reason = ${reason}, settled_at = case when ${succeeded} then ${settledAt}::timestamptz end
     where id = ${refundId} and status in (${refundStatuses.approved}, ${refundStatuses.failed}, ${refundStatuses.ended})`.execute(
    db,
  )
}
