import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { type Outcome, type PaymentAdapter, type PaymentState, type RefundState } from '../payment-adapter.ts'
import { createWechatClient, type WechatAnswer } from './wechat-client.ts'
import { isOurPayment, merchantNames, orderNames, refundNames } from './wechat-merchant.ts'
import { checkWechatNotice } from './wechat-notice.ts'
import type { WechatSettings } from './wechat-settings.ts'
import { newNonce, paySignText, sign } from './wechat-signing.ts'
import { isWhole, paymentStateOf, Refund, refundStateOf, Transaction } from './wechat-wire.ts'

const descriptionMax = 127
const reasonMax = 80

/** Turns an answer into an outcome; what does not read as expected, or is of something else, is unknown, never refused. */
function outcomeOf<Wire, Result>(
  answer: WechatAnswer,
  wire: z.ZodType<Wire>,
  result: (read: Wire) => Result,
  fits: (read: Wire) => boolean = () => true,
): Outcome<Result> {
  if (answer.kind === 'refused') return { outcome: 'refused', code: answer.code, reason: answer.message }
  if (answer.kind === 'unknown') return { outcome: 'unknown', reason: answer.reason }
  const read = wire.safeParse(answer.json)
  if (!read.success) return { outcome: 'unknown', reason: 'the answer does not read as expected' }
  return fits(read.data)
    ? { outcome: 'accepted', result: result(read.data) }
    : { outcome: 'unknown', reason: 'the answer is about something else' }
}

/** Of a refund: the merchant's balance is too low, or our own key or clock is wrong. Both are put right by somebody. */
const refusalsForNow = new Set(['NOT_ENOUGH', 'SIGN_ERROR'])

const shorten = (text: string, max: number) => [...text].slice(0, max).join('')

const noPayment = (outTradeNo: string): Outcome<PaymentState> => ({
  outcome: 'accepted',
  result: {
    state: 'notFound',
    outTradeNo,
    transactionId: '',
    amountCents: 0,
    paidAt: null,
    payerId: null,
  },
})

const noRefund = (outRefundNo: string): Outcome<RefundState> => ({
  outcome: 'accepted',
  result: {
    state: 'notFound',
    outRefundNo,
    providerRefundId: '',
    refundCents: 0,
    reason: '',
    succeededAt: null,
  },
})

/** What the page hands to WeChat's own window (reference 1.2). */
function payParametersOf(settings: WechatSettings, prepayId: string): Record<string, string> {
  const timeStamp = String(Math.floor(Date.now() / 1000))
  const nonceStr = newNonce()
  const prepay = `prepay_id=${prepayId}`
  const text = paySignText(settings.appId, timeStamp, nonceStr, prepay)
  const paySign = sign(text, createPrivateKey(settings.privateKeyPem))
  return { appId: settings.appId, timeStamp, nonceStr, package: prepay, signType: 'RSA', paySign }
}

const queryOf = (names: Record<string, string>): string => {
  const query = new URLSearchParams(names).toString()
  return query && `?${query}`
}

/**
 * WeChat Pay v3, as a direct merchant or as a service provider (`settings.partner`), whose payers are known by the
 * provider's own app.
 */
export function createWechatAdapter(settings: WechatSettings): PaymentAdapter {
  const client = createWechatClient(settings)
  const base = settings.partner ? '/v3/pay/partner/transactions' : '/v3/pay/transactions'
  const orderPath = (outTradeNo: string) => `${base}/out-trade-no/${encodeURIComponent(outTradeNo)}`
  const refundsPath = '/v3/refund/domestic/refunds'

  return {
    async prepare(request) {
      const { trade } = request
      const body = {
        ...orderNames(settings),
        description: shorten(request.description, descriptionMax),
        out_trade_no: request.outTradeNo,
        time_expire: request.expiresAt.toISOString().replace(/\.\d{3}Z$/, '+00:00'),
        notify_url: request.notifyUrl,
        amount: { total: request.amountCents, currency: 'CNY' },
      }
      if (trade.kind === 'native') {
        const answer = await client.call('POST', `${base}/native`, body)
        return outcomeOf(answer, z.object({ code_url: z.string().min(1) }), ({ code_url }) => ({
          kind: 'native',
          codeUrl: code_url,
        }))
      }
      const payer = settings.partner ? { sp_openid: trade.openId } : { openid: trade.openId }
      const answer = await client.call('POST', `${base}/jsapi`, { ...body, payer })
      return outcomeOf(answer, z.object({ prepay_id: z.string().min(1) }), ({ prepay_id }) => ({
        kind: 'jsapi',
        parameters: payParametersOf(settings, prepay_id),
      }))
    },

    async query(outTradeNo) {
      const answer = await client.call('GET', orderPath(outTradeNo) + queryOf(merchantNames(settings)))
      if (answer.kind === 'refused' && answer.code === 'ORDER_NOT_EXIST') return noPayment(outTradeNo)
      return outcomeOf(
        answer,
        Transaction,
        paymentStateOf,
        (told) => told.out_trade_no === outTradeNo && isOurPayment(told, settings) && isWhole(told),
      )
    },

    async close(outTradeNo) {
      const answer = await client.call('POST', `${orderPath(outTradeNo)}/close`, merchantNames(settings))
      return outcomeOf(answer, z.null(), () => null)
    },

    async refund(request) {
      const { outTradeNo, outRefundNo, refundCents, totalCents } = request
      const answer = await client.call('POST', refundsPath, {
        ...refundNames(settings),
        out_trade_no: outTradeNo,
        out_refund_no: outRefundNo,
        reason: shorten(request.reason, reasonMax) || undefined,
        notify_url: request.notifyUrl,
        amount: { refund: refundCents, total: totalCents, currency: 'CNY' },
      })
      const told = outcomeOf(
        answer,
        Refund,
        refundStateOf,
        (read) => read.out_refund_no === outRefundNo && read.out_trade_no === outTradeNo,
      )
      return told.outcome === 'refused' && refusalsForNow.has(told.code)
        ? { ...told, outcome: 'refusedForNow' }
        : told
    },

    async queryRefund(outRefundNo) {
      const path = `${refundsPath}/${encodeURIComponent(outRefundNo)}`
      const answer = await client.call('GET', path + queryOf(refundNames(settings)))
      if (answer.kind === 'refused' && answer.code === 'RESOURCE_NOT_EXISTS') return noRefund(outRefundNo)
      return outcomeOf(answer, Refund, refundStateOf, (told) => told.out_refund_no === outRefundNo)
    },

    parseNotice: (notice) => checkWechatNotice(notice, settings, client.keys),
    noticeAnswer: (taken, message) =>
      taken ? { status: 204, body: null } : { status: 400, body: { code: 'FAIL', message } },
  }
}
