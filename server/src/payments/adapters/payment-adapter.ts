/*
 * What every payment provider is asked, whatever it is called there. Amounts are integer cents. An answer is one of
 * three: accepted, refused with the provider's definite word, or unknown (silence, a fault, a bad signature: the thing
 * may or may not have happened, and only a query tells).
 */

export type Outcome<Result> =
  | { outcome: 'accepted'; result: Result }
  | { outcome: 'refused'; code: string; reason: string }
  | { outcome: 'unknown'; reason: string }

/** A refusal that passes: nothing has happened, and the same request with the same number may be taken later. */
export interface RefusedForNow {
  outcome: 'refusedForNow'
  code: string
  reason: string
}

export interface PrepareRequest {
  /** Our number of the attempt. */
  outTradeNo: string
  amountCents: number
  description: string
  notifyUrl: string
  expiresAt: Date
  /** Inside the provider's own app for a payer it has named, or by a code that anybody may scan. */
  trade: { kind: 'jsapi'; openId: string } | { kind: 'native' }
}

export type Prepared =
  | { kind: 'jsapi'; parameters: Record<string, string> }
  | { kind: 'native'; codeUrl: string }

export interface PaymentState {
  state: 'unpaid' | 'paid' | 'closed' | 'notFound'
  outTradeNo: string
  /** Set when paid. */
  transactionId: string
  amountCents: number
  paidAt: Date | null
  payerId: string | null
}

export interface RefundRequest {
  outTradeNo: string
  outRefundNo: string
  refundCents: number
  totalCents: number
  reason: string
  notifyUrl: string
}

export interface RefundState {
  state: 'processing' | 'succeeded' | 'failed' | 'notFound'
  outRefundNo: string
  providerRefundId: string
  refundCents: number
  /** The provider's word for why it failed. */
  reason: string
  /** When the money went back, as the provider tells; null when it does not tell, or it has not. */
  succeededAt: Date | null
}

export interface IncomingNotice {
  headers: Record<string, string | string[] | undefined>
  /** The bytes as they came. */
  body: Buffer
  now: Date
}

/** A notice that was proved to be the provider's own, about this merchant and this app. */
export type VerifiedNotice =
  | { kind: 'payment'; noticeId: string; payment: PaymentState }
  | { kind: 'refund'; noticeId: string; refund: RefundState; outTradeNo: string }

export type NoticeCheck =
  | { verified: true; notice: VerifiedNotice }
  | {
      verified: false
      reason: 'unsigned' | 'stale' | 'unknownKey' | 'forged' | 'broken' | 'foreign' | 'probe' | 'notOurs'
    }

export interface PaymentAdapter {
  prepare(request: PrepareRequest): Promise<Outcome<Prepared>>
  query(outTradeNo: string): Promise<Outcome<PaymentState>>
  close(outTradeNo: string): Promise<Outcome<null>>
  refund(request: RefundRequest): Promise<Outcome<RefundState> | RefusedForNow>
  queryRefund(outRefundNo: string): Promise<Outcome<RefundState>>
  parseNotice(notice: IncomingNotice): Promise<NoticeCheck>
  /** What a provider wants to read when its notice was taken, or was not. */
  noticeAnswer(taken: boolean, message: string): { status: number; body: unknown }
}
