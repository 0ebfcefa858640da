import Fastify from 'fastify'
import { mountApi, type ReceivedRequest } from './api.ts'
import { openBook, wechatTime } from './book.ts'
import { mountControl, type ControlledSandbox } from './control.ts'
import { createFaultBook } from './faults.ts'
import {
  createWechatMerchant,
  rotatePlatformKey,
  type MerchantToOpen,
  type WechatMerchant,
} from './merchant.ts'
import { createNotifier } from './notifier.ts'
import { mountPayer, payerPath } from './payer.ts'
import { WechatError } from './request-rules.ts'
import { mountSignIn } from './sign-in.ts'
import { isPaySigned } from './signatures.ts'
import { createTill, emptyOrder } from './till.ts'

export interface WechatSandbox extends ControlledSandbox {
  url: string
  /** The first of `merchants`: a direct merchant. */
  merchant: WechatMerchant
  merchants: readonly WechatMerchant[]
  /** Opens one more account; with `subMchIds` it is a service provider. */
  addMerchant(mchId: string, appId: string, options?: MerchantToOpen): WechatMerchant
  /** Address of the payer's page. */
  payerUrl(outTradeNo: string): string
  /** Knows an order that was paid before the sandbox began. */
  remember(order: { outTradeNo: string; transactionId: string; amountCents: number }): void
  stop(): Promise<void>
}

export interface WechatSandboxOptions {
  port: number
  host?: string
  /** Keeps merchants, orders and refunds; without it they are gone with the sandbox. */
  dataFile?: string
  /** Accounts opened before, in place of a new one: making keys takes longer than all else. */
  merchants?: readonly WechatMerchant[]
  /** How many times faster than WeChat's its pauses are. */
  timeFactor?: number
  /** Milliseconds a refund is under way. */
  refundMs?: number
  /** Milliseconds that an order has to be open for payment at least; a minute, as at WeChat's. */
  shortestExpiryMs?: number
  /** Orders it knows at most, with their refunds; the oldest of what is over is forgotten then. */
  mostOrders?: number
}

/** A day of a demo that is left running, and several times what it begins with; a few megabytes in its file. */
const defaultMostOrders = 20_000

const defaultTimes = { refundMs: 800, shortestExpiryMs: 60_000 }

/** Plays WeChat Pay v3 over HTTP: its formats, its checks, its codes, and on demand its bad days. */
export async function startWechatSandbox(options: WechatSandboxOptions): Promise<WechatSandbox> {
  const book = openBook({
    dataFile: options.dataFile,
    merchants: options.merchants,
    mostOrders: options.mostOrders ?? defaultMostOrders,
  })
  const [merchant] = book.merchants
  if (!merchant) throw new Error(`The simulated provider finds no merchant in ${options.dataFile}.`)
  const faultBook = createFaultBook()
  const notifier = createNotifier(book, faultBook, options.timeFactor ?? 1)
  const till = createTill(book, faultBook, notifier, {
    refundMs: options.refundMs ?? defaultTimes.refundMs,
    shortestExpiryMs: options.shortestExpiryMs ?? defaultTimes.shortestExpiryMs,
  })
  const requests: ReceivedRequest[] = []
  const app = Fastify({ logger: false, forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof WechatError ? error : new WechatError(500, 'SYSTEM_ERROR', String(error))
    return reply.status(known.status).send({ code: known.code, message: known.message })
  })

  const sandbox: WechatSandbox = {
    url: '',
    merchant,
    merchants: book.merchants,
    addMerchant(mchId, appId, merchantOptions) {
      const known = book.merchants.find((one) => one.mchId === mchId)
      if (known) return known
      const opened = createWechatMerchant(mchId, appId, merchantOptions)
      book.merchants.push(opened)
      book.save()
      return opened
    },
    faults: faultBook.everywhere,
    addFault: (rule) => faultBook.add(rule),
    clearFaults: () => faultBook.clear(),
    orders: book.orders,
    refunds: book.refunds,
    requests,
    notices: notifier.sent,
    pay: (outTradeNo) => till.pay(outTradeNo),
    payerUrl(outTradeNo) {
      const order = book.orders.get(outTradeNo)
      if (!order) throw new WechatError(404, 'ORDER_NOT_EXIST')
      return payerUrlOf(order.prepayId)
    },
    openPayWindow(parameters) {
      const payee = book.merchants.find(({ appId }) => appId === parameters['appId'])
      if (!payee || !isPaySigned(parameters, payee)) throw new WechatError(401, 'SIGN_ERROR')
      const prepayId = parameters['package']?.replace(/^prepay_id=/, '')
      const order = [...book.orders.values()].find((one) => one.prepayId === prepayId)
      if (order?.mchId !== payee.mchId) throw new WechatError(404, 'ORDER_NOT_EXIST')
      return payerUrlOf(order.prepayId)
    },
    releaseRefunds: () =>
      [...book.refunds.values()]
        .filter(({ status }) => status === 'PROCESSING')
        .forEach((refund) => till.endRefund(refund)),
    rotatePlatformKey(of = merchant) {
      rotatePlatformKey(of)
      book.save()
    },
    remember: ({ outTradeNo, transactionId, amountCents }) => {
      book.orders.set(outTradeNo, {
        ...emptyOrder,
        mchId: merchant.mchId,
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
      till.stop()
      await app.close()
      book.close()
    },
  }
  const payerUrlOf = (prepayId: string) => `${sandbox.url}${payerPath}/${prepayId}`

  mountApi(app, { book, till, faultBook, requests, payerUrl: payerUrlOf })
  mountPayer(app, book, till)
  mountSignIn(app, book)
  mountControl(app, sandbox)
  sandbox.url = await app.listen({ port: options.port, host: options.host ?? '127.0.0.1' })
  return sandbox
}
