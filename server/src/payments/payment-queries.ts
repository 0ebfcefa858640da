import { databaseNow } from '../kit/database-clock.ts'
import { addJob, handleJob, type JobHandler } from '../kit/jobs.ts'
import { endPayment } from './end-payment.ts'
import { learnFromProvider } from './learn-payment.ts'
import { queryKey, type PaymentServices } from './payment-services.ts'
import { queryPayment } from './prepare-payment.ts'
import { countQuery, findPayment, isOpen, type PaymentRecord } from './payments-sql.ts'

/** Seconds after a payment was made at which it is queried (design §3); then in pauses that double. */
const querySeconds = [2, 5, 10, 30, 60, 120, 240]
const laterPauseSeconds = 60
const longestPauseSeconds = 3600
/** However long the time to pay was: whoever paid at its end still waits at the chair, which starts for a little while after it. */
const pauseAtEndSeconds = 120

/** Our own queries: a notice that never comes must not cost a customer the use. */
export function createPaymentQueryJobs(services: PaymentServices): JobHandler[] {
  return [
    handleJob(queryPayment, async (_context, { outTradeNo }) => {
      const payment = await findPayment(services.db, outTradeNo)
      if (!payment || !isOpen(payment)) return
      const now = await databaseNow(services.db)
      // Asked for before the answer is known: a process that ends here leaves no payment unasked.
      await addJob(
        services.db,
        queryPayment,
        { outTradeNo },
        { runAt: nextQuery(payment, now), key: queryKey(outTradeNo) },
      )
      await countQuery(services.db, outTradeNo)
      await ask(services, payment, now)
    }),
  ]
}

/** When to ask again; never past the moment the payment expires, at which it is closed. After it the pauses grow anew. */
function nextQuery(payment: Pick<PaymentRecord, 'queries' | 'expiresAt'>, now: Date): Date {
  const { queries, expiresAt } = payment
  const [soFar = 0, next] = [querySeconds[queries], querySeconds[queries + 1]]
  const pauseSeconds =
    next === undefined
      ? Math.min(laterPauseSeconds * 2 ** (queries + 1 - querySeconds.length), longestPauseSeconds)
      : next - soFar
  const usualMs = now.getTime() + pauseSeconds * 1000
  const sinceEndMs = now.getTime() - expiresAt.getTime()
  if (sinceEndMs < 0) return new Date(Math.min(usualMs, expiresAt.getTime()))
  return new Date(Math.min(usualMs, now.getTime() + Math.max(pauseAtEndSeconds * 1000, sinceEndMs)))
}

async function ask(services: PaymentServices, payment: PaymentRecord, now: Date): Promise<void> {
  const learnt = await learnFromProvider(services, payment, now)
  if (!learnt) {
    // Nobody can have paid what was never taken, whatever the provider says or does not say.
    if (payment.wasNeverTaken && payment.expiresAt <= now) await endPayment(services, payment, 'refused')
    return
  }
  if (learnt.state === 'paid') return
  if (learnt.state === 'closed') return endPayment(services, payment, 'closed')
  if (payment.expiresAt > now) return
  // What the provider does not know when its time is over can't be made any more.
  if (learnt.state === 'notFound') return endPayment(services, payment, 'closed')
  await closePayment(services, payment, now)
}

/**
 * Has the provider close a payment, because its time is over or the customer gives it up. It may have been paid in
 * that moment: only what was closed and then is not paid is given up.
 */
export async function closePayment(
  services: PaymentServices,
  payment: PaymentRecord,
  now: Date,
): Promise<'closed' | 'paid' | 'unknown'> {
  const channel = await services.channels.open(services.db, payment.channelId)
  if (!channel) return 'unknown'
  const closing = await channel.adapter.close(payment.outTradeNo)
  const after = await learnFromProvider(services, payment, now)
  if (!after) return 'unknown'
  if (after.state === 'paid') return 'paid'
  if (after.state === 'unpaid' && closing.outcome !== 'accepted') {
    services.log.warn({ outTradeNo: payment.outTradeNo, closing }, 'the provider did not close a payment')
    return 'unknown'
  }
  await endPayment(services, payment, 'closed')
  return 'closed'
}
