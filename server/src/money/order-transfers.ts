import type { PayChannel } from '@chairside/contract'
import type { LedgerAccountRef, Posting } from './post-transfers.ts'

/** What the transfers of an order need to know of it. */
export interface OrderMoney {
  orderId: string
  orderTime: Date
  merchantId: number
  channel: PayChannel
  /** Whether the money went to the platform's own channel, which then holds it for the merchant (decisions §5). */
  heldByPlatform: boolean
}

const heldIn = {
  wechatPay: 'wechatBalance',
  wechatServerPay: 'wechatBalance',
  aliPay: 'alipayBalance',
  ccbPay: 'ccbpayBalance',
  unionPay: 'unionpayBalance',
} as const

/** Where takings of a channel are: held by the platform, or with the merchant already. */
function takingsAccount(channel: PayChannel, heldByPlatform: boolean): LedgerAccountRef {
  return heldByPlatform && channel in heldIn
    ? { kind: heldIn[channel as keyof typeof heldIn] }
    : { kind: 'merchantBalance' }
}

/** Money of a provider, a till or a partner comes in for an order. `reference` tells payments of one order apart. */
export function transferOfPayment(order: OrderMoney, reference: string, amountCents: number): Posting {
  return {
    merchantId: order.merchantId,
    from: { kind: 'outside', channel: order.channel },
    to: takingsAccount(order.channel, order.heldByPlatform),
    amountCents,
    cause: `payment:${reference}`,
    causeTime: order.orderTime,
  }
}

/** Money of an order goes back where it came from. */
export function transferOfRefund(order: OrderMoney, reference: string, amountCents: number): Posting {
  return {
    merchantId: order.merchantId,
    from: takingsAccount(order.channel, order.heldByPlatform),
    to: { kind: 'outside', channel: order.channel },
    amountCents,
    cause: `refund:${reference}`,
    causeTime: order.orderTime,
  }
}

interface MemberParts {
  memberId: number
  cashCents: number
  giftCents: number
}

const partsOf = (
  order: Pick<OrderMoney, 'merchantId' | 'orderTime'>,
  cause: string,
  member: MemberParts,
  back: boolean,
): Posting[] => {
  const { memberId } = member
  const parts = [
    {
      name: 'cash',
      amountCents: member.cashCents,
      balance: { kind: 'memberCash', memberId },
      owed: { kind: 'memberCashOwed' },
    },
    {
      name: 'gift',
      amountCents: member.giftCents,
      balance: { kind: 'memberGift', memberId },
      owed: { kind: 'memberGiftGiven' },
    },
  ] as const
  return parts
    .filter(({ amountCents }) => amountCents > 0)
    .map(({ name, amountCents, balance, owed }) => ({
      merchantId: order.merchantId,
      from: back ? owed : balance,
      to: back ? balance : owed,
      amountCents,
      cause: `${cause}:${name}`,
      causeTime: order.orderTime,
    }))
}

/** A member pays from the balance; what was paid in is spent before what was given (decisions §5). */
export const transfersOfMemberSpend = (order: OrderMoney, member: MemberParts): Posting[] =>
  partsOf(order, `spend:${order.orderId}`, member, false)

/** A member's balance gets back what an order took. */
export const transfersOfMemberRefund = (
  order: OrderMoney,
  reference: string,
  member: MemberParts,
): Posting[] => partsOf(order, `refund:${reference}`, member, true)

/** A recharge raises the member's balance, with the gift of the scheme. */
export const transfersOfRecharge = (order: OrderMoney, member: MemberParts): Posting[] =>
  partsOf(order, `recharge:${order.orderId}`, member, true)
