import { z } from 'zod'
import { addJob, jobKind } from '../kit/jobs.ts'
import { reachStep } from '../kit/steps.ts'
import type { Database } from '../kit/database.ts'
import type { Outcome, Prepared } from './adapters/payment-adapter.ts'
import { endPayment } from './end-payment.ts'
import { learnFromProvider } from './learn-payment.ts'
import { noticeUrl, queryKey, type PaymentServices } from './payment-services.ts'
import {
  countAsking,
  countNo,
  findPayment,
  insertPayment,
  isOpen,
  storeAnswer,
  type PaymentRecord,
} from './payments-sql.ts'

/** Asks the provider what became of a payment; see `payment-queries.ts`. */
export const queryPayment = jobKind('payments:query', z.object({ outTradeNo: z.string() }), {
  waitsOutside: true,
})

/** First query after a payment was made; notices get lost, and a customer waits. */
const firstQueryMs = 2000

/** Makes an attempt in the order's transaction. From then on the provider is queried until it has an end. */
export async function createPayment(
  db: Database,
  payment: Parameters<typeof insertPayment>[1] & { now: Date },
): Promise<string> {
  const outTradeNo = await insertPayment(db, payment)
  const runAt = new Date(payment.now.getTime() + firstQueryMs)
  await addJob(db, queryPayment, { outTradeNo }, { runAt, key: queryKey(outTradeNo) })
  return outTradeNo
}

/** `paid`: the provider has the money already; `refused`: nobody can pay it, the payment has ended. */
export type PrepareResult = Outcome<Prepared> | { outcome: 'paid' }

/**
 * Has the provider prepare a payment, outside any transaction. Silence is tried once more with the same number; what
 * stays unknown may be asked for again, and is cleared up by the queries.
 */
export async function preparePayment(
  services: PaymentServices,
  outTradeNo: string,
  description: string,
): Promise<PrepareResult> {
  const payment = await findPayment(services.db, outTradeNo)
  if (!payment) return { outcome: 'refused', code: 'UNKNOWN_PAYMENT', reason: 'there is no such payment' }
  const known = resultSoFar(payment)
  if (known) return known
  if (payment.expiresAt <= new Date()) return { outcome: 'unknown', reason: 'the time to pay is over' }
  const outcome = await askProvider(services, payment, description)
  if (outcome.outcome === 'accepted') {
    reachStep('payment prepared')
    if (await storeAnswer(services.db, outTradeNo, outcome.result)) return outcome
    // Paid or given up while the provider answered: what it answered must not be paid by.
    const since = await findPayment(services.db, outTradeNo)
    return (since && resultSoFar(since)) ?? outcome
  }
  if (outcome.outcome === 'unknown') {
    services.log.warn({ outTradeNo, outcome }, 'the provider did not answer the preparing of a payment')
    return outcome
  }
  return endRefused(services, payment, outcome)
}

function resultSoFar(payment: PaymentRecord): PrepareResult | undefined {
  if (payment.state === 'paid') return { outcome: 'paid' }
  if (!isOpen(payment)) return { outcome: 'refused', code: 'ENDED', reason: 'the payment has ended' }
  return payment.answer ? { outcome: 'accepted', result: payment.answer } : undefined
}

async function askProvider(
  services: PaymentServices,
  payment: PaymentRecord,
  description: string,
): Promise<Outcome<Prepared>> {
  const channel = await services.channels.open(services.db, payment.channelId)
  if (!channel) return { outcome: 'refused', code: 'NO_CHANNEL', reason: 'the channel is gone' }
  const words = await countAsking(services.db, payment.outTradeNo, description)
  const ask = () =>
    channel.adapter.prepare({
      outTradeNo: payment.outTradeNo,
      amountCents: payment.amountCents,
      description: words,
      notifyUrl: noticeUrl(services, channel.id),
      expiresAt: payment.expiresAt,
      trade:
        payment.trade === 'jsapi' ? { kind: 'jsapi', openId: payment.payerId ?? '' } : { kind: 'native' },
    })
  const outcome = await ask()
  if (outcome.outcome === 'refused') await countNo(services.db, payment.outTradeNo)
  return outcome.outcome === 'unknown' ? ask() : outcome
}

/**
 * A refusal may be of a number that is used up, by an earlier try that was silent: only what stands nowhere has ended. A
 * provider that refuses our key refuses questions too; then it has ended if every try was refused.
 */
async function endRefused(
  services: PaymentServices,
  payment: PaymentRecord,
  refusal: Extract<PrepareResult, { outcome: 'refused' }>,
): Promise<PrepareResult> {
  const { outTradeNo } = payment
  services.log.error({ outTradeNo, refusal }, 'the provider refused to prepare a payment')
  const learnt = await learnFromProvider(services, payment, new Date())
  if (learnt?.state === 'paid') return { outcome: 'paid' }
  const standsNowhere = learnt
    ? learnt.state === 'notFound' || learnt.state === 'closed'
    : (await findPayment(services.db, outTradeNo))?.wasNeverTaken
  if (!standsNowhere) return { outcome: 'unknown', reason: `${refusal.code} ${refusal.reason}`.trim() }
  await endPayment(services, payment, 'refused')
  return refusal
}
