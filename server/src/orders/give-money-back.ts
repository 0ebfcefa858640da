import type { OrderCause, PayChannel } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { returnBalance, spentOn } from '../members/member-balance.ts'
import { incomeKindOf, recordIncome } from '../money/income.ts'
import { transferOfRefund, type OrderMoney } from '../money/order-transfers.ts'
import { postTransfers } from '../money/post-transfers.ts'
import { requestProviderRefund } from '../payments/provider-refunds.ts'
import { changeStatuses, refunded, refunding, type OrderRecord } from './change-order-status.ts'

const providerChannels: ReadonlySet<PayChannel> = new Set([
  'wechatPay',
  'wechatServerPay',
  'aliPay',
  'ccbPay',
  'unionPay',
])

/** Whether a provider took the money, and can give it back. */
export const isPaidByProvider = (order: Pick<OrderRecord, 'payChannel'>) =>
  order.payChannel !== null && providerChannels.has(order.payChannel)

/** Whether the money can go back the way it came; what the merchant or a partner took can only go back by hand. */
export const goesBackByItself = (order: Pick<OrderRecord, 'payChannel'>) =>
  isPaidByProvider(order) || order.payChannel === 'custAccount' || order.payChannel === null

/** What the ledger has to know of a paid order to give back its money. @throws when nothing paid it: of that, nothing goes back */
export function moneyOf(order: OrderRecord): OrderMoney {
  if (!order.payChannel) throw new Error('an order that is not paid moves no money')
  return {
    orderId: order.orderId,
    orderTime: order.orderTime,
    merchantId: order.merchantId,
    channel: order.payChannel,
    heldByPlatform: order.heldByPlatform,
  }
}

/** Books a refund that has happened: what the order still stands for, and negative income of the day (decisions §6). */
async function bookRefund(db: Database, order: OrderRecord, amountCents: number, at: Date): Promise<void> {
  await sql`
    update orders set refunded_cents = refunded_cents + ${amountCents}
     where order_id = ${order.orderId} and order_time = ${order.orderTime} and merchant_id = ${order.merchantId}`.execute(
    db,
  )
  await recordIncome(db, [
    {
      merchantId: order.merchantId,
      placeId: order.placeId,
      deviceId: order.deviceId,
      kind: incomeKindOf(order.orderId, moneyOf(order).channel),
      at,
      amountCents: -amountCents,
      count: 0,
    },
  ])
}

interface GivingBack {
  amountCents: number
  /** The refund row it is for; null when it goes back by itself. */
  refundId: number | null
  cause: OrderCause
  byWhom: string
  detail?: string
  now: Date
}

const referenceOf = (refundId: number | null) => (refundId === null ? 'A' : `R${refundId}`)

/**
 * Starts giving money of an order back: through its provider, which ends it later, or to the member's balance at once;
 * what cost nothing is done at once.
 * @returns whether it is under way or done; undefined when its money came neither way and can only go back by hand
 */
export async function giveMoneyBack(
  db: Database,
  order: OrderRecord,
  giving: GivingBack,
): Promise<'underWay' | 'done' | undefined> {
  const { amountCents, refundId, cause, byWhom, detail = '' } = giving
  if (isPaidByProvider(order)) {
    const { orderId, merchantId, transactionId } = order
    await changeStatuses(db, [{ order, to: refunding, cause, byWhom, detail }])
    const outTradeNo = await paymentOfOrder(db, orderId, transactionId)
    const reference = referenceOf(refundId)
    const wanted = { orderId, merchantId, amountCents, refundId, outTradeNo, reference, reason: cause }
    if (!(await requestProviderRefund(db, wanted)))
      throw new Error(`order ${orderId} has no payment to refund`)
    return 'underWay'
  }
  if (!goesBackByItself(order)) return undefined
  await changeStatuses(db, [{ order, to: refunding, cause, byWhom, detail }])
  const underWay = { ...order, status: refunding }
  await changeStatuses(db, [{ order: underWay, to: refunded, cause: 'refunded', byWhom: 'system' }])
  if (amountCents > 0 && order.memberId !== null) {
    const given = { reference: referenceOf(refundId), amountCents, returnedCents: order.refundedCents }
    await returnBalance(db, moneyOf(order), order.memberId, given)
    await bookRefund(db, order, amountCents, giving.now)
  }
  return 'done'
}

/** Our number of the payment that an order was settled by. */
async function paymentOfOrder(db: Database, orderId: string, transactionId: string | null): Promise<string> {
  const { rows } = await sql<{ outTradeNo: string }>`
    select out_trade_no as "outTradeNo" from payments where order_id = ${orderId} and transaction_id = ${transactionId}`.execute(
    db,
  )
  if (!rows[0]) throw new Error(`order ${orderId} has no payment to refund`)
  return rows[0].outTradeNo
}

/** Books money that a provider has given back. */
export async function bookProviderRefund(
  db: Database,
  order: OrderRecord,
  outRefundNo: string,
  amountCents: number,
  at: Date,
): Promise<void> {
  await postTransfers(db, [transferOfRefund(moneyOf(order), outRefundNo, amountCents)])
  await bookRefund(db, order, amountCents, at)
}

/** Books money that the merchant gave back by hand: it left the merchant's till, whoever had taken it in. */
export async function bookOfflineRefund(
  db: Database,
  order: OrderRecord,
  refundId: number,
  amountCents: number,
  at: Date,
): Promise<void> {
  const money = { ...moneyOf(order), channel: 'manualStart', heldByPlatform: false } as const
  await postTransfers(db, [transferOfRefund(money, `offline:${order.orderId}:${refundId}`, amountCents)])
  await bookRefund(db, order, amountCents, at)
}

/** Most that may be given back by hand: gifts of a balance are never refunded as cash (decisions §5). */
export async function refundableByHand(db: Database, order: OrderRecord): Promise<number> {
  const leftCents = order.feeCents - order.refundedCents
  if (order.payChannel !== 'custAccount') return leftCents
  return Math.min(leftCents, (await spentOn(db, order)).cashCents)
}
