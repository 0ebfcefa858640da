import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { FaultRule, SomeWechatFaults } from './faults.ts'
import { readBody } from './request-rules.ts'
import type { WechatSandbox } from './wechat-sandbox.ts'

const PayParameters = z.record(z.string(), z.string())

/** The strings under `/sandbox/wechat`: what a test or a person pulls to make this WeChat do something. */
export function mountControl(app: FastifyInstance, sandbox: WechatSandbox): void {
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
