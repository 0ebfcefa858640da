import { createSign, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMerchantCalls, jsapi, orderPath, outTradeNo, type Signed } from './merchant-calls.ts'
import { createWechatMerchant } from './merchant.ts'
import { startWechatSandbox, type WechatSandbox } from './wechat-sandbox.ts'

const merchants = [createWechatMerchant()]
let wechat: WechatSandbox
beforeEach(async () => {
  wechat = await startWechatSandbox({ port: 0, merchants, timeFactor: 1000, refundMs: 5 })
})
afterEach(() => wechat.stop())

const { send, orderOf, place, refund } = createMerchantCalls(() => wechat)
const control = (method: string, what: string, body?: object) =>
  fetch(`${wechat.url}/sandbox/wechat/${what}`, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  })

describe('a request', () => {
  it.each<[string, () => Signed]>([
    ['of another scheme', () => ({ scheme: 'WECHATPAY2-SHA256-RSA1024' })],
    ['of an unknown merchant', () => ({ mchId: '1900009999' })],
    ['with an unknown certificate', () => ({ serial: 'AN OLD ONE' })],
    ['six minutes old', () => ({ ageSeconds: 360 })],
    ['from six minutes ahead', () => ({ ageSeconds: -360 })],
    ['signed by another key', () => ({ merchant: createWechatMerchant() })],
    ['signed over another path', () => ({ signedPath: `${jsapi}?` })],
    ['signed over another body', () => ({ signedBody: '{}' })],
    ['without a signature', () => ({ headers: { authorization: '' } })],
  ])('%s is refused, and logged with the verdict', async (_, signed) => {
    const answer = await send('POST', jsapi, orderOf(), signed())
    expect(answer).toMatchObject({ status: 401, json: { code: 'SIGN_ERROR' } })
    expect(wechat.orders.size).toBe(0)
    expect(wechat.requests).toMatchObject([{ path: jsapi, status: 401, code: 'SIGN_ERROR' }])
    expect(wechat.requests[0]?.signature).not.toBe('right')
  })

  it.each<[string, object]>([
    ['out_trade_no', { out_trade_no: 'KT 1' }],
    ['out_trade_no', { out_trade_no: 'K'.repeat(33) }],
    ['description', { description: 'x'.repeat(128) }],
    ['notify_url', { notify_url: 'http://127.0.0.1/notify?channel=1' }],
    ['amount', { amount: { total: 0 } }],
    ['amount', { amount: { total: 1.5 } }],
    ['amount', { amount: { total: 1, currency: 'USD' } }],
    ['payer', { payer: undefined }],
    ['time_expire', { time_expire: new Date(Date.now() + 30_000).toISOString() }],
  ])('with a wrong %s is refused', async (field, change) => {
    const { status, json } = await place(change)
    expect([status, json.code]).toEqual([400, 'PARAM_ERROR'])
    expect(json.message).toContain(field)
  })

  it('that is not JSON, or comes without its headers, is refused', async () => {
    const notJson = await send('POST', jsapi, undefined, { signedBody: '' })
    expect(notJson).toMatchObject({ status: 400, json: { code: 'PARAM_ERROR' } })
    const picky = await send('POST', jsapi, orderOf(), { headers: { accept: 'text/html' } })
    expect(picky).toMatchObject({ status: 400, json: { code: 'PARAM_ERROR' } })
  })

  it('for another app or merchant is refused', async () => {
    expect(await place({ appid: 'wx1' })).toMatchObject({ json: { code: 'APPID_MCHID_NOT_MATCH' } })
    const stranger = wechat.addMerchant('1900000002', 'wx5a0d000000000002')
    await place()
    const { mchId } = stranger
    const query = await send('GET', `${orderPath}?mchid=${mchId}`, undefined, { merchant: stranger })
    expect(query).toMatchObject({ status: 404, json: { code: 'ORDER_NOT_EXIST' } })
  })

  it('of a service provider is for its own sub-merchants only', async () => {
    const merchant = wechat.addMerchant('1900000009', 'wx5a0d000000000009', { subMchIds: ['1900000109'] })
    const ask = (subMchId: string) => {
      const unnamed = { appid: undefined, mchid: undefined, payer: { sp_openid: 'oPayer' } }
      const names = { sp_appid: merchant.appId, sp_mchid: merchant.mchId, sub_mchid: subMchId }
      const body = orderOf({ ...unnamed, ...names })
      return send('POST', '/v3/pay/partner/transactions/jsapi', body, { merchant })
    }
    expect(await ask('1900000110')).toMatchObject({ status: 403, json: { code: 'NO_AUTH' } })
    expect(await ask('1900000109')).toMatchObject({ status: 200 })
  })
})

describe('an order', () => {
  it('is the same when asked for again, and used up when anything differs or it is paid', async () => {
    const first = await place()
    expect((await place()).json).toEqual(first.json)
    expect(await place({ description: 'y' })).toMatchObject({ json: { code: 'OUT_TRADE_NO_USED' } })
    wechat.pay(outTradeNo)
    expect(await place()).toMatchObject({ status: 403, json: { code: 'OUT_TRADE_NO_USED' } })
  })

  it('cannot be paid twice, nor when it is closed', async () => {
    await place()
    wechat.pay(outTradeNo)
    expect(() => wechat.pay(outTradeNo)).toThrow('SUCCESS')
    await place({ out_trade_no: 'KT000002' })
    const closePath = '/v3/pay/transactions/out-trade-no/KT000002/close'
    expect((await send('POST', closePath, { mchid: wechat.merchant.mchId })).status).toBe(204)
    expect(() => wechat.pay('KT000002')).toThrow('CLOSED')
  })
})

describe('a refund', () => {
  beforeEach(async () => {
    await place()
    wechat.pay(outTradeNo)
  })

  it('that is closed gives its part back to be refunded', async () => {
    Object.assign(wechat.faults, { refundEnd: 'CLOSED', holdRefunds: true })
    await refund({ amount: { refund: 500, total: 500, currency: 'CNY' } })
    expect(await refund({ out_refund_no: 'TK2' })).toMatchObject({ json: { code: 'INVALID_REQUEST' } })
    wechat.releaseRefunds()
    expect(wechat.refunds.get('TK1')?.status).toBe('CLOSED')
    expect(await refund({ out_refund_no: 'TK2' })).toMatchObject({ status: 200 })
  })

  it('can name the transaction in place of our number, and has to give the right total', async () => {
    const transactionId = wechat.orders.get(outTradeNo)?.transactionId
    const named = { out_trade_no: undefined, transaction_id: transactionId }
    expect(await refund(named)).toMatchObject({ status: 200, json: { out_trade_no: outTradeNo } })
    const wrong = { out_refund_no: 'TK3', amount: { refund: 1, total: 501, currency: 'CNY' } }
    expect(await refund(wrong)).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } })
  })
})

describe('faults', () => {
  it('strike one order, one kind of call, so many times', async () => {
    wechat.addFault({ moment: 'prepare', about: outTradeNo, times: 1, faults: { systemError: true } })
    expect((await place({ out_trade_no: 'KT000002' })).status).toBe(200)
    expect((await place()).status).toBe(500)
    expect((await place()).status).toBe(200)
  })

  it('are set and forgotten over HTTP, and misspelt ones are refused', async () => {
    expect((await control('PUT', 'faults', { tooManyCalls: true })).status).toBe(200)
    expect((await place()).status).toBe(429)
    expect((await control('PUT', 'faults', { tooManycalls: true })).status).toBe(400)
    expect((await control('POST', 'faults', { moment: 'query', faults: { systemError: true } })).status).toBe(
      204,
    )
    expect((await control('DELETE', 'faults')).status).toBe(204)
    expect((await place()).status).toBe(200)
  })
})

describe('a notice', () => {
  const came: string[] = []
  let statuses: number[] = []
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      came.push(JSON.parse(body).event_type)
      response.writeHead(statuses.shift() ?? 204).end()
    })
  })
  beforeEach(async () => {
    came.length = 0
    statuses = []
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await place({ notify_url: notifyUrl() })
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const notifyUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/n`

  it('is told again after anything but 200 and 204, and what it met is kept', async () => {
    statuses = [500, 302, 400, 200]
    wechat.pay(outTradeNo)
    await expect.poll(() => wechat.notices.map(({ status }) => status)).toEqual([500, 302, 400, 200])
    expect(new Set(wechat.notices.map(({ id }) => id)).size).toBe(1)
  })

  it('of the refund can come before the one of the payment', async () => {
    wechat.faults.refundNoticeFirst = true
    wechat.pay(outTradeNo)
    await refund({ notify_url: notifyUrl() })
    await expect.poll(() => came).toEqual(['REFUND.SUCCESS', 'TRANSACTION.SUCCESS'])
  })

  it('can be doubled, or never come', async () => {
    wechat.faults.noticeCopies = 2
    wechat.pay(outTradeNo)
    await expect.poll(() => came).toHaveLength(2)
    wechat.faults.silentNotices = true
    await refund({ notify_url: notifyUrl() })
    await expect.poll(() => wechat.refunds.get('TK1')?.status).toBe('SUCCESS')
    expect(came).toHaveLength(2)
  })
})

describe('the payer’s page', () => {
  const openPage = async (query = '') => {
    await place()
    return wechat.payerUrl(outTradeNo) + query
  }
  const decide = (url: string, decision: string) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `decision=${decision}`,
    })

  it('shows to whom, how much and what for, in two languages, as text', async () => {
    const page = await (await fetch(await openPage())).text()
    for (const words of ['Sandbox Merchant', '¥5.00', '立即支付', 'Pay', '取消', 'Cancel'])
      expect(page).toContain(words)
    expect(page).not.toContain('<b>chair')
  })

  it.each([
    ['pay', 'SUCCESS'],
    ['cancel', 'NOTPAY'],
  ])('leads back after %s', async (decision, state) => {
    const back = 'http://127.0.0.1:9/d/G0001?order=1'
    const answer = await decide(await openPage(`?redirect=${encodeURIComponent(back)}`), decision)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, back])
    expect(wechat.orders.get(outTradeNo)?.state).toBe(state)
  })

  it('leads to pages only, and says when there is nothing to pay any more', async () => {
    const url = await openPage('?redirect=javascript:alert(1)')
    expect((await decide(url, 'pay')).headers.get('location')).toBeNull()
    expect((await decide(url, 'pay')).status).toBe(409)
    expect(await (await fetch(url)).text()).toContain('The order is paid already')
    expect((await fetch(`${url.slice(0, -60)}x`)).status).toBe(404)
  })

  it('opens for what the merchant signed, and for nothing else', async () => {
    const { json } = await place()
    const { merchant } = wechat
    const parameters = {
      appId: merchant.appId,
      timeStamp: '1795230002',
      nonceStr: 'n',
      package: `prepay_id=${json.prepay_id}`,
      signType: 'RSA',
    }
    const text = `${parameters.appId}\n1795230002\nn\n${parameters.package}\n`
    const paySign = createSign('RSA-SHA256').update(text).sign(merchant.privateKeyPem, 'base64')
    expect(wechat.openPayWindow({ ...parameters, paySign })).toBe(wechat.payerUrl(outTradeNo))
    expect(() => wechat.openPayWindow({ ...parameters, paySign, nonceStr: 'm' })).toThrow('SIGN_ERROR')
  })
})

it('has certificates only for who has them, and keeps the old one beside the new', async () => {
  const none = await send('GET', '/v3/certificates')
  expect(none).toMatchObject({ status: 404, json: { code: 'RESOURCE_NOT_EXISTS' } })
  wechat.rotatePlatformKey()
  wechat.rotatePlatformKey()
  const { json, headers } = await send('GET', '/v3/certificates')
  expect(json.data).toHaveLength(2)
  const { platformSerial, platformCertificatePem } = wechat.merchant
  expect(headers.get('wechatpay-serial')).toBe(platformSerial)
  const certificate = new X509Certificate(platformCertificatePem ?? '')
  expect(certificate.serialNumber).toBe(platformSerial)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now())
})
