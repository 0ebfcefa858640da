import { inTransaction, sql } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { z } from 'zod'
import { learntOf, settleLearnt } from './learn-payment.ts'
import type { PaymentServices } from './payment-services.ts'
import { queryPayment } from './prepare-payment.ts'
import { countQuery, findPayment, storeEnd, type PaymentRecord } from './payments-sql.ts'

/** Seconds after the payment was made at which it is asked after; then every minute (design §3). */
const querySeconds = [2, 5, 10, 30, 60, 120, 180]
const laterEverySeconds = 60
/** A payment may be on its way while the provider closes it; it is asked after once more. */
const afterCloseMs = 60_000

const askAfterClose = jobKind('payments.query-after-close', z.object({ outTradeNo: z.string() }))

/** Our own queries: a notice that never comes must not cost a customer the use. */
export function createPaymentQueryJobs(services: PaymentServices): JobHandler[] {
  return [
    handleJob(queryPayment, async (_context, { outTradeNo }) => {
      const payment = await findPayment(services.db, outTradeNo)
      if (!payment || (payment.state !== 'preparing' && payment.state !== 'prepared')) return
      const now = new Date()
      await countQuery(services.db, outTradeNo, now)
      // Asked for before the answer is known: a process that ends here leaves no payment unasked.
      await scheduleNext(services, payment, now)
      await askProvider(services, payment, now)
    }),
    handleJob(askAfterClose, async (_context, { outTradeNo }) => {
      const payment = await findPayment(services.db, outTradeNo)
      if (payment?.state === 'closed') await learnFromProvider(services, payment, new Date())
    }),
  ]
}

async function scheduleNext(services: PaymentServices, payment: PaymentRecord, now: Date): Promise<void> {
  const [soFar = 0, next] = [querySeconds[payment.queries], querySeconds[payment.queries + 1]]
  const pauseSeconds = next === undefined ? laterEverySeconds : next - soFar
  const runAt = new Date(now.getTime() + pauseSeconds * 1000)
  const atExpiry = payment.expiresAt > now && payment.expiresAt < runAt ? payment.expiresAt : runAt
  await addJob(
    services.db,
    queryPayment,
    { outTradeNo: payment.outTradeNo },
    { runAt: atExpiry, key: `query:${payment.outTradeNo}` },
  )
}

/** Asks how a payment stands and settles it when paid. Answers the provider's word, or undefined when it gave none. */
async function learnFromProvider(services: PaymentServices, payment: PaymentRecord, now: Date) {
  const channel = await services.channels.open(services.db, payment.channelId)
  if (!channel) return undefined
  const answer = await channel.adapter.query(payment.outTradeNo)
  if (answer.outcome !== 'accepted') {
    services.log.warn(
      { outTradeNo: payment.outTradeNo, answer },
      'the provider did not tell how a payment stands',
    )
    return undefined
  }
  const state = answer.result
  if (state.state === 'paid') {
    if (state.amountCents !== payment.amountCents) {
      services.log.error(
        { outTradeNo: payment.outTradeNo, told: state.amountCents, asked: payment.amountCents },
        'a payment has another amount',
      )
      return undefined
    }
    await settleLearnt(services.db, services.outcomes, [learntOf(state, channel.id, 'query', now)])
  }
  return { state: state.state, adapter: channel.adapter }
}

async function askProvider(services: PaymentServices, payment: PaymentRecord, now: Date): Promise<void> {
  const learnt = await learnFromProvider(services, payment, now)
  if (!learnt || learnt.state === 'paid') return
  if (learnt.state === 'closed') return end(services, payment, now)
  if (payment.expiresAt > now) return
  // Too long unpaid. Only what the provider has closed, and then says is not paid, is given up.
  if (learnt.state === 'unpaid') {
    const closed = await learnt.adapter.close(payment.outTradeNo)
    if (closed.outcome === 'unknown' || closed.outcome === 'notSupported') return
    const after = await learnFromProvider(services, payment, now)
    if (!after || after.state === 'paid' || after.state === 'unpaid') return
  }
  await end(services, payment, now)
}

/** Gives a payment up; the money of one that is paid all the same is refunded by itself. */
async function end(services: PaymentServices, payment: PaymentRecord, now: Date): Promise<void> {
  const { outTradeNo, orderId } = payment
  await inTransaction(services.db, async (trx) => {
    if (!(await storeEnd(trx, outTradeNo, 'closed'))) return
    await services.outcomes.settleClosed(trx, { outTradeNo, orderId })
    await addJob(
      trx,
      askAfterClose,
      { outTradeNo },
      { runAt: new Date(now.getTime() + afterCloseMs), key: `after-close:${outTradeNo}` },
    )
    await sql`select graphile_worker.remove_job(${`query:${outTradeNo}`})`.execute(trx)
  })
}

/** A customer gives an order up: the provider must close it first, since the payment may be on its way. */
export async function closePayment(
  services: PaymentServices,
  payment: PaymentRecord,
  now: Date,
): Promise<'closed' | 'paid' | 'unknown'> {
  const channel = await services.channels.open(services.db, payment.channelId)
  if (!channel) return 'unknown'
  await channel.adapter.close(payment.outTradeNo)
  const after = await learnFromProvider(services, payment, now)
  if (!after || after.state === 'unpaid') return 'unknown'
  if (after.state === 'paid') return 'paid'
  await end(services, payment, now)
  return 'closed'
}
