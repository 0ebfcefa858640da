import type { OrderCause } from '@chairside/contract'
import { requestStarts, type StartRequest } from '../devices/device-commands.ts'
import type { Database } from '../kit/database.ts'
import { incomeKindOf, recordIncome } from '../money/income.ts'
import { transferOfPayment, type OrderMoney } from '../money/order-transfers.ts'
import { postTransfers } from '../money/post-transfers.ts'
import type { PaidPayment, PaymentOutcomes } from '../payments/payment-outcomes.ts'
import { requestProviderRefund } from '../payments/provider-refunds.ts'
import {
  changeStatuses,
  closed,
  lockOrder,
  lockOrders,
  noteOnOrder,
  paid,
  refunding,
  unpaid,
  type OrderPayment,
  type OrderRecord,
  type StatusChange,
} from './change-order-status.ts'
import { lockHoldersOfChairs } from './order-within-scope.ts'
import { putBack } from './put-back.ts'
import { refundGivenUp, refundWaits, refundWaitsNoMore, settleRefund } from './settle-refund.ts'

interface Settling {
  order: OrderRecord
  payment: PaidPayment
}

/** Paid in its time, and yet its chair is not to start. */
interface Unstarted extends Settling {
  cause: OrderCause
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
export const paymentOutcomes: PaymentOutcomes = {
  settlePaid,
  settleClosed,
  settleRefund,
  refundWaits,
  refundWaitsNoMore,
  refundGivenUp,
}

/**
 * What a payment is to its order: the one that pays it, one that pays it but starts nothing, one that came after it was
 * closed, or one too many.
 */
async function sortPayments(db: Database, payments: readonly PaidPayment[]) {
  const orderIds = payments.map(({ orderId }) => orderId)
  const holders = await lockHoldersOfChairs(db, orderIds)
  const orders = await lockOrders(db, orderIds)
  const byId = new Map(orders.map((order) => [order.orderId, order]))
  const now = new Date()
  const hasChair = ({ deviceId, merchantId }: OrderRecord) =>
    deviceId === null || holders.get(deviceId) === merchantId
  const none: Settling[] = []
  const unstarted: Unstarted[] = []
  const sorted = { settling: [...none], unstarted, late: [...none], surplus: [...none] }
  for (const payment of payments) {
    const order = byId.get(payment.orderId)
    if (!order) throw new Error(`payment ${payment.outTradeNo} is for an order that is not there`)
    // The payment that this order was settled by comes again.
    if (order.transactionId === payment.transactionId) continue
    const one = { order: { ...order }, payment }
    const kind = kindOf(order)
    const cause = hasChair(order) ? whyLate(order, payment, now) : chairGone
    if (kind === 'settling' && cause) sorted.unstarted.push({ ...one, cause })
    else sorted[kind].push(one)
    // Of two payments of an order in one batch the second is one too many.
    if (kind !== 'surplus') {
      order.status = kind === 'settling' && !cause ? paid : refunding
      order.transactionId = payment.transactionId
    }
  }
  return sorted
}

function kindOf({ status }: OrderRecord) {
  if (status === unpaid) return 'settling'
  return status === closed ? 'late' : 'surplus'
}

/** Longer than the two minutes after which a query that failed at the end of the time to pay is repeated. */
const graceSeconds = 150

/** Whoever paid in time for a chair that has not started since has got up: it would start under nobody, or a stranger. */
function whyLate({ deviceId }: OrderRecord, { expiresAt }: PaidPayment, now: Date): OrderCause | undefined {
  const isLate = now.getTime() > expiresAt.getTime() + graceSeconds * 1000
  return deviceId !== null && isLate ? learntTooLate : undefined
}

async function settlePaid(db: Database, payments: readonly PaidPayment[]): Promise<void> {
  const { settling, unstarted, late, surplus } = await sortPayments(db, payments)
  const ofTheOrder = [...settling, ...unstarted, ...late]
  await changeStatuses(db, [
    ...[...settling, ...unstarted].map(({ order, payment }): StatusChange => ({
      order,
      to: paid,
      payment: orderPaymentOf(payment),
      cause: 'paid',
      byWhom: 'provider',
      detail: payment.learntBy,
    })),
    ...late.map(({ order, payment }): StatusChange => ({
      order,
      to: refunding,
      payment: orderPaymentOf(payment),
      cause: paidTooLate,
      byWhom: 'system',
    })),
  ])
  await recordIncome(
    db,
    ofTheOrder.map(({ order, payment }) => ({
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
  await sendBack(db, unstarted)
  for (const one of late) await giveBack(db, one, paidTooLate)
  for (const one of surplus) {
    await noteOnOrder(db, one.order, paidTwice, 'system', one.payment.outTradeNo)
    await giveBack(db, one, paidTwice)
  }
  // At last, because whoever else books for these merchants waits from here to the commit.
  await postTransfers(
    db,
    [...ofTheOrder, ...surplus].map((one) =>
      transferOfPayment(moneyOf(one), one.payment.outTradeNo, one.payment.amountCents),
    ),
  )
}

const orderPaymentOf = (payment: PaidPayment): OrderPayment => ({
  payChannel: payment.channelName,
  channelId: payment.channelId,
  channelAccount: payment.channelAccount,
  transactionId: payment.transactionId,
  paidAt: payment.paidAt,
})

/** No start, no charge: what was paid for a chair that does not start goes back by itself. */
async function sendBack(db: Database, unstarted: readonly Unstarted[]): Promise<void> {
  await changeStatuses(
    db,
    unstarted.map(({ order, cause }) => ({
      order: { ...order, status: paid },
      to: refunding,
      cause,
      byWhom: 'system',
    })),
  )
  for (const one of unstarted) await giveBack(db, one, one.cause)
  await putBack(
    db,
    unstarted.map(({ order }) => order),
  )
}

const chairGone = 'the chair is no longer with this merchant'
const learntTooLate = 'its payment was learnt of too late'
const paidTooLate = 'paid after it was closed'
const paidTwice = 'paid once more; that goes back'

/** Whoever pays what cannot be had gets it back without asking. */
const giveBack = (db: Database, { order, payment }: Settling, reason: OrderCause) =>
  requestProviderRefund(db, {
    orderId: order.orderId,
    merchantId: order.merchantId,
    amountCents: payment.amountCents,
    outTradeNo: payment.outTradeNo,
    refundId: null,
    reference: 'A',
    reason,
  })

/** The first start of an order is known by the order's id, so that no repeat starts a chair twice. */
export const startOf = (
  order: Pick<OrderRecord, 'orderId' | 'deviceId' | 'durationMinutes'>,
): StartRequest[] =>
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

/** An order that was not paid in time, or was given up: closed, and back on the shelf. */
export async function closeOrder(
  db: Database,
  order: OrderRecord,
  cause: OrderCause,
  byWhom: string,
): Promise<void> {
  await changeStatuses(db, [{ order, to: closed, cause, byWhom }])
  await putBack(db, [order])
}

async function settleClosed(db: Database, { orderId }: { orderId: string }): Promise<void> {
  const order = await lockOrder(db, orderId)
  if (order?.status === unpaid) await closeOrder(db, order, 'not paid', 'system')
}
