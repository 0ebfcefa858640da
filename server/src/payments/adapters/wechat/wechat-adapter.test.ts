import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWechatMerchant, type WechatMerchant } from '@chairside/sandbox/wechat/merchant'
import type { WechatFaults } from '@chairside/sandbox/wechat/faults'
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
    timeoutMs: 3000,
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

async function startProvider(mode: 'direct' | 'partner'): Promise<PlayedProvider> {
  const wechat = await startWechatSandbox({ port: 0, timeFactor: 1000, refundMs: 20 })
  const [merchant, subMchId] =
    mode === 'direct'
      ? [wechat.merchant]
      : [wechat.addMerchant('1900000009', 'wx5a0d000000000009', { subMchIds: ['1900000109'] }), '1900000109']
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
    refuseRefunds: () => Object.assign(wechat.faults, { refuseRefunds: 'NOT_ENOUGH' }),
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
    wechat = await startWechatSandbox({ port: 0, timeFactor: 1000 })
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

  it('asks for certificates once, however many strangers name serials', async () => {
    const adapter = createWechatAdapter(settingsOf(wechat, wechat.merchant))
    const now = new Date()
    const checks = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        adapter.parseNotice({
          headers: {
            'wechatpay-timestamp': String(Math.floor(now.getTime() / 1000)),
            'wechatpay-nonce': 'n',
            'wechatpay-signature': 'c2lnbmF0dXJl',
            'wechatpay-serial': `SERIAL${index}`,
          },
          body: Buffer.from('{}'),
          now,
        }),
      ),
    )
    expect(new Set(checks.map((check) => check.verified || check.reason))).toEqual(new Set(['unknownKey']))
    expect(wechat.requests.filter(({ path }) => path === '/v3/certificates')).toHaveLength(1)
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

  it('is led to no other address', async () => {
    const elsewhere = http.createServer((asked, answer) => {
      answer.writeHead(307, { location: `${wechat.url}${asked.url}` }).end()
    })
    elsewhere.listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const { port } = elsewhere.address() as AddressInfo
    const settings = settingsOf(wechat, wechat.merchant)
    const adapter = createWechatAdapter({ ...settings, baseUrl: `http://127.0.0.1:${port}` })
    expect(await adapter.prepare(request)).toMatchObject({ outcome: 'unknown' })
    expect(wechat.orders.size).toBe(0)
    elsewhere.closeAllConnections()
    elsewhere.close()
  })

  it('knows nothing when nobody is there', async () => {
    await wechat.stop()
    const adapter = createWechatAdapter(settingsOf(wechat, wechat.merchant))
    expect(await adapter.prepare(request)).toMatchObject({ outcome: 'unknown' })
  })

  it('says honestly what it cannot do', async () => {
    const adapter = createWechatAdapter(settingsOf(wechat, wechat.merchant))
    expect(await Promise.all([adapter.share(), adapter.payOut(), adapter.billOfDay()])).toEqual(
      Array.from({ length: 3 }, () => ({ outcome: 'notSupported' })),
    )
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
