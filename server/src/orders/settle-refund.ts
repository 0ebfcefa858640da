import { refundStatuses, type RefundStatus } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { transferOfRefund, type OrderMoney } from '../money/order-transfers.ts'
import { postTransfers } from '../money/post-transfers.ts'
import { announce } from '../notifications/announce.ts'
import type {
  PaidPayment,
  SettledProviderRefund,
  WaitingProviderRefund,
} from '../payments/payment-outcomes.ts'
import {
  changeStatuses,
  lockOrder,
  noteOnOrder,
  refunded,
  refundFailed,
  refunding,
  type OrderRecord,
} from './change-order-status.ts'
import { bookProviderRefund } from './give-money-back.ts'

/** Takes in how a refund through a provider ended: the order's own, or of a payment it did not need. */
export async function settleRefund(db: Database, refund: SettledProviderRefund): Promise<void> {
  const order = await lockOrder(db, refund.orderId)
  if (!order) throw new Error(`refund ${refund.outRefundNo} is of an order that is not there`)
  const payment = await paymentOf(db, refund.outRefundNo)
  if (!payment) throw new Error(`refund ${refund.outRefundNo} is of a payment that is not there`)
  if (payment.transactionId !== order.transactionId) return settleSurplus(db, order, refund, payment)
  if (!refund.succeeded) return failOrder(db, order, refund)
  // It may have failed first and succeeded after all; that it succeeded is said once.
  if (order.status !== refunding && order.status !== refundFailed) return
  await changeStatuses(db, [{ order, to: refunded, cause: 'refunded', byWhom: 'provider' }])
  await bookProviderRefund(db, order, refund.outRefundNo, refund.amountCents, refund.settledAt)
  await storeSuccess(db, refund)
}

interface RefundedPayment {
  transactionId: string | null
  channelName: PaidPayment['channelName']
  ownerId: number
}

async function paymentOf(db: Database, outRefundNo: string): Promise<RefundedPayment | undefined> {
  const { rows } = await sql<RefundedPayment>`
    select p.transaction_id as "transactionId", c.name as "channelName", c.organisation_id as "ownerId"
      from provider_refunds r join payments p on p.out_trade_no = r.out_trade_no join pay_channels c on c.id = p.channel_id
     where r.out_refund_no = ${outRefundNo}`.execute(db)
  return rows[0]
}

async function failOrder(db: Database, order: OrderRecord, refund: SettledProviderRefund): Promise<void> {
  // Given up before: that it did not go is known now.
  if (order.status === refundFailed)
    return noteOnOrder(db, order, 'the refund failed', 'provider', refund.reason)
  if (order.status !== refunding) return
  await changeStatuses(db, [
    { order, to: refundFailed, cause: 'the refund failed', byWhom: 'provider', detail: refund.reason },
  ])
  await storeFailure(db, order, refund)
}

/** An order paid twice keeps the payment that settled it; the other goes back and touches nothing but the ledger. */
async function settleSurplus(
  db: Database,
  order: OrderRecord,
  refund: SettledProviderRefund,
  { channelName: channel, ownerId }: RefundedPayment,
): Promise<void> {
  if (!refund.succeeded) {
    await noteOnOrder(
      db,
      order,
      'the refund of a second payment failed',
      'provider',
      `${refund.outRefundNo} · ${refund.reason}`,
    )
    return storeFailure(db, order, refund)
  }
  const { orderId, orderTime, merchantId } = order
  const money: OrderMoney = { orderId, orderTime, merchantId, channel, heldByPlatform: ownerId === 1 }
  await postTransfers(db, [transferOfRefund(money, refund.outRefundNo, refund.amountCents)])
  await storeSuccess(db, refund)
}

/**
 * A provider does not take a refund for now, as when the merchant's balance with it is too low: the story and the refund
 * row say why, and somebody may put it right. What goes back by itself gets a row, so that it is seen.
 */
export async function refundWaits(db: Database, refund: WaitingProviderRefund): Promise<void> {
  const order = await lockOrder(db, refund.orderId)
  if (!order) throw new Error(`refund ${refund.outRefundNo} is of an order that is not there`)
  await noteOnOrder(db, order, 'the refund waits', 'provider', `${refund.outRefundNo} · ${refund.reason}`)
  const { rows } = await sql`
    update refunds set reason = ${refund.reason}
     where ${rowOf(refund)} and status = ${refundStatuses.approved} returning 1`.execute(db)
  // The way back of a second payment is not the order's own: while it has a row under way, the order could have no other.
  if (rows.length === 0 && refund.refundId === null && order.status === refunding)
    await insertRowOf(db, order, refund, refundStatuses.approved)
}

/** What kept a refund waiting is over, and nobody has to put it right any more: its row gives no reason while it is under way. */
export async function refundWaitsNoMore(
  db: Database,
  refund: Omit<WaitingProviderRefund, 'reason'>,
): Promise<void> {
  await sql`update refunds set reason = '' where ${rowOf(refund)} and status = ${refundStatuses.approved}`.execute(
    db,
  )
}

/**
 * For days nobody could be asked about a refund that may have gone. It counts as failed, so that somebody sees to it; should
 * it turn out to have gone, the order is refunded after all.
 */
export async function refundGivenUp(db: Database, refund: WaitingProviderRefund): Promise<void> {
  const order = await lockOrder(db, refund.orderId)
  const payment = await paymentOf(db, refund.outRefundNo)
  if (!order || !payment) throw new Error(`refund ${refund.outRefundNo} is of an order that is not there`)
  const cause = 'it is not known whether the refund went'
  const detail = `${refund.outRefundNo} · ${refund.reason}`
  if (order.status === refunding && payment.transactionId === order.transactionId)
    await changeStatuses(db, [{ order, to: refundFailed, cause, byWhom: 'system', detail }])
  else await noteOnOrder(db, order, cause, 'system', detail)
  await storeFailure(db, order, refund)
}

/** Refund rows of money that went back by itself say in their remark which refund they are of. */
const rowOf = (refund: Pick<SettledProviderRefund, 'refundId' | 'orderId' | 'outRefundNo'>) =>
  refund.refundId === null
    ? sql`order_id = ${refund.orderId} and created_by = 'system' and remark = ${refund.outRefundNo}`
    : sql`id = ${refund.refundId}`

async function storeSuccess(db: Database, refund: SettledProviderRefund): Promise<void> {
  await sql`
    update refunds set status = ${refundStatuses.refunded}, settled_at = ${refund.settledAt}, reason = ''
     where ${rowOf(refund)} and status in (${refundStatuses.approved}, ${refundStatuses.failed}, ${refundStatuses.ended})`.execute(
    db,
  )
}

/** What went back by itself has a row only if it had to wait; when it fails it gets one, so that somebody sees to it. */
async function storeFailure(db: Database, order: OrderRecord, refund: WaitingProviderRefund): Promise<void> {
  const { rows } = await sql`
    update refunds set status = ${refundStatuses.failed}, reason = ${refund.reason}
     where ${rowOf(refund)} and status = ${refundStatuses.approved} returning 1`.execute(db)
  if (rows.length === 0 && refund.refundId === null)
    await insertRowOf(db, order, refund, refundStatuses.failed)
  await announce(db, [
    {
      cause: `refund ${refund.outRefundNo} failed`,
      merchantId: order.merchantId,
      event: {
        type: 'refundFailed',
        told: { orderId: order.orderId, amountCents: refund.amountCents },
      },
    },
  ])
}

/** The row of money that goes back by itself, once. */
async function insertRowOf(
  db: Database,
  order: OrderRecord,
  refund: WaitingProviderRefund,
  status: RefundStatus,
): Promise<void> {
  await sql`
    insert into refunds (order_id, order_time, merchant_id, place_id, device_sid, price_cents, phone, status, reason, remark, created_by)
    select ${order.orderId}, ${order.orderTime}, ${order.merchantId}, ${order.placeId}, ${order.deviceSid}, ${refund.amountCents}, ${order.phone},
           ${status}, ${refund.reason}, ${refund.outRefundNo}, 'system'
     where not exists (select from refunds where ${rowOf(refund)})`.execute(db)
}
