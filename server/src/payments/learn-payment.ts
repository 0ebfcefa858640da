import { inTransaction, type Database } from '../kit/database.ts'
import { reachStep } from '../kit/steps.ts'
import type { PaymentAdapter, PaymentState } from './adapters/payment-adapter.ts'
import type { PaymentOutcomes } from './payment-outcomes.ts'
import type { PaymentServices } from './payment-services.ts'
import { storePaid, type LearntPayment, type PaymentRecord } from './payments-sql.ts'

/** Settles what was learnt to be paid, in one transaction; what was known before changes nothing. */
export function settleLearnt(
  db: Database,
  outcomes: PaymentOutcomes,
  learnt: readonly LearntPayment[],
): Promise<Set<string>> {
  return inTransaction(db, async (trx) => {
    const paid = await storePaid(trx, learnt)
    if (paid.length > 0) await outcomes.settlePaid(trx, paid)
    reachStep('payment settled')
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

/**
 * Asks the provider how a payment stands, and settles it when it is paid.
 * @returns undefined when the provider did not tell, or told what cannot be ours
 */
export async function learnFromProvider(
  services: PaymentServices,
  payment: PaymentRecord,
  now: Date,
): Promise<{ state: PaymentState['state']; adapter: PaymentAdapter } | undefined> {
  const { outTradeNo } = payment
  const channel = await services.channels.open(services.db, payment.channelId)
  if (!channel) return undefined
  const answer = await channel.adapter.query(outTradeNo)
  if (answer.outcome !== 'accepted') {
    services.log.warn({ outTradeNo, answer }, 'the provider did not tell how a payment stands')
    return undefined
  }
  const state = answer.result
  if (state.state === 'paid') {
    if (state.outTradeNo !== outTradeNo || state.amountCents !== payment.amountCents) {
      services.log.error(
        { outTradeNo, told: state.amountCents, asked: payment.amountCents },
        'what the provider tells of a payment does not fit',
      )
      return undefined
    }
    await settleLearnt(services.db, services.outcomes, [learntOf(state, channel.id, 'query', now)])
  }
  return { state: state.state, adapter: channel.adapter }
}
