import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import {
  notSupported,
  type Outcome,
  type PaymentAdapter,
  type PaymentState,
  type PrepareRequest,
  type Prepared,
} from '../payment-adapter.ts'
import { createWechatClient, type WechatAnswer } from './wechat-client.ts'
import { checkWechatNotice, isOurs } from './wechat-notice.ts'
import type { WechatSettings } from './wechat-settings.ts'
import { newNonce, paySignText, sign } from './wechat-signing.ts'
import { paymentStateOf, Refund, refundStateOf, Transaction } from './wechat-wire.ts'

const descriptionMax = 127
const reasonMax = 80

/** Turns an answer into an outcome; what does not read as expected is unknown, never refused. */
function outcomeOf<Wire, Result>(
  answer: WechatAnswer,
  wire: z.ZodType<Wire>,
  result: (read: Wire) => Result,
): Outcome<Result> {
  if (answer.kind === 'refused') return { outcome: 'refused', code: answer.code, reason: answer.message }
  if (answer.kind === 'unknown') return { outcome: 'unknown', reason: answer.reason }
  const read = wire.safeParse(answer.json)
  return read.success
    ? { outcome: 'accepted', result: result(read.data) }
    : { outcome: 'unknown', reason: 'the answer does not read as expected' }
}

const shorten = (text: string, max: number) => [...text].slice(0, max).join('')

/** WeChat Pay v3, as a direct merchant or as a service provider. */
export function createWechatAdapter(settings: WechatSettings): PaymentAdapter {
  const client = createWechatClient(settings)
  const privateKey = createPrivateKey(settings.privateKeyPem)
  const { partner } = settings
  const base = partner ? '/v3/pay/partner/transactions' : '/v3/pay/transactions'
  const self: Record<string, string> = partner
    ? { sp_mchid: settings.mchId, sub_mchid: partner.subMchId }
    : { mchid: settings.mchId }
  const selfAndApp = partner ? { ...self, sp_appid: settings.appId } : { ...self, appid: settings.appId }
  const selfQuery = new URLSearchParams(self).toString()

  const payParameters = (prepayId: string): Record<string, string> => {
    const timeStamp = String(Math.floor(Date.now() / 1000))
    const nonceStr = newNonce()
    const prepay = `prepay_id=${prepayId}`
    const paySign = sign(paySignText(settings.appId, timeStamp, nonceStr, prepay), privateKey)
    return { appId: settings.appId, timeStamp, nonceStr, package: prepay, signType: 'RSA', paySign }
  }

  const prepare = async (request: PrepareRequest): Promise<Outcome<Prepared>> => {
    const body = {
      ...selfAndApp,
      description: shorten(request.description, descriptionMax),
      out_trade_no: request.outTradeNo,
      time_expire: request.expiresAt.toISOString().replace(/\.\d{3}Z$/, '+00:00'),
      notify_url: request.notifyUrl,
      amount: { total: request.amountCents, currency: 'CNY' },
    }
    if (request.trade.kind === 'native') {
      const answer = await client.call('POST', `${base}/native`, body)
      return outcomeOf(answer, z.object({ code_url: z.string() }), ({ code_url }) => ({
        kind: 'native',
        codeUrl: code_url,
      }))
    }
    const { openId } = request.trade
    const payer = partner ? { sp_openid: openId } : { openid: openId }
    const answer = await client.call('POST', `${base}/jsapi`, { ...body, payer })
    return outcomeOf(answer, z.object({ prepay_id: z.string() }), ({ prepay_id }) => ({
      kind: 'jsapi',
      parameters: payParameters(prepay_id),
    }))
  }

  return {
    prepare,
    async query(outTradeNo) {
      const answer = await client.call('GET', `${base}/out-trade-no/${outTradeNo}?${selfQuery}`)
      if (answer.kind === 'refused' && answer.code === 'ORDER_NOT_EXIST') {
        const nothing: PaymentState = {
          state: 'notFound',
          outTradeNo,
          transactionId: '',
          amountCents: 0,
          paidAt: null,
          payerId: null,
        }
        return { outcome: 'accepted', result: nothing }
      }
      if (answer.kind === 'answer') {
        const read = Transaction.safeParse(answer.json)
        if (read.success && (read.data.out_trade_no !== outTradeNo || !isOurs(read.data, settings))) {
          return { outcome: 'unknown', reason: 'the answer is about something else' }
        }
      }
      return outcomeOf(answer, Transaction, paymentStateOf)
    },
    async close(outTradeNo) {
      const answer = await client.call('POST', `${base}/out-trade-no/${outTradeNo}/close`, self)
      return outcomeOf(answer, z.null(), () => null)
    },
    async refund(request) {
      const answer = await client.call('POST', '/v3/refund/domestic/refunds', {
        ...(partner ? { sub_mchid: partner.subMchId } : {}),
        out_trade_no: request.outTradeNo,
        out_refund_no: request.outRefundNo,
        reason: shorten(request.reason, reasonMax) || undefined,
        notify_url: request.notifyUrl,
        amount: { refund: request.refundCents, total: request.totalCents, currency: 'CNY' },
      })
      return outcomeOf(answer, Refund, refundStateOf)
    },
    async queryRefund(outRefundNo) {
      const suffix = partner ? `?sub_mchid=${partner.subMchId}` : ''
      const answer = await client.call('GET', `/v3/refund/domestic/refunds/${outRefundNo}${suffix}`)
      if (answer.kind === 'refused' && answer.code === 'RESOURCE_NOT_EXISTS') {
        return {
          outcome: 'accepted',
          result: { state: 'notFound', outRefundNo, providerRefundId: '', refundCents: 0, reason: '' },
        }
      }
      return outcomeOf(answer, Refund, refundStateOf)
    },
    share: notSupported,
    payOut: notSupported,
    billOfDay: notSupported,
    parseNotice: (notice) => checkWechatNotice(notice, settings, client),
    noticeAnswer: (taken, message) =>
      taken ? { status: 204, body: null } : { status: 400, body: { code: 'FAIL', message } },
  }
}
