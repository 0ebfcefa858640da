import Fastify, { type FastifyInstance } from 'fastify'
import cookie from '@fastify/cookie'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerCookie } from '../members/customer-cookie.ts'
import { demoWechatSettings } from '../demo/demo-environment.ts'
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
  app = Fastify()
  await app.register(cookie)
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
})
