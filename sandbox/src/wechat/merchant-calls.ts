import { createSign, randomBytes } from 'node:crypto'
import type { WechatMerchant } from './merchant.ts'
import type { WechatSandbox } from './wechat-sandbox.ts'

/* What tests ask the played WeChat as its merchant. */

export interface Signed {
  merchant?: WechatMerchant
  scheme?: string
  mchId?: string
  serial?: string
  ageSeconds?: number
  /** What is signed in place of what is sent. */
  signedPath?: string
  signedBody?: string
  headers?: Record<string, string>
}

export const outTradeNo = 'KT261121031500000AAAA01'
export const orderPath = `/v3/pay/transactions/out-trade-no/${outTradeNo}`
export const jsapi = '/v3/pay/transactions/jsapi'

const refundOf = (change: object = {}) => ({
  out_trade_no: outTradeNo,
  out_refund_no: 'TK1',
  amount: { refund: 200, total: 500, currency: 'CNY' },
  ...change,
})

/** Calls of the merchant of a sandbox, of whichever runs when they are made. */
export function createMerchantCalls(sandbox: () => WechatSandbox) {
  /** Sends a request signed as WeChat's documents say, or not quite. */
  async function send(method: 'GET' | 'POST', url: string, body?: object, signed: Signed = {}) {
    const { merchant = sandbox().merchant, scheme = 'WECHATPAY2-SHA256-RSA2048' } = signed
    const text = body ? JSON.stringify(body) : ''
    const timestamp = Math.floor(Date.now() / 1000) - (signed.ageSeconds ?? 0)
    const nonce = randomBytes(16).toString('hex')
    const lines = [method, signed.signedPath ?? url, timestamp, nonce, signed.signedBody ?? text, '']
    const signature = createSign('RSA-SHA256').update(lines.join('\n')).sign(merchant.privateKeyPem, 'base64')
    const { mchId = merchant.mchId, serial = merchant.certSerialNumber } = signed
    const answer = await fetch(sandbox().url + url, {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `${scheme} mchid="${mchId}",nonce_str="${nonce}",timestamp="${timestamp}",serial_no="${serial}",signature="${signature}"`,
        ...signed.headers,
      },
      ...(body ? { body: text } : {}),
    })
    const told = await answer.text()
    return { status: answer.status, json: told ? JSON.parse(told) : null, headers: answer.headers }
  }

  const orderOf = (change: object = {}) => ({
    appid: sandbox().merchant.appId,
    mchid: sandbox().merchant.mchId,
    description: '<b>chair</b> 10 min',
    out_trade_no: outTradeNo,
    notify_url: 'http://127.0.0.1:9/notify',
    amount: { total: 500, currency: 'CNY' },
    payer: { openid: 'oPayer' },
    ...change,
  })
  const place = (change?: object) => send('POST', jsapi, orderOf(change))
  const refund = (change?: object) => send('POST', '/v3/refund/domestic/refunds', refundOf(change))

  return { send, orderOf, place, refund }
}
