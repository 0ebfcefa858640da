import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ReceivedRequest } from './api.ts'
import type { WechatOrder, WechatRefund } from './book.ts'
import { FaultRule, SomeWechatFaults, type WechatFaults } from './faults.ts'
import type { WechatMerchant } from './merchant.ts'
import type { SentNotice } from './notifier.ts'
import { readBody } from './request-rules.ts'

const PayParameters = z.record(z.string(), z.string())

/** What can be seen of this WeChat, and made to happen to it. */
export interface ControlledSandbox {
  /** What goes wrong everywhere; changed in place. */
  faults: WechatFaults
  /** What goes wrong for one order or refund, with one kind of call, or the next few times. */
  addFault(rule: FaultRule): void
  clearFaults(): void
  orders: ReadonlyMap<string, WechatOrder>
  refunds: ReadonlyMap<string, WechatRefund>
  /** Requests that came, with the verdict on their signatures; the newest last. */
  requests: readonly ReceivedRequest[]
  /** Notices that were sent, with the status they were answered by. */
  notices: readonly SentNotice[]
  /** A customer pays. @throws when the order cannot be paid */
  pay(outTradeNo: string): void
  /** What WeChat's window does with a page's parameters; answers the payer's page. @throws when they are not signed right */
  openPayWindow(parameters: Record<string, string>): string
  /** Ends refunds that were held. */
  releaseRefunds(): void
  /** Signs with a new certificate from now on. */
  rotatePlatformKey(merchant?: WechatMerchant): void
}

/** The strings under `/sandbox/wechat`: what a test or a person pulls to make this WeChat do something. */
export function mountControl(app: FastifyInstance, sandbox: ControlledSandbox): void {
  const base = '/sandbox/wechat'
  const bodyOf = (body: unknown) => (typeof body === 'string' ? body : '')

  app.get(`${base}/orders`, () => [...sandbox.orders.values()])
  app.get(`${base}/refunds`, () => [...sandbox.refunds.values()])
  app.get(`${base}/requests`, () => sandbox.requests)
  app.get(`${base}/notices`, () => sandbox.notices)
  app.get(`${base}/faults`, () => sandbox.faults)
  app.put(`${base}/faults`, (request) =>
    Object.assign(sandbox.faults, readBody(SomeWechatFaults, bodyOf(request.body))),
  )
  app.post(`${base}/faults`, (request, reply) => {
    sandbox.addFault(readBody(FaultRule, bodyOf(request.body)))
    return reply.status(204).send()
  })
  app.delete(`${base}/faults`, (_request, reply) => {
    sandbox.clearFaults()
    return reply.status(204).send()
  })
  app.post<{ Params: { outTradeNo: string } }>(`${base}/orders/:outTradeNo/pay`, (request, reply) => {
    sandbox.pay(request.params.outTradeNo)
    return reply.status(204).send()
  })
  app.post(`${base}/refunds/release`, (_request, reply) => {
    sandbox.releaseRefunds()
    return reply.status(204).send()
  })
  app.post(`${base}/keys/rotate`, (_request, reply) => {
    sandbox.rotatePlatformKey()
    return reply.status(204).send()
  })
  app.post(`${base}/window`, (request) => ({
    url: sandbox.openPayWindow(readBody(PayParameters, bodyOf(request.body))),
  }))
}
