import { z } from 'zod'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import type { Outcome, RefundState } from './adapters/payment-adapter.ts'
import { noticeUrl, type PaymentServices } from './payment-services.ts'

const pursue = jobKind('payments.pursue-refund', z.object({ outRefundNo: z.string() }))

interface ProviderRefund {
  outRefundNo: string
  outTradeNo: string
  orderId: string
  merchantId: number
  channelId: number
  refundId: number | null
  amountCents: number
  totalCents: number
  state: 'wanted' | 'accepted' | 'succeeded' | 'failed'
  reason: string
  attempts: number
}

/**
 * Asks for money of an order to go back through the provider that took it, in the transaction that decides so.
 * `reference` makes a repeat harmless; it becomes part of the number the provider knows the refund by.
 * @returns false when no payment of the order was made through a provider
 */
export async function requestProviderRefund(
  db: Database,
  refund: {
    orderId: string
    merchantId: number
    amountCents: number
    refundId: number | null
    outTradeNo?: string
    reference: string
    reason: string
  },
): Promise<boolean> {
  const { rows } = await sql<{ outRefundNo: string }>`
    insert into provider_refunds (out_refund_no, out_trade_no, order_id, merchant_id, refund_id, amount_cents, reason)
    select 'TK' || p.out_trade_no || ${refund.reference}, p.out_trade_no, ${refund.orderId}, ${refund.merchantId}, ${refund.refundId}, ${refund.amountCents}, ''
      from payments p where p.order_id = ${refund.orderId} and p.state = 'paid' and (${refund.outTradeNo ?? null}::text is null or p.out_trade_no = ${refund.outTradeNo ?? null})
     order by p.paid_at limit 1
    on conflict (out_refund_no) do update set reason = provider_refunds.reason
    returning out_refund_no as "outRefundNo"`.execute(db)
  const made = rows[0]
  if (!made) return false
  await addJob(db, pursue, { outRefundNo: made.outRefundNo }, { key: `refund:${made.outRefundNo}` })
  return true
}

/** Pauses between looks at a refund that is under way. */
const pauseSeconds = [3, 10, 30, 60, 300, 900, 3600]

const nextLook = (attempts: number, now: Date) =>
  new Date(now.getTime() + (pauseSeconds[Math.min(attempts, pauseSeconds.length - 1)] ?? 3600) * 1000)

/** Sends refunds and asks after them until the provider says how they ended. */
export function createProviderRefundJobs(services: PaymentServices): JobHandler[] {
  return [
    handleJob(pursue, async (_context, { outRefundNo }) => {
      const refund = await findRefund(services.db, outRefundNo)
      if (!refund || refund.state === 'succeeded' || refund.state === 'failed') return
      const now = new Date()
      await sql`update provider_refunds set attempts = attempts + 1 where out_refund_no = ${outRefundNo}`.execute(
        services.db,
      )
      await addJob(
        services.db,
        pursue,
        { outRefundNo },
        { runAt: nextLook(refund.attempts, now), key: `refund:${outRefundNo}` },
      )
      const outcome = await askProvider(services, refund)
      if (outcome.outcome === 'accepted') await learnRefund(services, outcome.result)
      else if (outcome.outcome === 'refused') {
        await learnRefund(services, {
          state: 'failed',
          outRefundNo,
          providerRefundId: '',
          refundCents: refund.amountCents,
          reason: `${outcome.code} ${outcome.reason}`.trim(),
        })
      } else services.log.warn({ outRefundNo, outcome }, 'the provider did not tell how a refund stands')
    }),
  ]
}

/** A refund that may have reached the provider is asked after first; only what it does not know is sent, with the same number. */
async function askProvider(services: PaymentServices, refund: ProviderRefund): Promise<Outcome<RefundState>> {
  const channel = await services.channels.open(services.db, refund.channelId)
  if (!channel) return { outcome: 'refused', code: 'NO_CHANNEL', reason: 'the channel is gone' }
  if (refund.attempts > 0) {
    const known = await channel.adapter.queryRefund(refund.outRefundNo)
    if (known.outcome !== 'accepted' || known.result.state !== 'notFound') return known
  }
  return channel.adapter.refund({
    outTradeNo: refund.outTradeNo,
    outRefundNo: refund.outRefundNo,
    refundCents: refund.amountCents,
    totalCents: refund.totalCents,
    reason: '',
    notifyUrl: noticeUrl(services, channel.id),
  })
}

async function findRefund(db: Database, outRefundNo: string): Promise<ProviderRefund | undefined> {
  const { rows } = await sql<ProviderRefund>`
    select r.out_refund_no as "outRefundNo", r.out_trade_no as "outTradeNo", r.order_id as "orderId", r.merchant_id as "merchantId",
           p.channel_id as "channelId", r.refund_id as "refundId", r.amount_cents as "amountCents", p.amount_cents as "totalCents",
           r.state, r.reason, r.attempts
      from provider_refunds r join payments p on p.out_trade_no = r.out_trade_no where r.out_refund_no = ${outRefundNo}`.execute(
    db,
  )
  return rows[0]
}

/** Takes in how a refund stands, from an answer or a notice; its end is settled once, whoever tells it first. */
export async function learnRefund(services: PaymentServices, told: RefundState): Promise<void> {
  if (told.state === 'notFound') return
  await inTransaction(services.db, async (trx) => {
    const state = told.state === 'processing' ? 'accepted' : told.state
    const ended = told.state !== 'processing'
    const { rows } = await sql<{
      orderId: string
      merchantId: number
      refundId: number | null
      amountCents: number
      settledAt: Date
    }>`
      update provider_refunds set state = ${state}, provider_refund_id = ${told.providerRefundId}, reason = ${told.reason},
             settled_at = case when ${ended} then now() end
       where out_refund_no = ${told.outRefundNo} and amount_cents = ${told.refundCents}
         and (state in ('wanted', 'accepted') or (state = 'failed' and ${state} = 'succeeded'))
      returning order_id as "orderId", merchant_id as "merchantId", refund_id as "refundId", amount_cents as "amountCents", settled_at as "settledAt"`.execute(
      trx,
    )
    const refund = rows[0]
    if (!refund || !ended) return
    await services.outcomes.settleRefund(trx, {
      outRefundNo: told.outRefundNo,
      ...refund,
      succeeded: told.state === 'succeeded',
      reason: told.reason,
    })
    await sql`select graphile_worker.remove_job(${`refund:${told.outRefundNo}`})`.execute(trx)
  })
}
