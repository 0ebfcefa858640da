import { z } from 'zod'
import type { PaymentState, RefundState } from '../payment-adapter.ts'

/* What WeChat writes, as far as we read it. */

/** We ask for nothing else; what comes in another currency does not read as expected. */
const cny = z.literal('CNY').optional()

export const Transaction = z.object({
  appid: z.string().optional(),
  mchid: z.string().optional(),
  sp_appid: z.string().optional(),
  sp_mchid: z.string().optional(),
  sub_mchid: z.string().optional(),
  out_trade_no: z.string(),
  transaction_id: z.string().optional(),
  trade_state: z.string(),
  success_time: z.string().optional(),
  payer: z.object({ openid: z.string().optional(), sp_openid: z.string().optional() }).optional(),
  amount: z.object({ total: z.int(), currency: cny }).optional(),
})
export type Transaction = z.output<typeof Transaction>

const paymentStates: Record<string, PaymentState['state']> = {
  SUCCESS: 'paid',
  // Refunded means that it had been paid.
  REFUND: 'paid',
  CLOSED: 'closed',
  REVOKED: 'closed',
}

const instantOf = (text: string | undefined): Date | null => {
  const at = text === undefined ? undefined : new Date(text)
  return at && !Number.isNaN(at.getTime()) ? at : null
}

/** Whether it tells all that a paid one has to. */
export const isWhole = (transaction: Transaction): boolean =>
  paymentStates[transaction.trade_state] !== 'paid' ||
  (Boolean(transaction.transaction_id) && transaction.amount !== undefined)

/** A payment in our words; a state that WeChat adds one day counts as unpaid, so that it is asked about again. */
export function paymentStateOf(transaction: Transaction): PaymentState {
  return {
    state: paymentStates[transaction.trade_state] ?? 'unpaid',
    outTradeNo: transaction.out_trade_no,
    transactionId: transaction.transaction_id ?? '',
    amountCents: transaction.amount?.total ?? 0,
    paidAt: instantOf(transaction.success_time),
    payerId: transaction.payer?.openid ?? transaction.payer?.sp_openid ?? null,
  }
}

export const Refund = z.object({
  mchid: z.string().optional(),
  sp_mchid: z.string().optional(),
  sub_mchid: z.string().optional(),
  refund_id: z.string(),
  out_refund_no: z.string(),
  out_trade_no: z.string(),
  /** `status` in an answer, `refund_status` in a notice. */
  status: z.string().optional(),
  refund_status: z.string().optional(),
  success_time: z.string().optional(),
  amount: z.object({ refund: z.int(), currency: cny }),
})
export type Refund = z.output<typeof Refund>

const refundStates: Record<string, RefundState['state']> = {
  SUCCESS: 'succeeded',
  CLOSED: 'failed',
  ABNORMAL: 'failed',
}

/** A refund in our words; a state that WeChat adds one day counts as under way, so that it is asked about again. */
export function refundStateOf(refund: Refund): RefundState {
  const status = refund.status ?? refund.refund_status ?? ''
  const state = refundStates[status] ?? 'processing'
  return {
    state,
    outRefundNo: refund.out_refund_no,
    providerRefundId: refund.refund_id,
    refundCents: refund.amount.refund,
    reason: state === 'failed' ? status : '',
    succeededAt: state === 'succeeded' ? instantOf(refund.success_time) : null,
  }
}

export const Sealed = z.object({
  algorithm: z.string(),
  ciphertext: z.string(),
  nonce: z.string(),
  associated_data: z.string().optional(),
})

export const NoticeBody = z.object({ id: z.string(), event_type: z.string(), resource: Sealed })

/** What tells a notice of sharing, which comes under the names of payments too (reference 1.5). */
export const ShareNotice = z.object({ order_id: z.string(), receiver: z.object({}) })

export const Certificates = z.object({
  data: z.array(
    z.object({ serial_no: z.string(), effective_time: z.string().optional(), encrypt_certificate: Sealed }),
  ),
})

export const ErrorBody = z.object({ code: z.string(), message: z.string().default('') })
