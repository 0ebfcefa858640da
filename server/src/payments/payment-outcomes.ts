import type { PayChannel } from '@chairside/contract'
import type { Database } from '../kit/database.ts'

/** A payment that a verified notice or our own query has shown to be paid. */
export interface PaidPayment {
  outTradeNo: string
  orderId: string
  merchantId: number
  amountCents: number
  transactionId: string
  payerId: string | null
  paidAt: Date
  /** When the time to pay was over. */
  expiresAt: Date
  channelId: number
  channelName: Extract<PayChannel, 'wechatPay' | 'wechatServerPay' | 'aliPay' | 'ccbPay' | 'unionPay'>
  /** The provider's merchant number that received the money. */
  channelAccount: string
  /** Organisation the channel belongs to; 1 is the platform, which then holds the takings for the merchant. */
  channelOwnerId: number
  learntBy: 'notice' | 'query'
}

/** How a refund through a provider ended. */
export interface SettledProviderRefund {
  outRefundNo: string
  orderId: string
  merchantId: number
  /** The refund row it was for; null when it was given back by itself. */
  refundId: number | null
  amountCents: number
  succeeded: boolean
  reason: string
  settledAt: Date
}

/** A refund that a provider does not take, or tell of, for now; it is asked for again by itself. */
export interface WaitingProviderRefund {
  outRefundNo: string
  orderId: string
  refundId: number | null
  amountCents: number
  /** The provider's word for why. */
  reason: string
}

/**
 * What happens to an order when its payment comes to an end. Payments knows nothing of orders: the orders domain
 * implements this and the start of the program hands it over. Every function runs inside the transaction that
 * records the payment's own state, and is harmless when it is called again for the same thing.
 */
export interface PaymentOutcomes {
  /** Many at once, so that a burst of notices is one statement each. */
  settlePaid(db: Database, payments: readonly PaidPayment[]): Promise<void>
  settleClosed(db: Database, payment: { outTradeNo: string; orderId: string }): Promise<void>
  settleRefund(db: Database, refund: SettledProviderRefund): Promise<void>
  /** Told once for each reason. */
  refundWaits(db: Database, refund: WaitingProviderRefund): Promise<void>
  /** The provider has taken what waited; how it ends is told by `settleRefund`. */
  refundWaitsNoMore(db: Database, refund: Omit<WaitingProviderRefund, 'reason'>): Promise<void>
  /** Waited too long, and may have gone; told once. How it ended is told by `settleRefund`, if that is ever known. */
  refundGivenUp(db: Database, refund: WaitingProviderRefund): Promise<void>
}
