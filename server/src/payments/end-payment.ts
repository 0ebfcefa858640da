import { z } from 'zod'
import { databaseNow } from '../kit/database-clock.ts'
import { inTransaction, sql } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { learnFromProvider } from './learn-payment.ts'
import { queryKey, type PaymentServices } from './payment-services.ts'
import { findPayment, storeEnd, type PaymentRecord } from './payments-sql.ts'

/** Seconds after its end at which a payment is queried: it may have been on its way. */
const afterSeconds = [10, 60, 600]
/** A look that nobody answers is tried again in pauses that double up to an hour, for about three days. */
const longestPauseMs = 3_600_000
const mostUnanswered = 80

const askAfterEnd = jobKind(
  'payments:ask-after-end',
  z.object({
    outTradeNo: z.string(),
    round: z.number().int().min(0),
    /** Looks of this round that got no answer. */
    unanswered: z.number().int().min(0).default(0),
  }),
  { waitsOutside: true },
)

const pauseMs = (round: number, unanswered = 0) =>
  Math.min(
    ((afterSeconds[round] ?? 0) - (afterSeconds[round - 1] ?? 0)) * 1000 * 2 ** unanswered,
    longestPauseMs,
  )

/**
 * Ends a payment that the provider has proved not to be paid, and tells whoever waits for it. Harmless when it has an
 * end; one that turns out to be paid all the same is settled as paid, and its order gives the money back.
 */
export async function endPayment(
  services: PaymentServices,
  payment: Pick<PaymentRecord, 'outTradeNo' | 'orderId'>,
  state: 'closed' | 'refused',
): Promise<void> {
  const { outTradeNo, orderId } = payment
  await inTransaction(services.db, async (trx) => {
    if (!(await storeEnd(trx, outTradeNo, state))) return
    await services.outcomes.settleClosed(trx, { outTradeNo, orderId })
    const runAt = new Date((await databaseNow(trx)).getTime() + pauseMs(0))
    await addJob(trx, askAfterEnd, { outTradeNo, round: 0 }, { runAt, key: afterEndKey(outTradeNo) })
    await sql`select graphile_worker.remove_job(${queryKey(outTradeNo)})`.execute(trx)
  })
}

const afterEndKey = (outTradeNo: string) => `after-end:${outTradeNo}`

/** Looks a few times whether a payment was paid after it was given up. */
export function createAfterEndJobs(services: PaymentServices): JobHandler[] {
  return [
    handleJob(askAfterEnd, async (_context, { outTradeNo, round, unanswered }) => {
      const payment = await findPayment(services.db, outTradeNo)
      if (payment?.state !== 'closed' && payment?.state !== 'refused') return
      const learnt = await learnFromProvider(services, payment, await databaseNow(services.db))
      if (learnt?.state === 'paid') return
      // Silence is no answer: the same look is tried again.
      const next = learnt ? { round: round + 1, unanswered: 0 } : { round, unanswered: unanswered + 1 }
      if (next.round >= afterSeconds.length) return
      if (next.unanswered > mostUnanswered) {
        services.log.error({ outTradeNo }, 'nobody could tell whether a payment was paid after its end')
        return
      }
      // From when the look is over: a provider may take long to say nothing.
      const runAt = new Date(
        (await databaseNow(services.db)).getTime() + pauseMs(next.round, next.unanswered),
      )
      await addJob(services.db, askAfterEnd, { outTradeNo, ...next }, { runAt, key: afterEndKey(outTradeNo) })
    }),
  ]
}
