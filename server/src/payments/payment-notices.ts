import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { createGatherer } from '../kit/gather.ts'
import type { VerifiedNotice } from './adapters/payment-adapter.ts'
import { learntOf } from './learn-payment.ts'
import type { OpenChannel } from './pay-channels.ts'
import type { PaymentServices } from './payment-services.ts'
import { storePaid } from './payments-sql.ts'
import { learnRefund } from './provider-refunds.ts'

interface NoticeRecord {
  channelId: number | null
  noticeId: string
  kind: string
  outTradeNo: string
  outcome: string
  digest: string
  address: string
}

async function keepNotices(db: Database, notices: readonly NoticeRecord[]): Promise<void> {
  await sql`
    insert into payment_notices (channel_id, notice_id, kind, out_trade_no, outcome, body_digest, address)
    select "channelId", "noticeId", kind, "outTradeNo", outcome, decode(digest, 'hex'), address
      from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
        as n ("channelId" bigint, "noticeId" text, kind text, "outTradeNo" text, outcome text, digest text, address text)`.execute(
    db,
  )
}

interface PaymentNotice {
  channel: OpenChannel
  notice: Extract<VerifiedNotice, { kind: 'payment' }>
  record: Omit<NoticeRecord, 'outcome'>
  now: Date
}

/** Notices settled together, and how long one waits for company (design §4). */
const mostTogether = 100
const longestWaitMs = 5

/** The outcome of a payment notice, after the transaction that settled it was committed. */
type NoticeOutcome = 'settled' | 'repeated' | 'wrong amount' | 'unknown payment'

async function settleNotices(services: PaymentServices, notices: PaymentNotice[]): Promise<NoticeOutcome[]> {
  return inTransaction(services.db, async (trx) => {
    const learnt = notices.map(({ channel, notice, now }) =>
      learntOf(notice.payment, channel.id, 'notice', now),
    )
    const paid = await storePaid(trx, learnt)
    if (paid.length > 0) await services.outcomes.settlePaid(trx, paid)
    const settled = new Set(paid.map(({ outTradeNo }) => outTradeNo))
    const { rows } = await sql<{ outTradeNo: string; amountCents: number; state: string; channelId: number }>`
      select out_trade_no as "outTradeNo", amount_cents as "amountCents", state, channel_id as "channelId"
        from payments where out_trade_no = any(${learnt.map(({ outTradeNo }) => outTradeNo)})`.execute(trx)
    const known = new Map(rows.map((row) => [row.outTradeNo, row]))
    const outcomes = notices.map(({ notice, channel }): NoticeOutcome => {
      const { outTradeNo, amountCents } = notice.payment
      const payment = known.get(outTradeNo)
      if (!payment || payment.channelId !== channel.id) return 'unknown payment'
      if (payment.amountCents !== amountCents) return 'wrong amount'
      // Of two notices of one payment in a batch, one has settled it.
      return settled.delete(outTradeNo) ? 'settled' : 'repeated'
    })
    await keepNotices(
      trx,
      notices.map(({ record }, index) => ({ ...record, outcome: outcomes[index] ?? '' })),
    )
    return outcomes
  })
}

/**
 * Takes notices at `POST /notify/{channelId}`. One is answered only when what it says is committed; a forged, stale or
 * foreign one is refused, kept and logged.
 */
export function mountPaymentNotices(app: FastifyInstance, services: PaymentServices): void {
  const { db, log } = services
  const gatherer = createGatherer<PaymentNotice, NoticeOutcome>({
    mostItems: mostTogether,
    longestWaitMs,
    run: (notices) => settleNotices(services, notices),
  })

  // Signatures are over the bytes as they came.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post<{ Params: { channelId: string } }>('/notify/:channelId', async (request, reply) => {
    const now = new Date()
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const digest = createHash('sha256').update(body).digest('hex')
    const id = Number(request.params.channelId)
    const channel = Number.isSafeInteger(id) ? await services.channels.open(db, id) : undefined
    if (!channel) return reply.status(404).send({ code: 'FAIL', message: 'no such channel' })

    const record = {
      channelId: channel.id,
      noticeId: '',
      kind: '',
      outTradeNo: '',
      digest,
      address: request.ip,
    }
    const refuse = async (outcome: string, about: Partial<NoticeRecord> = {}) => {
      log.warn(
        { channelId: channel.id, outcome, address: request.ip, ...about },
        'a payment notice was refused',
      )
      await keepNotices(db, [{ ...record, ...about, outcome: `refused: ${outcome}` }])
      const answer = channel.adapter.noticeAnswer(false, outcome)
      return reply.status(answer.status).send(answer.body)
    }
    const check = await channel.adapter.parseNotice({ headers: request.headers, body, now })
    if (!check.verified) return refuse(check.reason)

    const { notice } = check
    const about = { ...record, noticeId: notice.noticeId, kind: notice.kind }
    if (notice.kind === 'refund') {
      await learnRefund(services, notice.refund)
      await keepNotices(db, [{ ...about, outTradeNo: notice.outTradeNo, outcome: notice.refund.state }])
    } else {
      if (notice.payment.state !== 'paid') return refuse('not a payment', about)
      const about2 = { ...about, outTradeNo: notice.payment.outTradeNo }
      const outcome = await gatherer.add({ channel, notice, record: about2, now })
      if (outcome === 'wrong amount' || outcome === 'unknown payment') {
        log.error({ outTradeNo: about2.outTradeNo, outcome }, 'a verified notice does not fit')
        const answer = channel.adapter.noticeAnswer(false, outcome)
        return reply.status(answer.status).send(answer.body)
      }
    }
    const answer = channel.adapter.noticeAnswer(true, '')
    return reply.status(answer.status).send(answer.body ?? undefined)
  })
}
