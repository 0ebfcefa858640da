import { z } from 'zod'
import { addJob, jobKind } from '../kit/jobs.ts'
import type { Database } from '../kit/database.ts'
import type { Outcome, Prepared } from './adapters/payment-adapter.ts'
import { noticeUrl, type PaymentServices } from './payment-services.ts'
import { findPayment, insertPayment, storeAnswer } from './payments-sql.ts'

/** Asks the provider of a payment how it stands; see `payment-queries.ts`. */
export const queryPayment = jobKind('payments.query', z.object({ outTradeNo: z.string() }))

/** First query after a payment was made; notices get lost, and a customer waits. */
const firstQueryMs = 2000

/** Makes an attempt in the order's transaction. From then on it is asked after until it has an end. */
export async function createPayment(
  db: Database,
  payment: Parameters<typeof insertPayment>[1] & { now: Date },
): Promise<string> {
  const outTradeNo = await insertPayment(db, payment)
  const runAt = new Date(payment.now.getTime() + firstQueryMs)
  await addJob(db, queryPayment, { outTradeNo }, { runAt, key: `query:${outTradeNo}` })
  return outTradeNo
}

const attempts = 2

/**
 * Has the provider prepare a payment, outside any transaction. Silence is tried once more with the same number; what
 * stays unknown is cleared up by the queries.
 */
export async function preparePayment(
  services: PaymentServices,
  outTradeNo: string,
  description: string,
): Promise<Outcome<Prepared>> {
  const payment = await findPayment(services.db, outTradeNo)
  if (!payment) return { outcome: 'refused', code: 'UNKNOWN_PAYMENT', reason: 'there is no such payment' }
  if (payment.answer) return { outcome: 'accepted', result: payment.answer }
  const channel = await services.channels.open(services.db, payment.channelId)
  if (!channel) return { outcome: 'refused', code: 'NO_CHANNEL', reason: 'the channel is gone' }
  let outcome: Outcome<Prepared> = { outcome: 'unknown', reason: 'not asked yet' }
  for (let attempt = 0; attempt < attempts && outcome.outcome === 'unknown'; attempt++) {
    outcome = await channel.adapter.prepare({
      outTradeNo,
      amountCents: payment.amountCents,
      description,
      notifyUrl: noticeUrl(services, channel.id),
      expiresAt: payment.expiresAt,
      trade:
        payment.trade === 'jsapi' ? { kind: 'jsapi', openId: payment.payerId ?? '' } : { kind: 'native' },
    })
  }
  if (outcome.outcome === 'accepted') await storeAnswer(services.db, outTradeNo, outcome.result)
  else services.log.warn({ outTradeNo, outcome }, 'the provider did not prepare a payment')
  return outcome
}
