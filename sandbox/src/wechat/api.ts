import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wechatTime, type WechatBook } from './book.ts'
import type { FaultBook, FaultMoment, WechatFaults } from './faults.ts'
import { platformKeysOf, type WechatMerchant } from './merchant.ts'
import {
  AskedRefund,
  DirectClose,
  DirectOrder,
  PartnerClose,
  PartnerOrder,
  readBody,
  WechatError,
} from './request-rules.ts'
import { checkRequest, sealResource, signedHeaders } from './signatures.ts'
import type { Till } from './till.ts'
import { refundAnswered, transactionOf } from './told.ts'

/** A request that came, and what became of it. */
export interface ReceivedRequest {
  method: string
  path: string
  /** The key by which the answer was to be signed. */
  keyAsked: string
  /** `right`, or why the signature was refused. */
  signature: string
  status: number
  code: string
}

export interface ApiParts {
  book: WechatBook
  till: Till
  faultBook: FaultBook
  /** The newest last. */
  requests: ReceivedRequest[]
  payerUrl(prepayId: string): string
}

interface Call {
  merchant: WechatMerchant
  /** The number in the path. */
  number: string
  query: URLSearchParams
  body: string
  faults: WechatFaults
}
interface Answer {
  status: number
  json: unknown
  /** Of a refusal. */
  code?: string
}

const requestsKept = 500
const yearMs = 365 * 86_400_000

/** Mounts the calls of WeChat Pay v3 that we use, of direct merchants and of service providers. */
export function mountApi(app: FastifyInstance, parts: ApiParts): void {
  const { book, till } = parts
  const route = (method: 'GET' | 'POST', url: string, moment: FaultMoment, work: (call: Call) => Answer) =>
    app.route({
      method,
      url,
      handler: (request, reply) => serve(parts, request, reply, moment, work),
    })

  for (const mode of ['direct', 'partner'] as const) {
    const base = mode === 'direct' ? '/v3/pay/transactions' : '/v3/pay/partner/transactions'
    const readOrder = (body: string) =>
      mode === 'direct' ? readBody(DirectOrder, body) : readBody(PartnerOrder, body)
    const find = ({ merchant, number }: Call, names: { mchId: string; subMchId: string }) => {
      if (names.mchId !== merchant.mchId) throw new WechatError(400, 'MCH_NOT_EXISTS')
      return till.find(merchant, number, names.subMchId)
    }
    route('POST', `${base}/jsapi`, 'prepare', ({ merchant, body }) => {
      const { prepayId } = till.prepare(merchant, readOrder(body), body, 'JSAPI')
      return { status: 200, json: { prepay_id: prepayId } }
    })
    route('POST', `${base}/native`, 'prepare', ({ merchant, body }) => {
      const { prepayId } = till.prepare(merchant, readOrder(body), body, 'NATIVE')
      return { status: 200, json: { code_url: parts.payerUrl(prepayId) } }
    })
    route('GET', `${base}/out-trade-no/:number`, 'query', (call) => {
      const names =
        mode === 'direct'
          ? { mchId: call.query.get('mchid') ?? '', subMchId: '' }
          : { mchId: call.query.get('sp_mchid') ?? '', subMchId: call.query.get('sub_mchid') ?? '' }
      return { status: 200, json: transactionOf(book, find(call, names)) }
    })
    route('POST', `${base}/out-trade-no/:number/close`, 'close', (call) => {
      const names =
        mode === 'direct'
          ? { mchId: readBody(DirectClose, call.body).mchid, subMchId: '' }
          : partnerNames(readBody(PartnerClose, call.body))
      till.close(find(call, names))
      return { status: 204, json: null }
    })
  }
  route('POST', '/v3/refund/domestic/refunds', 'refund', ({ merchant, body, faults }) => ({
    status: 200,
    json: refundAnswered(book, till.refund(merchant, readBody(AskedRefund, body), body, faults)),
  }))
  route('GET', '/v3/refund/domestic/refunds/:number', 'queryRefund', ({ merchant, number, query }) => ({
    status: 200,
    json: refundAnswered(book, till.findRefund(merchant, number, query.get('sub_mchid') ?? '')),
  }))
  route('GET', '/v3/certificates', 'certificates', ({ merchant }) => ({
    status: 200,
    json: { data: certificatesOf(merchant) },
  }))
}

const partnerNames = (names: { sp_mchid: string; sub_mchid: string }) => ({
  mchId: names.sp_mchid,
  subMchId: names.sub_mchid,
})

/** A merchant that has a public key of WeChat's has no certificates. */
function certificatesOf(merchant: WechatMerchant) {
  const now = Date.now()
  const certificates = platformKeysOf(merchant).flatMap((key) =>
    key.platformCertificatePem === null
      ? []
      : {
          serial_no: key.platformSerial,
          effective_time: wechatTime(now),
          expire_time: wechatTime(now + yearMs),
          encrypt_certificate: sealResource(key.platformCertificatePem, merchant.apiV3Key, 'certificate'),
        },
  )
  if (certificates.length === 0) throw new WechatError(404, 'RESOURCE_NOT_EXISTS')
  return certificates
}

/** Checks a request as WeChat would, does its work, and answers signed; or misbehaves as it was told to. */
async function serve(
  parts: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
  moment: FaultMoment,
  work: (call: Call) => Answer,
): Promise<FastifyReply> {
  const { book, faultBook, requests } = parts
  const url = request.raw.url ?? ''
  const body = typeof request.body === 'string' ? request.body : ''
  const { method } = request
  const verdict = checkRequest(
    { method, url, body, authorization: request.headers.authorization },
    book.merchants,
    Date.now(),
  )
  const received: ReceivedRequest = {
    method,
    path: url,
    keyAsked: String(request.headers['wechatpay-serial'] ?? ''),
    signature: verdict.accepted ? 'right' : verdict.message,
    status: 200,
    code: '',
  }
  requests.push(received)
  if (requests.length > requestsKept) requests.shift()
  const note = (status: number, code = '') => Object.assign(received, { status, code })
  if (!verdict.accepted) {
    note(verdict.status, verdict.code)
    return reply.status(verdict.status).send({ code: verdict.code, message: verdict.message })
  }
  const { merchant } = verdict
  const { number = '' } = request.params as { number?: string }
  const faults = faultBook.strike(moment, number, ...numbersIn(body))
  const query = new URL(url, 'http://wechat').searchParams
  const answer = faults.loseRequests
    ? failure(0, 'LOST')
    : faults.tooManyCalls
      ? failure(429, 'FREQUENCY_LIMITED')
      : faults.systemError
        ? failure(500, 'SYSTEM_ERROR')
        : attempt(() => {
            checkHeaders(request)
            return work({ merchant, number, query, body, faults })
          })
  book.save()
  note(answer.status, answer.code)
  if (faults.answerDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.answerDelayMs))
  if (faults.loseRequests || faults.loseAnswers) {
    reply.raw.destroy()
    return reply.hijack()
  }
  return sendAnswer(request, reply, merchant, faults, answer)
}

const failure = (status: number, code: string, message = code): Answer => ({
  status,
  json: { code, message },
  code,
})

function attempt(work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    return error instanceof WechatError
      ? failure(error.status, error.code, error.message)
      : failure(500, 'SYSTEM_ERROR', String(error))
  }
}

/** Numbers of the order and the refund that a request is about, so that faults can be meant for them. */
const numbersIn = (body: string): string[] =>
  [...body.matchAll(/"out_(?:trade|refund)_no":"([^"]*)"/g)].map(([, number = '']) => number)

/** WeChat requires these of every request. */
function checkHeaders({ method, headers }: FastifyRequest): void {
  if (!/application\/json|\*\/\*/.test(headers.accept ?? ''))
    throw new WechatError(400, 'PARAM_ERROR', 'Accept must be application/json')
  if (!headers['user-agent']) throw new WechatError(400, 'PARAM_ERROR', 'User-Agent is required')
  if (method === 'POST' && !headers['content-type']?.startsWith('application/json'))
    throw new WechatError(400, 'PARAM_ERROR', 'Content-Type must be application/json')
}

/** Signs with the key the request named, else with the newest; refusals are not signed. */
function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  merchant: WechatMerchant,
  faults: WechatFaults,
  answer: Answer,
): FastifyReply {
  if (faults.garbledAnswers) return reply.type('text/html').send('<html>Please sign in</html>')
  const { status, json, code } = faults.errorAfterWork ? failure(500, 'SYSTEM_ERROR') : answer
  if (code !== undefined) return reply.status(status).send(json)
  const wished = request.headers['wechatpay-serial']
  const key = platformKeysOf(merchant).find(({ platformSerial }) => platformSerial === wished) ?? merchant
  const told = faults.wrongAmount && isPaid(json) ? { ...json, amount: { total: 1, currency: 'CNY' } } : json
  const body = told === null ? '' : JSON.stringify(told)
  reply.status(status).headers(signedHeaders(body, key, Date.now()))
  if (status === 204 && !faults.forgedAnswers) return reply.send()
  const sent = faults.forgedAnswers ? alter(body) : body
  return reply
    .status(status === 204 ? 200 : status)
    .type('application/json; charset=utf-8')
    .send(sent)
}

const isPaid = (json: unknown): json is { trade_state: string } =>
  typeof json === 'object' && json !== null && 'trade_state' in json && 'amount' in json

/** Changes what was signed into something that still reads well. */
const alter = (body: string) =>
  body === '' ? '{}' : body.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
