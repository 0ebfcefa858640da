import { inTransaction, type Database } from '../kit/database.ts'
import type { PaymentState } from './adapters/payment-adapter.ts'
import type { PaymentOutcomes } from './payment-outcomes.ts'
import { storePaid, type LearntPayment } from './payments-sql.ts'

/** Settles what was learnt to be paid, in one transaction; what was known before changes nothing. */
export function settleLearnt(
  db: Database,
  outcomes: PaymentOutcomes,
  learnt: readonly LearntPayment[],
): Promise<Set<string>> {
  return inTransaction(db, async (trx) => {
    const paid = await storePaid(trx, learnt)
    if (paid.length > 0) await outcomes.settlePaid(trx, paid)
    return new Set(paid.map(({ outTradeNo }) => outTradeNo))
  })
}

/** A paid state as it is settled by. */
export function learntOf(
  state: PaymentState,
  channelId: number,
  learntBy: 'notice' | 'query',
  now: Date,
): LearntPayment {
  return {
    outTradeNo: state.outTradeNo,
    transactionId: state.transactionId,
    amountCents: state.amountCents,
    payerId: state.payerId,
    paidAt: state.paidAt ?? now,
    channelId,
    learntBy,
  }
}
