import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createPlatformKey,
  createWechatMerchant,
  type PlatformKey,
  type WechatMerchant,
} from '@chairside/sandbox/wechat/merchant'
import type { WechatFaults } from '@chairside/sandbox/wechat/faults'
import { signedHeaders } from '@chairside/sandbox/wechat/signatures'
import { startWechatSandbox, type WechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  checkAdapter,
  type Misbehaviour,
  type NoticeFault,
  type PlayedProvider,
} from '../adapter-contract.ts'
import { createAdapter } from '../create-adapter.ts'
import type { PrepareRequest } from '../payment-adapter.ts'
import { createWechatAdapter } from './wechat-adapter.ts'
import { openIdOfCode, wechatSignInUrl } from './wechat-open-id.ts'
import { WechatSettings } from './wechat-settings.ts'

const settingsOf = (wechat: WechatSandbox, merchant: WechatMerchant, subMchId?: string): WechatSettings =>
  WechatSettings.parse({
    ...merchant,
    baseUrl: wechat.url,
    oauthAuthorizeUrl: `${wechat.url}/connect/oauth2/authorize`,
    oauthTokenUrl: `${wechat.url}/sns/oauth2/access_token`,
    platformKeys: { [merchant.platformSerial]: merchant.platformPublicKeyPem },
    timeoutMs: 20_000,
    ...(subMchId ? { partner: { subMchId } } : {}),
  })

const misbehaviours: Record<Misbehaviour, Partial<WechatFaults>> = {
  'silent before': { loseRequests: true },
  'silent after': { loseAnswers: true },
  'too late': { answerDelayMs: 700 },
  'broken before': { systemError: true },
  'broken after': { errorAfterWork: true },
  'too busy': { tooManyCalls: true },
  unreadable: { garbledAnswers: true },
  altered: { forgedAnswers: true },
}
const noticeForgeries: Record<NoticeFault, WechatFaults['noticeForgery']> = {
  unsigned: 'unsigned',
  forged: 'stranger',
  altered: 'flippedBit',
  stale: 'stale',
  unknownKey: 'unknownSerial',
  foreign: 'otherMerchant',
  probe: 'probe',
}
const noticeFaults = Object.keys(noticeForgeries) as NoticeFault[]

/** One that takes money for itself, and a service provider that does for another. */
const theirMchId = '1900000109'
const merchants = [
  createWechatMerchant(),
  createWechatMerchant('1900000009', 'wx5a0d000000000009', { subMchIds: [theirMchId] }),
]

async function startProvider(mode: 'direct' | 'partner'): Promise<PlayedProvider> {
  const wechat = await startWechatSandbox({ port: 0, merchants, timeFactor: 1000, refundMs: 20 })
  const [merchant, subMchId] =
    mode === 'direct' ? [wechat.merchant] : [wechat.merchants[1] ?? wechat.merchant, theirMchId]
  const provider = mode === 'direct' ? 'wechatPay' : 'wechatServerPay'
  const settings = settingsOf(wechat, merchant, subMchId)
  return {
    createAdapter: (options) => createAdapter(provider, { ...settings, ...options }).adapter,
    createStranger: () =>
      createAdapter(provider, { ...settings, privateKeyPem: createWechatMerchant().privateKeyPem }).adapter,
    trades: [{ kind: 'jsapi', openId: 'oPayer' }, { kind: 'native' }],
    async openPayerPage(prepared) {
      const url = prepared.kind === 'jsapi' ? wechat.openPayWindow(prepared.parameters) : prepared.codeUrl
      return (await fetch(url)).text()
    },
    pay: wechat.pay,
    misbehave: (how) => Object.assign(wechat.faults, misbehaviours[how]),
    spoilNotices: (how) => Object.assign(wechat.faults, { noticeForgery: noticeForgeries[how] }),
    refundsWill: (how) =>
      Object.assign(wechat.faults, how === 'fail' ? { refundEnd: 'ABNORMAL' } : { holdRefunds: true }),
    refuseRefunds: (how) =>
      Object.assign(wechat.faults, {
        refuseRefunds: how === 'for now' ? 'NOT_ENOUGH' : 'USER_ACCOUNT_ABNORMAL',
      }),
    endRefunds: wechat.releaseRefunds,
    goodDay: wechat.clearFaults,
    stop: wechat.stop,
  }
}

describe('WeChat Pay, direct', () => {
  checkAdapter(() => startProvider('direct'), noticeFaults)
})
describe('WeChat Pay, service provider', () => {
  checkAdapter(() => startProvider('partner'), noticeFaults)
})

describe('WeChat Pay', () => {
  let wechat: WechatSandbox
  beforeEach(async () => {
    wechat = await startWechatSandbox({ port: 0, merchants, timeFactor: 1000 })
  })
  afterEach(() => wechat.stop())

  const outTradeNo = 'KT261121031500000AAAA01'
  const request: PrepareRequest = {
    outTradeNo,
    amountCents: 500,
    description: 'chair 10 min',
    notifyUrl: 'http://127.0.0.1:9/notify',
    expiresAt: new Date(Date.now() + 300_000),
    trade: { kind: 'native' },
  }

  it('shortens what is too long for it, by characters', async () => {
    const adapter = createWechatAdapter(settingsOf(wechat, wechat.merchant))
    expect(await adapter.prepare({ ...request, description: '椅'.repeat(200) })).toMatchObject({
      outcome: 'accepted',
    })
    expect(wechat.orders.get(outTradeNo)?.description).toBe('椅'.repeat(127))
  })

  it('fetches certificates it does not know, and takes both keys while WeChat changes them', async () => {
    const merchant = wechat.addMerchant('1900000002', 'wx5a0d000000000002', { keyMode: 'certificate' })
    const adapter = createWechatAdapter({ ...settingsOf(wechat, merchant), platformKeys: {} })
    expect(await adapter.prepare(request)).toMatchObject({ outcome: 'accepted' })
    const known = createWechatAdapter(settingsOf(wechat, merchant))
    wechat.rotatePlatformKey(merchant)
    // Still signed by the old key, for that is the one it names.
    expect(await known.query(outTradeNo)).toMatchObject({ outcome: 'accepted' })
    const fresh = createWechatAdapter({ ...settingsOf(wechat, merchant), platformKeys: {} })
    expect(await fresh.query(outTradeNo)).toMatchObject({ outcome: 'accepted' })
  })

  it('names a newer key as soon as WeChat signs with it, and an old one no more', async () => {
    const merchant = wechat.addMerchant('1900000003', 'wx5a0d000000000003', { keyMode: 'certificate' })
    const keyAsked = () => wechat.requests.at(-1)?.keyAsked
    const noticeBy = (key: PlatformKey, signedBy = key.platformPrivateKeyPem) => {
      const body = '{}'
      const now = new Date()
      const headers = signedHeaders(body, key, now.getTime(), signedBy)
      return { headers, body: Buffer.from(body), now }
    }
    const first = { ...merchant }
    const adapter = createWechatAdapter(settingsOf(wechat, merchant))
    await adapter.prepare(request)
    expect(keyAsked()).toBe(first.platformSerial)
    wechat.rotatePlatformKey(merchant)
    const stranger = createPlatformKey('certificate')
    await adapter.parseNotice(noticeBy(merchant, stranger.platformPrivateKeyPem))
    await adapter.query(outTradeNo)
    expect(keyAsked()).toBe(first.platformSerial)
    // During a change notices come by both: the old one is not gone back to.
    await adapter.parseNotice(noticeBy(merchant))
    await adapter.parseNotice(noticeBy(first))
    expect(await adapter.query(outTradeNo)).toMatchObject({ outcome: 'accepted' })
    expect(keyAsked()).toBe(merchant.platformSerial)
  })

  it('names the key that answers when the one it asked for is no more', async () => {
    const merchant = wechat.addMerchant('1900000004', 'wx5a0d000000000004', { keyMode: 'certificate' })
    const adapter = createWechatAdapter(settingsOf(wechat, merchant))
    await adapter.prepare(request)
    wechat.rotatePlatformKey(merchant)
    merchant.earlierKeys = []
    expect(await adapter.query(outTradeNo)).toMatchObject({ outcome: 'accepted' })
    expect(await adapter.query(outTradeNo)).toMatchObject({ outcome: 'accepted' })
    expect(wechat.requests.at(-1)?.keyAsked).toBe(merchant.platformSerial)
  })

  const strangers = {
    'wechatpay-nonce': 'n',
    'wechatpay-signature': 'c2lnbmF0dXJl',
    'wechatpay-timestamp': String(Math.floor(Date.now() / 1000)),
  }

  it('asks for certificates once, however many strangers name serials', async () => {
    const adapter = createWechatAdapter(settingsOf(wechat, wechat.merchant))
    const check = (serial: string) =>
      adapter.parseNotice({
        headers: { ...strangers, 'wechatpay-serial': serial },
        body: Buffer.from('{}'),
        now: new Date(),
      })
    const together = await Promise.all(Array.from({ length: 50 }, (_, index) => check(`SERIAL${index}`)))
    const checks = [...together, await check('LATER'), await check('LATER STILL')]
    expect(new Set(checks.map((each) => each.verified || each.reason))).toEqual(new Set(['unknownKey']))
    expect(wechat.requests.filter(({ path }) => path === '/v3/certificates')).toHaveLength(1)
  })

  it('takes no certificates that were relabelled on their way', async () => {
    const merchant = wechat.addMerchant('1900000002', 'wx5a0d000000000002', { keyMode: 'certificate' })
    const adapter = createWechatAdapter({ ...settingsOf(wechat, merchant), platformKeys: {} })
    wechat.addFault({ moment: 'certificates', faults: { forgedAnswers: true } })
    // The first digit of the answer is the first of the serial.
    const relabelled = `6${merchant.platformSerial.slice(1)}`
    const headers = { ...signedHeaders('{}', merchant, Date.now()), 'wechatpay-serial': relabelled }
    const check = await adapter.parseNotice({ headers, body: Buffer.from('{}'), now: new Date() })
    expect(check).toEqual({ verified: false, reason: 'unknownKey' })
  })

  it('does not take the answer about another payment for the one it asked after', async () => {
    const adapter = createWechatAdapter(settingsOf(wechat, wechat.merchant))
    const other = 'KT261121031500000BBBB01'
    await adapter.prepare(request)
    await adapter.prepare({ ...request, outTradeNo: other })
    const [mine, others] = [wechat.orders.get(outTradeNo), wechat.orders.get(other)]
    if (!mine || !others) throw new Error('not prepared')
    mine.outTradeNo = others.outTradeNo
    expect(await adapter.query(outTradeNo)).toEqual({
      outcome: 'unknown',
      reason: 'the answer is about something else',
    })
  })

  it('does not take the answer about another refund for the one it asked for', async () => {
    const adapter = createWechatAdapter(settingsOf(wechat, wechat.merchant))
    await adapter.prepare(request)
    wechat.pay(outTradeNo)
    const [refundCents, totalCents, { notifyUrl }] = [100, 500, request]
    const asked = { outTradeNo, outRefundNo: 'TK1', refundCents, totalCents, reason: '', notifyUrl }
    expect(await adapter.refund(asked)).toMatchObject({ outcome: 'accepted' })
    const refund = wechat.refunds.get('TK1')
    if (!refund) throw new Error('not refunded')
    refund.outRefundNo = 'TK2'
    const other = { outcome: 'unknown', reason: 'the answer is about something else' }
    expect(await adapter.refund(asked)).toEqual(other)
    expect(await adapter.queryRefund('TK1')).toEqual(other)
  })

  describe('reads an error', () => {
    /** Asks a server that always answers so. */
    async function askWho(status: number, body: string, headers = {}) {
      const server = http.createServer((_asked, answer) => {
        answer.writeHead(status, headers).end(body)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const settings = settingsOf(wechat, wechat.merchant)
      const adapter = createWechatAdapter({ ...settings, baseUrl: `http://127.0.0.1:${port}` })
      const answers = { prepare: await adapter.prepare(request), query: await adapter.query(outTradeNo) }
      server.closeAllConnections()
      server.close()
      return answers
    }
    const unknown = { outcome: 'unknown' }
    const refused = (code: string) => ({ outcome: 'refused', code })

    it.each<[number, string, object]>([
      [400, 'PARAM_ERROR', refused('PARAM_ERROR')],
      [401, 'SIGN_ERROR', refused('SIGN_ERROR')],
      [403, 'OUT_TRADE_NO_USED', refused('OUT_TRADE_NO_USED')],
      [400, 'SYSTEM_ERROR', unknown],
      [400, 'SYSTEMERROR', unknown],
      [429, 'RATELIMIT_EXCEEDED', unknown],
      [429, 'A NEW WORD', unknown],
      [500, 'BANK_ERROR', unknown],
      [500, 'A NEW WORD', unknown],
      [502, 'PARAM_ERROR', unknown],
      [500, 'OPENID_MISMATCH', refused('OPENID_MISMATCH')],
    ])('%i %s for what it is', async (status, code, outcome) => {
      const { prepare } = await askWho(status, JSON.stringify({ code, message: 'm' }))
      expect(prepare).toMatchObject(outcome)
    })

    it.each(['ORDER_NOT_EXIST', 'ORDERNOTEXIST'])('%s as an order that is not there', async (code) => {
      const { query } = await askWho(404, JSON.stringify({ code }))
      expect(query).toMatchObject({ outcome: 'accepted', result: { state: 'notFound' } })
    })

    it.each(['', '<html>', 'null', '{"message":"no code"}'])('%j as nothing known', async (body) => {
      expect(await askWho(404, body)).toMatchObject({ prepare: unknown, query: unknown })
    })

    it('and is led to no other address', async () => {
      const answers = await askWho(307, '', { location: `${wechat.url}/v3/pay/transactions/native` })
      expect(answers).toMatchObject({ prepare: unknown, query: unknown })
      expect(wechat.requests).toEqual([])
    })
  })

  it('knows nothing when nobody is there', async () => {
    await wechat.stop()
    const adapter = createWechatAdapter(settingsOf(wechat, wechat.merchant))
    expect(await adapter.prepare(request)).toMatchObject({ outcome: 'unknown' })
  })

  describe('tells who the payer is', () => {
    const codeOf = async (settings: WechatSettings) => {
      const url = wechatSignInUrl(settings, 'http://127.0.0.1:9/back', '7.G0001')
      const answer = await fetch(url, { redirect: 'manual' })
      const back = new URL(answer.headers.get('location') ?? '')
      expect(back.searchParams.get('state')).toBe('7.G0001')
      return back.searchParams.get('code') ?? ''
    }

    it('once for a code', async () => {
      const settings = settingsOf(wechat, wechat.merchant)
      const code = await codeOf(settings)
      expect(await openIdOfCode(settings, code)).toEqual({
        outcome: 'accepted',
        result: expect.stringMatching(/^o[\w-]{27}$/),
      })
      expect(await openIdOfCode(settings, code)).toMatchObject({ outcome: 'refused', code: '40163' })
    })

    it('not for a made-up code, nor to who does not know the secret', async () => {
      const settings = settingsOf(wechat, wechat.merchant)
      expect(await openIdOfCode(settings, 'made-up')).toMatchObject({ outcome: 'refused', code: '40029' })
      const wrong = { ...settings, appSecret: 'wrong' }
      expect(await openIdOfCode(wrong, await codeOf(settings))).toMatchObject({ outcome: 'refused' })
    })
  })

  it.each<[string, (settings: WechatSettings) => unknown]>([
    ['apiV3Key', (settings) => ({ ...settings, apiV3Key: '短'.repeat(32) })],
    ['privateKeyPem', (settings) => ({ ...settings, privateKeyPem: 'no key' })],
    ['platformKeys', (settings) => ({ ...settings, platformKeys: { A: 'no key' } })],
    ['baseUrl', (settings) => ({ ...settings, baseUrl: `${wechat.url}/behind/a/path` })],
    ['service provider', (settings) => ({ ...settings, partner: { subMchId: '1900000109' } })],
  ])('does not open with a wrong setting: %s', (name, change) => {
    expect(() => createAdapter('wechatPay', change(settingsOf(wechat, wechat.merchant)))).toThrow(name)
  })

  it('does not open as a service provider without a merchant', () => {
    const settings = settingsOf(wechat, wechat.merchant)
    expect(() => createAdapter('wechatServerPay', settings)).toThrow('sub-merchant')
  })
})
