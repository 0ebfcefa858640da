import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerCookie } from '../members/customer-cookie.ts'
import { demoWechatSettings } from '../demo/demo-environment.ts'
import { createWebApp } from '../kit/door/web-app.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'
import { mountWechatReturn, wechatSignInUrlFor } from './wechat-return.ts'

const publicUrl = 'http://127.0.0.1:9'

let shop: TestShop
let app: FastifyInstance
beforeAll(async () => {
  shop = await startTestShop()
  await shop.addChair('G1')
  const settings = demoWechatSettings(shop.wechat.merchant, shop.wechat.url)
  await shop.pool.query('update pay_channels set settings = $1', [
    shop.secrets.seal(JSON.stringify(settings)),
  ])
  app = await createWebApp({ log: pino({ level: 'silent' }), callsPerMinute: 1e6, trustProxy: false })
  mountWechatReturn(app, shop.db, shop.payments.channels)
})
afterAll(async () => {
  await app.close()
  await shop.stop()
})

/** What WeChat sends the browser back with, after it was sent there by a page of this customer. */
async function comeBackFromWechat(customerKey: string): Promise<string> {
  const there = await wechatSignInUrlFor(shop.payments.channels, publicUrl)(
    shop.db,
    shop.merchantId,
    'G1',
    customerKey,
  )
  const { search } = new URL(there)
  const answer = await fetch(`${shop.wechat.url}/connect/oauth2/authorize${search}`, { redirect: 'manual' })
  return (answer.headers.get('location') ?? '').replace(publicUrl, '')
}

const openIdOf = async (key: string) => {
  const { rows } = await shop.pool.query<{ openId: string | null }>(
    'select open_id as "openId" from customers where key_hash = sha256($1)',
    [Buffer.from(key)],
  )
  return rows[0]?.openId ?? null
}

describe('a customer who comes back from WeChat', () => {
  it('is known to the merchant’s app from then on, and sees the chair', async () => {
    const back = await comeBackFromWechat('a-key')
    const answer = await app.inject({ url: back, cookies: { [customerCookie]: 'a-key' } })
    expect(answer.headers.location).toBe('/d/G1')
    expect(await openIdOf('a-key')).toMatch(/^o/)
  })

  it('is not signed in as somebody else by a link that they made', async () => {
    const back = await comeBackFromWechat('the-key-of-mallory')
    const answer = await app.inject({ url: back, cookies: { [customerCookie]: 'another-key' } })
    expect(answer.headers.location).toBe('/d/G1')
    expect(await openIdOf('another-key')).toBeNull()
    expect((await app.inject({ url: back })).headers.location).toBe('/d/G1')
  })

  it('brings nothing that we did not send there', async () => {
    expect((await app.inject({ url: '/pay/wechat?code=x&state=1.G1' })).statusCode).toBe(404)
    expect((await app.inject({ url: '/pay/wechat' })).statusCode).toBe(404)
  })

  it('is counted: one address cannot have WeChat asked without end', async () => {
    const statuses = new Set<number>()
    for (let index = 0; index < 245; index++) {
      const remoteAddress = '198.51.100.9'
      const { statusCode } = await app.inject({ url: '/pay/wechat?code=x&state=1.G1', remoteAddress })
      statuses.add(statusCode)
    }
    expect([...statuses]).toEqual([404, 429])
  })

  it('without a cookie is nobody, whatever the link says', async () => {
    const back = await comeBackFromWechat('')
    expect((await app.inject({ url: back })).headers['set-cookie']).toBeUndefined()
    expect(await openIdOf('')).toBeNull()
  })
})
