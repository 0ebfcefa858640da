import { createHash, createPrivateKey, createPublicKey, createVerify } from 'node:crypto'
import { createWechatMerchant } from '@chairside/sandbox/wechat/merchant'
import { describe, expect, it } from 'vitest'
import { createWechatAdapter } from './wechat-adapter.ts'
import { WechatSettings } from './wechat-settings.ts'
import { authorization, isSignedBy, openResource, paySignText, requestText } from './wechat-signing.ts'

/* Test vectors of the provider reference: the public part of a throw-away key, and what it signed. */

const platformKeyPem = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqxHR62THeyM1bxEXCq05Z7Up8RFFRMt6s/3D1IxW8Uq+kiCmHZfZbfqTC+LMCvhZrBiL8XITVZ11h1q9+/wZO4P7qPqWzSpnCC/0qHHkAzTrZrzaLl3nMfJ84cXwfQQnRLmj+pNECtgzpWSkh713Io4rKvroYj35fVoWW2ZCQJHPyO01BMJZKuMwxVPklXkfYYYWFTsYsb2YW6f2og4v3lMdPsJL+YhAQWqLcGiHNg6Xkzhx4QKoIT3XVCIUGZjJ6JXvTtgI/cdUbRl/CFFtHbCgRug4elucxoWWScMSvU/iWiYwGaouFNRLzmzAeI8DSHMWDjzGjvRgas3T9vi8AwIDAQAB
-----END PUBLIC KEY-----`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a request', () => {
  const text = requestText(
    'POST',
    '/v3/pay/transactions/out-trade-no/KT202611210001/close',
    '1795230000',
    '0123456789abcdef0123456789abcdef',
    '{"mchid":"9999999999"}',
  )
  const signature =
    'lddYei/myDSaCfy8Xkt6IgFUnXXQ7uY770G7sQl4t6meHCRQgUsUpRfpMFx4JalgTvTW/PIjiqBv3AnCH0vWpy1eOAZJIBbXJLyZwDD8crLkflczWbauA+9khAjQsWSU/92nsDQyOemDFU9tSEHVfx3tsIV/V+cfBPWAoQJXR4FKITtfadnewAAhOS3wBhDRBVLkySK+CAWYxoFGYlb2PE0KvIdTX5E/T2E1/atFrLjnM8VP6wzkBFcVg6Tuz+fwja3yNVh2QIrtoe1K8vdYaNA/UL3nMpWZgsdCv8J8PylHwB3qfQ4ew/Z4/rBN+VRRZWe6baqTttSJk6ufe9jRhw=='

  it('is signed over method, path, time, nonce and body', () => {
    expect(sha256(text)).toBe('e428269cad234f886ace3f714dfb07c55e881b3cf0280ebc71b2d65ec84de724')
    expect(createVerify('RSA-SHA256').update(text).verify(platformKeyPem, signature, 'base64')).toBe(true)
  })

  it('carries its proof in a header that the merchant’s key verifies', () => {
    const merchant = createWechatMerchant()
    const request = { method: 'GET', path: '/v3/x?mchid=1', body: '' }
    const header = authorization(
      request,
      merchant,
      createPrivateKey(merchant.privateKeyPem),
      new Date(1_795_230_000_500),
    )
    const [, nonce = '', timestamp = '', proof = ''] =
      /^WECHATPAY2-SHA256-RSA2048 mchid="1900000001",nonce_str="([0-9a-f]{32})",timestamp="(\d+)",serial_no="[0-9A-F]{40}",signature="([^"]+)"$/.exec(
        header,
      ) ?? []
    expect(timestamp).toBe('1795230000')
    const signed = `GET\n/v3/x?mchid=1\n${timestamp}\n${nonce}\n\n`
    expect(createVerify('RSA-SHA256').update(signed).verify(merchant.publicKeyPem, proof, 'base64')).toBe(
      true,
    )
  })
})

it('what a page pays with is signed over app, time, nonce and prepay id', () => {
  const text = paySignText(
    'wx0000000000000000',
    '1795230002',
    '00112233445566778899aabbccddeeff',
    'prepay_id=wx21110000000000000000000000000000',
  )
  expect(sha256(text)).toBe('f6b3adb318ba6a698a51d366b2534f6ba582fcf616ba7f14b775dd06ef638ce4')
})

describe('a notice', () => {
  const apiV3Key = '0123456789abcdef0123456789abcdef'
  const resource = {
    original_type: 'transaction',
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext:
      '4ouKWSuj/DnPJxqEij1FHnu/7fY15EgEUfuQbbuZ/cx1EQhbyNBukVLeTVf6uFnvjlysmYA9W1ABvpw7bRpg8A/IUQWNuKPMxr5v6mEpPVOtmHf9buhl+Sch1Lf/TiT5Ty16ClAGM5ZLEjpQgeUAn9HUL27EYLcrx/eRFoTdwHqc2uiS9Hs9bgkTAjRsR/mvIfHLO4Vy2uEhRIPlNomIaPaO9CgngcD25zr/YjgQJsT5j0oCjyG94h0pXDJjADh/xt3GC9oL4pU=',
    associated_data: 'transaction',
    nonce: '0123456789ab',
  }
  const body = `{"id":"EV-0001","create_time":"2026-11-21T11:00:00+08:00","resource_type":"encrypt-resource","event_type":"TRANSACTION.SUCCESS","summary":"ok","resource":${JSON.stringify(resource)}}`
  const timestamp = '1795230001'
  const nonce = 'fedcba9876543210fedcba9876543210'
  const signature =
    'mwQjNN1L1gxHn4eJMASAR9Kp9Tw355uxHBvva+qR/dIH7VaFaFqii3NIy49TCZ/+FPMdQXD9JxA2b+OX+hM2MvExIrdgS67Bsq9cyHtzX2p8eT10GncC9qdwR0VyNmzJfUaeVYDAwPEwXJzBMCf/8jcNGwJJquq+zVtDP2GfBeUlMvKE2+2HuMl07x0hME90tU26CvzqYt9uf/jFlwwHIhES9b21gYQx/lgc2s5PFO9acjjUsS8V+6jnLg3sjgxq1Ty2kqv9to/WxkNQBzne1cgi/Rd0YDxqjusWsnffXVnGaC8xSP9LkucQwAjP/ZDX1LsGelVIfwYdjgzHjvnKXQ=='
  const key = createPublicKey(platformKeyPem)
  const signed = { timestamp, nonce, body: Buffer.from(body), signature }

  it('is signed over time, nonce and its bytes', () => {
    expect(sha256(`${timestamp}\n${nonce}\n${body}\n`)).toBe(
      '0bde9b242807278823d9ef8c0fec0c601d331d782c53c127068cb8f745f0ac0d',
    )
    expect(isSignedBy(key, signed)).toBe(true)
  })

  it.each([
    ['time', { timestamp: '1795230002' }],
    ['nonce', { nonce: 'f'.repeat(32) }],
    ['bytes', { body: Buffer.from(body.replace('EV-0001', 'EV-0002')) }],
    ['signature', { signature: signature.replace('mwQj', 'mwQk') }],
    ['encoding', { signature: 'not a signature' }],
  ])('is not believed with another %s', (_, change) => {
    expect(isSignedBy(key, { ...signed, ...change })).toBe(false)
  })

  it('opens with the APIv3 key alone, and whole', () => {
    expect(JSON.parse(openResource(apiV3Key, resource))).toMatchObject({
      out_trade_no: 'KT202611210001',
      trade_state: 'SUCCESS',
      amount: { total: 500 },
    })
    const short = Buffer.from(resource.ciphertext, 'base64').subarray(0, 8).toString('base64')
    expect(() => openResource('f'.repeat(32), resource)).toThrow('authenticate')
    expect(() => openResource(apiV3Key, { ...resource, associated_data: 'refund' })).toThrow('authenticate')
    expect(() => openResource(apiV3Key, { ...resource, ciphertext: short })).toThrow('tag length')
    expect(() => openResource(apiV3Key, { ...resource, algorithm: 'NONE' })).toThrow('not known')
  })

  it('is read by the adapter of its merchant, at its time', async () => {
    const settings = WechatSettings.parse({
      ...createWechatMerchant(),
      baseUrl: 'http://127.0.0.1:9',
      apiV3Key,
      platformKeys: { PUB_KEY_ID_1: platformKeyPem },
    })
    const adapter = createWechatAdapter({ ...settings, mchId: '9999999999' })
    const headers = {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-signature': signature,
      'wechatpay-serial': 'PUB_KEY_ID_1',
    }
    const readAt = (ms: number) =>
      adapter.parseNotice({ headers, body: Buffer.from(body), now: new Date(ms) })
    expect(await readAt(1_795_230_001_000)).toMatchObject({
      verified: true,
      notice: { kind: 'payment', noticeId: 'EV-0001', payment: { outTradeNo: 'KT202611210001' } },
    })
    expect(await readAt(1_795_230_001_000 + 300_000)).toEqual({ verified: false, reason: 'stale' })
    expect(await readAt(1_795_230_001_000 - 300_000)).toEqual({ verified: false, reason: 'stale' })
  })
})
