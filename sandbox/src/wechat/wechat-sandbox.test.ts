import { createSign, randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWechatMerchant, type WechatMerchant } from './merchant.ts'
import { startWechatSandbox, type WechatSandbox } from './wechat-sandbox.ts'

const merchants = [createWechatMerchant()]
let wechat: WechatSandbox
beforeEach(async () => {
  wechat = await startWechatSandbox({ port: 0, merchants, timeFactor: 1000, refundMs: 5 })
})
afterEach(() => wechat.stop())

interface Signed {
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

/** Sends a request signed as WeChat's documents say, or not quite. */
async function send(method: 'GET' | 'POST', url: string, body?: object, signed: Signed = {}) {
  const { merchant = wechat.merchant, scheme = 'WECHATPAY2-SHA256-RSA2048' } = signed
  const text = body ? JSON.stringify(body) : ''
  const timestamp = Math.floor(Date.now() / 1000) - (signed.ageSeconds ?? 0)
  const nonce = randomBytes(16).toString('hex')
  const lines = [method, signed.signedPath ?? url, timestamp, nonce, signed.signedBody ?? text, '']
  const signature = createSign('RSA-SHA256').update(lines.join('\n')).sign(merchant.privateKeyPem, 'base64')
  const { mchId = merchant.mchId, serial = merchant.certSerialNumber } = signed
  const answer = await fetch(wechat.url + url, {
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

const outTradeNo = 'KT261121031500000AAAA01'
const orderPath = `/v3/pay/transactions/out-trade-no/${outTradeNo}`
const orderOf = (change: object = {}) => ({
  appid: wechat.merchant.appId,
  mchid: wechat.merchant.mchId,
  description: '<b>chair</b> 10 min',
  out_trade_no: outTradeNo,
  notify_url: 'http://127.0.0.1:9/notify',
  amount: { total: 500, currency: 'CNY' },
  payer: { openid: 'oPayer' },
  ...change,
})
const jsapi = '/v3/pay/transactions/jsapi'
const place = (change?: object) => send('POST', jsapi, orderOf(change))
const refundOf = (change: object = {}) => ({
  out_trade_no: outTradeNo,
  out_refund_no: 'TK1',
  amount: { refund: 200, total: 500, currency: 'CNY' },
  ...change,
})
const refund = (change?: object) => send('POST', '/v3/refund/domestic/refunds', refundOf(change))
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

it('goes on while its book cannot be written, and writes it when it can', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'played-wechat-'))
  const dataFile = path.join(folder, 'wechat.json')
  await wechat.stop()
  wechat = await startWechatSandbox({ port: 0, dataFile })
  fs.mkdirSync(`${dataFile}.part`)
  wechat.addMerchant('1900000999', 'wx0000000000000999')
  await new Promise((resolve) => setTimeout(resolve, 800))
  fs.rmdirSync(`${dataFile}.part`)
  await expect.poll(() => fs.readFileSync(dataFile, 'utf8')).toContain('1900000999')
  await wechat.stop()
  fs.rmSync(folder, { recursive: true })
  wechat = await startWechatSandbox({ port: 0 })
})

it('goes on after a restart with its merchants, keys, orders and refunds under way', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'played-wechat-'))
  const dataFile = path.join(folder, 'wechat.json')
  await wechat.stop()
  wechat = await startWechatSandbox({ port: 0, dataFile, refundMs: 5 })
  const merchant = { ...wechat.merchant }
  await place()
  wechat.pay(outTradeNo)
  wechat.faults.holdRefunds = true
  await refund()
  await wechat.stop()

  wechat = await startWechatSandbox({ port: 0, dataFile, refundMs: 5 })
  expect(wechat.merchant).toEqual(merchant)
  await expect.poll(() => wechat.refunds.get('TK1')?.status).toBe('SUCCESS')
  const query = await send('GET', `${orderPath}?mchid=${merchant.mchId}`)
  expect(query).toMatchObject({ status: 200, json: { trade_state: 'REFUND', out_trade_no: outTradeNo } })
  await wechat.stop()
  for (const spoilt of ['{"merchants":', '{"orders":[]}']) {
    fs.writeFileSync(dataFile, spoilt)
    await expect(startWechatSandbox({ port: 0, dataFile })).rejects.toThrow('cannot read')
  }
  fs.rmSync(folder, { recursive: true })
  wechat = await startWechatSandbox({ port: 0 })
})

it('forgets the oldest of what is over, and nothing that is under way, when it knows too many orders', async () => {
  await wechat.stop()
  wechat = await startWechatSandbox({ port: 0, merchants, timeFactor: 1000, refundMs: 5, mostOrders: 20 })
  const numberOf = (index: number) => `KT2611210315${String(index).padStart(3, '0')}`
  const placeOne = (index: number) => place({ out_trade_no: numberOf(index) })
  const refundOne = (index: number, cents: number) =>
    refund({
      out_trade_no: numberOf(index),
      out_refund_no: `TK${index}`,
      amount: { refund: cents, total: 500, currency: 'CNY' },
    })
  for (let index = 0; index < 20; index++) {
    await placeOne(index)
    // The first waits to be paid, the third waits for its refund, the fifth has got all of its money back.
    if (index > 0) wechat.pay(numberOf(index))
    if (index === 2) wechat.faults.holdRefunds = true
    if (index === 2 || index === 4) await refundOne(index, 500)
    if (index === 2) wechat.faults.holdRefunds = false
  }
  await expect.poll(() => wechat.refunds.get('TK4')?.status).toBe('SUCCESS')
  await placeOne(20)
  const forgotten = [4, 1, 3].map(numberOf)
  expect([...wechat.orders.keys()]).toEqual(
    Array.from({ length: 21 }, (_one, index) => numberOf(index)).filter(
      (number) => !forgotten.includes(number),
    ),
  )
  expect([...wechat.refunds.keys()]).toEqual(['TK2'])
  expect(await refundOne(3, 100)).toMatchObject({ status: 404, json: { code: 'RESOURCE_NOT_EXISTS' } })
  for (let index = 21; index < 80; index++) {
    await placeOne(index)
    wechat.pay(numberOf(index))
  }
  expect(wechat.orders.size).toBeLessThanOrEqual(20)
  expect(wechat.orders.has(numberOf(0))).toBe(true)
  expect(wechat.refunds.get('TK2')?.status).toBe('PROCESSING')
  wechat.releaseRefunds()
  expect(wechat.refunds.get('TK2')?.status).toBe('SUCCESS')
})
