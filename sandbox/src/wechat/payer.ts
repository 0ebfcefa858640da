import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WechatBook } from './book.ts'
import { payerPage, payerResult } from './payer-page.ts'
import { WechatError } from './request-rules.ts'
import type { Till } from './till.ts'

export const payerPath = '/sandbox/wechat/pay'

const results: Record<string, { zh: string; en: string }> = {
  none: { zh: '订单不存在', en: 'No such order' },
  paid: { zh: '支付成功', en: 'Paid. You can go back to the chair.' },
  cancelled: { zh: '已取消', en: 'Cancelled. Nothing was paid.' },
  CLOSED: { zh: '订单已关闭', en: 'The order is closed' },
  SUCCESS: { zh: '订单已支付', en: 'The order is paid already' },
  REFUND: { zh: '订单已退款', en: 'The order was refunded' },
}

/** Where a payer goes back to; only to a page. */
function returnAddress(request: FastifyRequest): string | undefined {
  const { redirect } = request.query as { redirect?: unknown }
  if (typeof redirect !== 'string' || !URL.canParse(redirect)) return undefined
  return /^https?:$/.test(new URL(redirect).protocol) ? redirect : undefined
}

/** The payer's page of an order, for JSAPI and for codes; `?redirect=` is where it leads in the end. */
export function mountPayer(app: FastifyInstance, book: WechatBook, till: Till): void {
  const show = (reply: FastifyReply, page: string, status = 200) =>
    reply.status(status).type('text/html; charset=utf-8').send(page)
  const showResult = (reply: FastifyReply, result: string, status = 200) =>
    show(reply, payerResult(results[result] ?? { zh: '无法支付', en: result }), status)
  const orderOf = (request: FastifyRequest) => {
    const { prepayId } = request.params as { prepayId: string }
    return [...book.orders.values()].find((order) => order.prepayId === prepayId)
  }

  app.get(`${payerPath}/:prepayId`, (request, reply) => {
    const order = orderOf(request)
    if (!order) return showResult(reply, 'none', 404)
    return order.state === 'NOTPAY'
      ? show(reply, payerPage(order, book.merchantOf(order).name))
      : showResult(reply, order.state)
  })
  app.post(`${payerPath}/:prepayId`, (request, reply) => {
    const order = orderOf(request)
    if (!order) return showResult(reply, 'none', 404)
    const pays = new URLSearchParams(String(request.body)).get('decision') === 'pay'
    if (pays) {
      try {
        till.pay(order.outTradeNo)
      } catch (error) {
        if (!(error instanceof WechatError)) throw error
        return showResult(reply, order.state === 'NOTPAY' ? error.message : order.state, 409)
      }
    }
    const back = returnAddress(request)
    return back ? reply.redirect(back, 303) : showResult(reply, pays ? 'paid' : 'cancelled')
  })
}
