import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAllowance } from '../kit/allowance.ts'
import { createGatherer } from '../kit/gather.ts'
import { createLimitedLog } from '../kit/limited-log.ts'
import { reachStep } from '../kit/steps.ts'
import type { OpenChannel } from './pay-channels.ts'
import { insertNotices, type NoticeRecord } from './payment-notices-sql.ts'
import type { PaymentServices } from './payment-services.ts'
import { learnRefund } from './provider-refunds.ts'
import { settleNotices, type PaymentNotice, type PaymentNoticeOutcome } from './settle-notices.ts'

/** Notices settled together, and how long one waits for company (design §4). */
const mostTogether = 100
const longestWaitMs = 5
/** While one batch commits, the next one is written; more would only wait for the same accounts. */
const mostUnderWay = 2

const bodyLimitBytes = 64 * 1024

/** Strangers may send as much as they like; no more refused notices than this are kept in a minute. */
const mostRefusedKept = 600

type NoticeRequest = FastifyRequest<{ Params: { channelId: string } }>

/**
 * Takes notices at `POST /notify/{channelId}`, in a scope of its own. One is answered only when what it says is
 * committed. A forged, stale or foreign one, or one that does not fit what was asked for, is refused, kept and logged.
 */
export async function mountPaymentNotices(app: FastifyInstance, services: PaymentServices): Promise<void> {
  const { db, log } = services
  const strangers = createLimitedLog(log)
  const mayKeep = createAllowance(mostRefusedKept, 60_000)
  const gatherer = createGatherer<PaymentNotice, PaymentNoticeOutcome>({
    mostItems: mostTogether,
    longestWaitMs,
    mostUnderWay,
    run: (notices) => settleNotices(services, notices),
  })

  const refuse = async (
    reply: FastifyReply,
    channel: OpenChannel,
    record: Omit<NoticeRecord, 'outcome'>,
    reason: string,
  ) => {
    const { digest: _, ...told } = record
    strangers.warn(`${channel.id} ${reason}`, { ...told, reason }, 'a payment notice was refused')
    if (mayKeep()) await insertNotices(db, [{ ...record, outcome: `refused: ${reason}` }])
    return answer(reply, channel, reason)
  }

  const take = async (request: NoticeRequest, reply: FastifyReply) => {
    const now = new Date()
    const channel = await channelOf(services, request.params.channelId)
    if (!channel) return reply.status(404).send({ code: 'FAIL', message: 'no such channel' })
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const digest = createHash('sha256').update(body).digest('hex')
    const unread = {
      channelId: channel.id,
      noticeId: '',
      kind: '',
      outTradeNo: '',
      digest,
      address: request.ip,
    }
    const check = await channel.adapter.parseNotice({ headers: request.headers, body, now })
    if (!check.verified) return refuse(reply, channel, unread, check.reason)

    const { notice } = check
    const { noticeId, kind } = notice
    if (notice.kind === 'refund') {
      const record = { ...unread, noticeId, kind, outTradeNo: notice.outTradeNo }
      const outcome = await learnRefund(services, notice.refund, channel.id)
      if (outcome === 'unknown refund' || outcome === 'wrong amount')
        return refuse(reply, channel, record, outcome)
      await insertNotices(db, [{ ...record, outcome }])
      return answer(reply, channel)
    }
    const record = { ...unread, noticeId, kind, outTradeNo: notice.payment.outTradeNo }
    if (notice.payment.state !== 'paid') return refuse(reply, channel, record, 'not paid')
    const outcome = await gatherer.add({ notice, record, now })
    reachStep('notice committed')
    if (outcome === 'settled' || outcome === 'repeated') return answer(reply, channel)
    // Signed by the provider, and kept with its outcome already: somebody has to look at it.
    log.error({ outTradeNo: record.outTradeNo, outcome }, 'a verified notice does not fit its payment')
    return answer(reply, channel, outcome)
  }

  await app.register(async (scope) => {
    // Signatures are over the bytes as they came.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    // What went wrong on our side is told again later.
    scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const status = error.statusCode ?? 500
      if (status >= 500) log.error({ err: error, reference: request.id }, 'a payment notice was not settled')
      return reply.status(status).send({ code: 'FAIL', message: 'not taken' })
    })
    scope.post('/notify/:channelId', { bodyLimit: bodyLimitBytes }, take)
  })
}

/** Answers in the provider's format: taken, or why not. */
function answer(reply: FastifyReply, channel: OpenChannel, refusal?: string): FastifyReply {
  const { status, body } = channel.adapter.noticeAnswer(refusal === undefined, refusal ?? '')
  return reply.status(status).send(body ?? undefined)
}

async function channelOf({ channels, db }: PaymentServices, id: string): Promise<OpenChannel | undefined> {
  return /^\d{1,15}$/.test(id) ? channels.open(db, Number(id)) : undefined
}
