import { z } from 'zod'
import { databaseNow } from '../kit/database-clock.ts'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { reachStep } from '../kit/steps.ts'
import type { Outcome, RefundState, RefusedForNow } from './adapters/payment-adapter.ts'
import type { OpenChannel } from './pay-channels.ts'
import { noticeUrl, refundKey, type PaymentServices } from './payment-services.ts'
import {
  countAttempt,
  countRefusal,
  countSending,
  endWait,
  findProviderRefund,
  insertProviderRefund,
  lockRefundable,
  storeGivenUp,
  storeRefusalForNow,
  storeRefundState,
  type ProviderRefund,
} from './provider-refunds-sql.ts'

/** Sends a refund, and asks after it until the provider says how it ended. */
export const pursueRefund = jobKind('payments:pursue-refund', z.object({ outRefundNo: z.string() }), {
  waitsOutside: true,
})

/**
 * Asks for money of an order to go back through the provider that took it, in the transaction that decides so.
 * `reference` makes a repeat harmless; it becomes part of the number the provider knows the refund by.
 * @returns false when no payment of the order was made through a provider
 * @throws when more would go back than was paid
 */
export async function requestProviderRefund(
  db: Database,
  refund: {
    orderId: string
    merchantId: number
    amountCents: number
    /** The refund row it is for; null when it goes back by itself. */
    refundId: number | null
    /** One attempt alone, when an order was paid twice or too late. */
    outTradeNo?: string
    reference: string
    reason: string
  },
): Promise<boolean> {
  const { orderId, merchantId, amountCents, refundId, reason } = refund
  // Does not name the payment it is taken from, or a repeat could take it from another one.
  const outRefundNo = `TK${refund.outTradeNo ?? orderId}${refund.reference}`
  const payments = await lockRefundable(db, orderId, refund.outTradeNo ?? null)
  if (payments.length === 0) return false
  if (await findProviderRefund(db, outRefundNo)) return true
  const payment = payments.find(({ leftCents }) => leftCents >= amountCents)
  if (!payment) throw new Error(`more than was paid for ${orderId} would go back by ${outRefundNo}`)
  const { outTradeNo } = payment
  await insertProviderRefund(db, {
    outRefundNo,
    outTradeNo,
    orderId,
    merchantId,
    refundId,
    amountCents,
    reason,
  })
  await addJob(db, pursueRefund, { outRefundNo }, { key: refundKey(outRefundNo) })
  return true
}

/** Pauses between looks at a refund that is under way. */
const pauseSeconds = [3, 10, 30, 60, 300, 900, 3600]

const nextLook = (attempts: number, now: Date) =>
  new Date(now.getTime() + (pauseSeconds[Math.min(attempts, pauseSeconds.length - 1)] ?? 3600) * 1000)

/** Sends refunds and asks after them until the provider says how they ended. */
export function createProviderRefundJobs(services: PaymentServices): JobHandler[] {
  const { db, log } = services
  return [
    handleJob(pursueRefund, async (_context, { outRefundNo }) => {
      const refund = await findProviderRefund(db, outRefundNo)
      if (!refund || refund.state === 'succeeded' || refund.state === 'failed') return
      const channel = await services.channels.open(db, refund.channelId)
      if (!channel) throw new Error(`the channel of the refund ${outRefundNo} is gone`)
      const runAt = nextLook(refund.attempts, await databaseNow(db))
      // Asked for, and counted, before the provider is: a process that ends here sends nothing twice.
      await addJob(db, pursueRefund, { outRefundNo }, { runAt, key: refundKey(outRefundNo) })
      await countAttempt(db, outRefundNo)
      reachStep('refund asked for')
      const told = await askProvider(services, channel, refund)
      reachStep('refund answered')
      if (told.outcome === 'refusedForNow') {
        log.error({ outRefundNo, told }, 'the provider does not take a refund, or tell of it, for now')
        await waitOrFail(services, refund, channel.id, wordsOf(told))
      } else if (told.outcome === 'accepted') {
        const outcome = await learnRefund(services, told.result, channel.id)
        if (outcome === 'wrong amount' || outcome === 'unknown refund')
          log.error({ outRefundNo, told: told.result }, 'what the provider tells of a refund does not fit')
        else if (told.result.state === 'processing') await waitNoMore(services, outRefundNo)
      } else if (told.outcome === 'refused') {
        log.error({ outRefundNo, told }, 'the provider refused a refund')
        await learnRefund(services, failedState(refund, wordsOf(told)), channel.id)
      } else log.warn({ outRefundNo, told }, 'the provider did not tell how a refund stands')
    }),
  ]
}

const wordsOf = ({ code, reason }: { code: string; reason: string }) => `${code} ${reason}`.trim()

/**
 * What a provider does not take for now is asked for again with the same number, for some days; then it has failed. One
 * that may have gone is told as failed then, and asked after still: whatever becomes of it is told when it is known.
 */
async function waitOrFail(
  services: PaymentServices,
  refund: ProviderRefund,
  channelId: number,
  reason: string,
): Promise<void> {
  const hasFailed = await inTransaction(services.db, async (trx) => {
    const wait = await storeRefusalForNow(trx, refund.outRefundNo, reason)
    if (!wait || wait.isGivenUp) return false
    if (!wait.isTooLong) {
      if (wait.isNews) await services.outcomes.refundWaits(trx, wait.refund)
      return false
    }
    if (!wait.mayHaveGone) return true
    await storeGivenUp(trx, refund.outRefundNo)
    await services.outcomes.refundGivenUp(trx, wait.refund)
    return false
  })
  if (hasFailed) await learnRefund(services, failedState(refund, reason), channelId)
}

const waitNoMore = ({ db, outcomes }: PaymentServices, outRefundNo: string): Promise<void> =>
  inTransaction(db, async (trx) => {
    const refund = await endWait(trx, outRefundNo)
    if (refund) await outcomes.refundWaitsNoMore(trx, refund)
  })

const failedState = (refund: ProviderRefund, reason: string): RefundState => ({
  state: 'failed',
  outRefundNo: refund.outRefundNo,
  providerRefundId: '',
  refundCents: refund.amountCents,
  reason,
  succeededAt: null,
})

/**
 * One that may have reached the provider is asked after first; what it does not know is sent, with the same number. Not
 * when people were told that it failed: somebody may have given the money back another way since.
 */
async function askProvider(
  services: PaymentServices,
  { adapter, id }: OpenChannel,
  refund: ProviderRefund,
): Promise<Outcome<RefundState> | RefusedForNow> {
  const { outRefundNo, outTradeNo, amountCents, totalCents, reason, attempts } = refund
  if (attempts > 0) {
    const known = await adapter.queryRefund(outRefundNo)
    // Says nothing about the refund: our key is wrong, or our right to ask, and somebody has to put that right.
    if (known.outcome === 'refused') return { ...known, outcome: 'refusedForNow' }
    if (known.outcome !== 'accepted' || known.result.state !== 'notFound') return known
    if (refund.isGivenUp)
      return { outcome: 'refused', code: 'NOT_FOUND', reason: 'the provider does not know the refund' }
  }
  await countSending(services.db, outRefundNo)
  const notifyUrl = noticeUrl(services, id)
  const told = await adapter.refund({
    outTradeNo,
    outRefundNo,
    refundCents: amountCents,
    totalCents,
    reason,
    notifyUrl,
  })
  if (told.outcome === 'refusedForNow') await countRefusal(services.db, outRefundNo)
  return told
}

/** What news of a refund came to; the last two are about nothing of ours. */
export type RefundNews = 'settled' | 'under way' | 'repeated' | 'wrong amount' | 'unknown refund'

/** Takes in how a refund stands, from an answer or a notice; its end is settled once, whoever tells it first. */
export function learnRefund(
  services: PaymentServices,
  told: RefundState,
  channelId: number,
): Promise<RefundNews> {
  return inTransaction(services.db, async (trx) => {
    const { outRefundNo, providerRefundId, refundCents: amountCents, reason, succeededAt } = told
    if (told.state === 'notFound') return 'unknown refund'
    const state = told.state === 'processing' ? 'accepted' : told.state
    const refund = await storeRefundState(trx, {
      outRefundNo,
      channelId,
      amountCents,
      state,
      providerRefundId,
      failure: reason,
      succeededAt,
    })
    if (!refund) {
      const known = await findProviderRefund(trx, outRefundNo)
      if (known?.channelId !== channelId) return 'unknown refund'
      return known.amountCents === amountCents ? 'repeated' : 'wrong amount'
    }
    if (state === 'accepted') return 'under way'
    const succeeded = state === 'succeeded'
    await services.outcomes.settleRefund(trx, { outRefundNo, ...refund, succeeded, reason })
    await sql`select graphile_worker.remove_job(${refundKey(outRefundNo)})`.execute(trx)
    reachStep('refund settled')
    return 'settled'
  })
}
