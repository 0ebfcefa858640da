import { inTransaction } from '../kit/database.ts'
import type { VerifiedNotice } from './adapters/payment-adapter.ts'
import { learntOf, settleLearnt } from './learn-payment.ts'
import { findAsked, insertNotices, type NoticeRecord } from './payment-notices-sql.ts'
import type { PaymentServices } from './payment-services.ts'

/** A notice of a payment, verified and on its way to be settled. */
export interface PaymentNotice {
  notice: Extract<VerifiedNotice, { kind: 'payment' }>
  record: Omit<NoticeRecord, 'outcome'>
  now: Date
}

/** What a notice of a payment came to; the last two are not taken. */
export type PaymentNoticeOutcome = 'settled' | 'repeated' | 'wrong amount' | 'unknown payment'

/** Settles notices together, in one transaction that also keeps what each of them came to. */
export function settleNotices(
  services: PaymentServices,
  notices: readonly PaymentNotice[],
): Promise<PaymentNoticeOutcome[]> {
  return inTransaction(services.db, async (trx) => {
    const learnt = notices.map(({ notice, record, now }) =>
      learntOf(notice.payment, record.channelId, 'notice', now),
    )
    const settled = await settleLearnt(trx, services.outcomes, learnt)
    const asked = await findAsked(
      trx,
      learnt.map(({ outTradeNo }) => outTradeNo),
    )
    const outcomes = learnt.map(({ outTradeNo, amountCents, channelId }): PaymentNoticeOutcome => {
      const payment = asked.get(outTradeNo)
      if (payment?.channelId !== channelId) return 'unknown payment'
      if (payment.amountCents !== amountCents) return 'wrong amount'
      // Of two notices of one payment in a batch, one has settled it.
      return settled.delete(outTradeNo) ? 'settled' : 'repeated'
    })
    await insertNotices(
      trx,
      notices.map(({ record }, index) => ({ ...record, outcome: outcomes[index] ?? '' })),
    )
    return outcomes
  })
}
