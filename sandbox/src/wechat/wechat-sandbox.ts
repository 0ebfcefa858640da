import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import { openBook, wechatTime, type WechatBook, type WechatOrder, type WechatRefund } from './book.ts'
import { goodDay, type WechatFaults } from './faults.ts'
import type { WechatMerchant } from './merchant.ts'
import { createNotifier, refundOf, transactionOf, type Notifier } from './notifier.ts'
import { payerPage, payerResult } from './payer-page.ts'
import { checkRequest, sealResource, signedHeaders } from './signatures.ts'

export interface WechatSandbox {
  url: string
  merchant: WechatMerchant
  /** Changed in place. */
  faults: WechatFaults
  orders: ReadonlyMap<string, WechatOrder>
  refunds: ReadonlyMap<string, WechatRefund>
  /** A customer pays. @throws when the order cannot be paid */
  pay(outTradeNo: string): void
  /** Ends refunds that were held. */
  releaseRefunds(): void
  /** Knows an order that was paid before the sandbox began. */
  remember(order: { outTradeNo: string; transactionId: string; amountCents: number }): void
  stop(): Promise<void>
}

export interface WechatSandboxOptions {
  port: number
  host?: string
  dataFile?: string
  /** How many times faster than WeChat's its pauses are. */
  timeFactor?: number
  /** Milliseconds a refund is under way. */
  refundMs?: number
}

const common = {
  appid: z.string(),
  mchid: z.string(),
  description: z.string().min(1).max(127),
  out_trade_no: z.string().regex(/^[0-9A-Za-z_\-|*]{6,32}$/),
  time_expire: z.iso.datetime({ offset: true }).optional(),
  notify_url: z
    .url()
    .max(255)
    .refine((url) => !url.includes('?')),
  amount: z.object({ total: z.int().min(1), currency: z.literal('CNY').optional() }),
}
const JsapiOrder = z.object({ ...common, payer: z.object({ openid: z.string().min(1) }) })
const NativeOrder = z.object(common)
const RefundOrder = z.object({
  out_trade_no: z.string(),
  out_refund_no: z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/),
  reason: z.string().max(80).optional(),
  notify_url: z.url().max(256).optional(),
  amount: z.object({ refund: z.int().min(1), total: z.int().min(1), currency: z.literal('CNY') }),
})

class WechatError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message = code) {
    super(message)
    this.status = status
    this.code = code
  }
}

const digits = (length: number) => [...randomBytes(length)].map((byte) => byte % 10).join('')

/** Plays WeChat Pay v3 over HTTP: its formats, its checks, its codes, and on demand its bad days. */
export async function startWechatSandbox(options: WechatSandboxOptions): Promise<WechatSandbox> {
  const book = openBook(options.dataFile)
  const faults = goodDay()
  const notifier = createNotifier(book, faults, options.timeFactor ?? 1)
  const app = Fastify({ logger: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof WechatError ? error : new WechatError(500, 'SYSTEM_ERROR', String(error))
    return reply.status(known.status).send({ code: known.code, message: known.message })
  })
  const context: Context = { book, faults, notifier, refundMs: options.refundMs ?? 800, timers: new Set() }
  mountApi(app, context)
  mountPayer(app, context)
  const url = await app.listen({ port: options.port, host: options.host ?? '127.0.0.1' })
  context.baseUrl = url
  return {
    url,
    merchant: book.merchant,
    faults,
    orders: book.orders,
    refunds: book.refunds,
    pay: (outTradeNo) => pay(context, outTradeNo),
    releaseRefunds: () =>
      [...book.refunds.values()]
        .filter(({ status }) => status === 'PROCESSING')
        .forEach((refund) => endRefund(context, refund)),
    remember: ({ outTradeNo, transactionId, amountCents }) => {
      book.orders.set(outTradeNo, {
        ...emptyOrder,
        outTradeNo,
        transactionId,
        amountCents,
        state: 'SUCCESS',
        successTime: wechatTime(Date.now()),
      })
      book.save()
    },
    async stop() {
      notifier.stop()
      for (const timer of context.timers) clearTimeout(timer)
      await app.close()
    },
  }
}

interface Context {
  book: WechatBook
  faults: WechatFaults
  notifier: Notifier
  refundMs: number
  timers: Set<NodeJS.Timeout>
  baseUrl?: string
}

const emptyOrder: WechatOrder = {
  outTradeNo: '',
  transactionId: '',
  prepayId: '',
  state: 'NOTPAY',
  amountCents: 0,
  description: '',
  notifyUrl: '',
  openId: 'oSandboxPayer0000000000000001',
  tradeType: 'JSAPI',
  asked: '',
  expiresAt: 0,
  successTime: '',
  refundedCents: 0,
}

function parse<Wire>(schema: z.ZodType<Wire>, body: string): Wire {
  const parsed = schema.safeParse(JSON.parse(body || '{}'))
  if (!parsed.success) throw new WechatError(400, 'PARAM_ERROR', parsed.error.issues[0]?.message)
  return parsed.data
}

function mountApi(app: FastifyInstance, context: Context): void {
  const { book, faults } = context
  const route = (
    method: 'GET' | 'POST',
    path: string,
    work: (request: FastifyRequest, body: string) => { status: number; json: unknown },
  ) => {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : ''
        const { authorization } = request.headers
        const verdict = checkRequest(
          { method, url: request.raw.url ?? '', body, authorization },
          book.merchant,
          Date.now(),
        )
        if (!verdict.accepted) throw new WechatError(verdict.status, verdict.code, verdict.message)
        if (faults.systemError) throw new WechatError(500, 'SYSTEM_ERROR')
        const { status, json } = work(request, body)
        book.save()
        if (faults.loseAnswers) return dropConnection(reply)
        return answer(reply, context, status, json)
      },
    })
  }

  route('POST', '/v3/pay/transactions/jsapi', (_request, body) => {
    const asked = parse(JsapiOrder, body)
    const order = prepare(context, asked, body, 'JSAPI', asked.payer.openid)
    return { status: 200, json: { prepay_id: order.prepayId } }
  })
  route('POST', '/v3/pay/transactions/native', (_request, body) => {
    const order = prepare(context, parse(NativeOrder, body), body, 'NATIVE', emptyOrder.openId)
    return { status: 200, json: { code_url: `${context.baseUrl}/payer/${order.prepayId}` } }
  })
  route('GET', '/v3/pay/transactions/out-trade-no/:outTradeNo', (request) => {
    const { outTradeNo } = request.params as { outTradeNo: string }
    const order = book.orders.get(outTradeNo)
    if (!order) throw new WechatError(404, 'ORDER_NOT_EXIST')
    return { status: 200, json: transactionOf(book, order) }
  })
  route('POST', '/v3/pay/transactions/out-trade-no/:outTradeNo/close', (request, body) => {
    const { outTradeNo } = request.params as { outTradeNo: string }
    if (parse(z.object({ mchid: z.string() }), body).mchid !== book.merchant.mchId)
      throw new WechatError(400, 'MCH_NOT_EXISTS')
    const order = book.orders.get(outTradeNo)
    if (!order) throw new WechatError(404, 'ORDER_NOT_EXIST')
    if (order.state !== 'NOTPAY' && order.state !== 'CLOSED') throw new WechatError(400, 'ORDERPAID')
    order.state = 'CLOSED'
    return { status: 204, json: null }
  })
  route('POST', '/v3/refund/domestic/refunds', (_request, body) => ({
    status: 200,
    json: refundOf(book, refund(context, parse(RefundOrder, body), body), false),
  }))
  route('GET', '/v3/refund/domestic/refunds/:outRefundNo', (request) => {
    const known = book.refunds.get((request.params as { outRefundNo: string }).outRefundNo)
    if (!known) throw new WechatError(404, 'RESOURCE_NOT_EXISTS')
    return { status: 200, json: refundOf(book, known, false) }
  })
  route('GET', '/v3/certificates', () => ({
    status: 200,
    json: {
      data: [
        {
          serial_no: book.merchant.platformSerial,
          effective_time: wechatTime(Date.now()),
          expire_time: wechatTime(Date.now() + 86_400_000 * 365),
          encrypt_certificate: sealResource(
            book.merchant.platformPublicKeyPem,
            book.merchant.apiV3Key,
            'certificate',
          ),
        },
      ],
    },
  }))
}

function dropConnection(reply: FastifyReply): FastifyReply {
  reply.raw.destroy()
  return reply.hijack()
}

function answer(reply: FastifyReply, { book, faults }: Context, status: number, json: unknown): FastifyReply {
  const body = json === null ? '' : JSON.stringify(json)
  reply.status(status).headers(signedHeaders(body, book.merchant, Date.now()))
  const sent = faults.forgedAnswers ? body.replace(/\d/, '9') : body
  return status === 204 ? reply.send() : reply.type('application/json; charset=utf-8').send(sent)
}

function prepare(
  { book }: Context,
  asked: z.output<typeof NativeOrder>,
  body: string,
  tradeType: WechatOrder['tradeType'],
  openId: string,
): WechatOrder {
  if (asked.mchid !== book.merchant.mchId || asked.appid !== book.merchant.appId)
    throw new WechatError(400, 'APPID_MCHID_NOT_MATCH')
  const known = book.orders.get(asked.out_trade_no)
  if (known?.state === 'CLOSED') throw new WechatError(400, 'ORDER_CLOSED')
  if (known && (known.state !== 'NOTPAY' || known.asked !== body))
    throw new WechatError(403, 'OUT_TRADE_NO_USED')
  const order: WechatOrder = {
    ...emptyOrder,
    outTradeNo: asked.out_trade_no,
    prepayId: known?.prepayId ?? `wx${digits(34)}`,
    amountCents: asked.amount.total,
    description: asked.description,
    notifyUrl: asked.notify_url,
    openId,
    tradeType,
    asked: body,
    expiresAt: asked.time_expire ? Date.parse(asked.time_expire) : Date.now() + 7 * 86_400_000,
  }
  book.orders.set(order.outTradeNo, order)
  return order
}

function pay({ book, notifier }: Context, outTradeNo: string): void {
  const order = book.orders.get(outTradeNo)
  if (!order) throw new WechatError(404, 'ORDER_NOT_EXIST')
  if (order.state !== 'NOTPAY') throw new WechatError(400, 'ORDER_CLOSED', `the order is ${order.state}`)
  if (order.expiresAt < Date.now()) throw new WechatError(400, 'ORDER_CLOSED', 'the order has expired')
  Object.assign(order, {
    state: 'SUCCESS',
    transactionId: `42000${digits(23)}`,
    successTime: wechatTime(Date.now()),
  })
  book.save()
  notifier.paid(order)
}

function refund(context: Context, asked: z.output<typeof RefundOrder>, body: string): WechatRefund {
  const { book, faults } = context
  const known = book.refunds.get(asked.out_refund_no)
  if (known) {
    if (known.asked !== body)
      throw new WechatError(400, 'INVALID_REQUEST', 'the same number with other parameters')
    return known
  }
  if (faults.refuseRefunds) throw new WechatError(403, faults.refuseRefunds)
  const order = book.orders.get(asked.out_trade_no)
  if (!order || (order.state !== 'SUCCESS' && order.state !== 'REFUND'))
    throw new WechatError(404, 'RESOURCE_NOT_EXISTS')
  if (
    asked.amount.total !== order.amountCents ||
    order.refundedCents + asked.amount.refund > order.amountCents
  )
    throw new WechatError(400, 'INVALID_REQUEST', 'more than what is left')
  const made: WechatRefund = {
    refundId: `50000${digits(24)}`,
    outRefundNo: asked.out_refund_no,
    outTradeNo: order.outTradeNo,
    status: 'PROCESSING',
    refundCents: asked.amount.refund,
    notifyUrl: asked.notify_url ?? '',
    asked: body,
    createTime: wechatTime(Date.now()),
    successTime: '',
  }
  order.refundedCents += made.refundCents
  order.state = 'REFUND'
  book.refunds.set(made.outRefundNo, made)
  if (!faults.holdRefunds) {
    const timer = setTimeout(() => {
      context.timers.delete(timer)
      endRefund(context, made)
    }, context.refundMs)
    context.timers.add(timer)
  }
  return made
}

function endRefund({ book, faults, notifier }: Context, made: WechatRefund): void {
  made.status = faults.refundEnd
  if (made.status === 'SUCCESS') made.successTime = wechatTime(Date.now())
  book.save()
  if (made.notifyUrl) notifier.refunded(made)
}

function mountPayer(app: FastifyInstance, context: Context): void {
  const { book } = context
  const html = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page)
  const orderOf = (request: FastifyRequest) => {
    const { prepayId } = request.params as { prepayId: string }
    return [...book.orders.values()].find((order) => order.prepayId === prepayId)
  }
  app.get('/payer/:prepayId', (request, reply) => {
    const order = orderOf(request)
    if (!order) return html(reply.status(404), payerResult({ zh: '订单不存在', en: 'No such order' }))
    return html(
      reply,
      order.state === 'NOTPAY'
        ? payerPage(order)
        : payerResult({ zh: '订单已处理', en: `The order is ${order.state}` }),
    )
  })
  app.post('/payer/:prepayId', (request, reply) => {
    const order = orderOf(request)
    if (!order) return html(reply.status(404), payerResult({ zh: '订单不存在', en: 'No such order' }))
    if (new URLSearchParams(String(request.body)).get('decision') !== 'pay')
      return html(reply, payerResult({ zh: '已取消', en: 'Cancelled' }))
    try {
      pay(context, order.outTradeNo)
    } catch (error) {
      return html(
        reply,
        payerResult({ zh: '无法支付', en: error instanceof Error ? error.message : 'Not possible' }),
      )
    }
    return html(reply, payerResult({ zh: '支付成功', en: 'Paid. You can go back to the chair.' }))
  })
  app.get('/connect/oauth2/authorize', (request, reply) => {
    const query = request.query as { redirect_uri: string; state: string }
    const code = randomBytes(16).toString('hex')
    book.openIds.set(code, `o${randomBytes(13).toString('hex')}`)
    return reply.redirect(`${query.redirect_uri}?${new URLSearchParams({ code, state: query.state })}`)
  })
  app.get('/sns/oauth2/access_token', (request) => {
    const { code = '', secret, appid } = request.query as Record<string, string>
    const openid = book.openIds.get(code)
    if (appid !== book.merchant.appId || secret !== book.merchant.appSecret)
      return { errcode: 40125, errmsg: 'invalid appsecret' }
    if (!openid) return { errcode: 40029, errmsg: 'invalid code' }
    book.openIds.delete(code)
    return { access_token: randomBytes(20).toString('hex'), expires_in: 7200, openid, scope: 'snsapi_base' }
  })
}
