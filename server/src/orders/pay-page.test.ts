import type { PayPageDevice, PayPageOrder } from '@chairside/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOrderSteps, type OrderSteps } from '../testing/order-steps.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'

let shop: TestShop
let steps: OrderSteps
let merchantId: number
beforeAll(async () => {
  shop = await startTestShop()
  merchantId = shop.merchantId
  steps = createOrderSteps(shop, { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') })
  await shop.addChair('G1')
  await shop.addGoods({ name: 'Relax' })
})
afterAll(() => shop.stop())
beforeEach(async () => {
  await shop.pool.query('delete from banners')
})
afterEach(() => {
  vi.useRealTimers()
})

const set = async (id: number, banner: Record<string, unknown>) => {
  const names = Object.keys(banner)
  await shop.pool.query(
    `insert into banners (merchant_id, ${names.join(', ')}) values ($1, ${names.map((_name, at) => `$${at + 2}`).join(', ')})`,
    [id, ...Object.values(banner)],
  )
}
const page = async (sid = 'G1') => (await shop.phone().page<PayPageDevice>(sid)).data

describe('the pay page', () => {
  it('shows nothing, then the default banner, then the merchant’s own', async () => {
    expect(await page()).toMatchObject({ bannerPicture: '', bannerUrl: '', bannerStyle: {}, frontLang: 3 })
    await set(1, {
      enabled: true,
      banner_key: 'default.jpg',
      link_url: 'https://platform.example/',
      front_lang: 2,
    })
    expect(await page()).toMatchObject({
      bannerPicture: '/pictures/default.jpg',
      bannerUrl: 'https://platform.example/',
      frontLang: 2,
    })
    await set(merchantId, { enabled: true, banner_key: 'own.jpg', front_lang: 1, css: 'opacity: 0.9' })
    expect(await page()).toMatchObject({
      bannerPicture: '/pictures/own.jpg',
      bannerUrl: '',
      bannerStyle: { opacity: '0.9' },
      frontLang: 1,
    })
  })

  it('shows the default picture, with its link, where the merchant’s own is not shown', async () => {
    await set(1, { enabled: true, banner_key: 'default.jpg', link_url: 'https://platform.example/' })
    await set(merchantId, { enabled: false, banner_key: 'own.jpg', link_url: 'https://own.example/' })
    expect(await page()).toMatchObject({
      bannerPicture: '/pictures/default.jpg',
      bannerUrl: 'https://platform.example/',
    })
    await shop.pool.query('update banners set enabled = false')
    expect((await page()).bannerPicture).toBe('')
  })

  // The platform's days begin at 16:00 UTC of the day before.
  it.each([
    ['2026-09-30T15:59:59Z', 'own.jpg'],
    ['2026-09-30T16:00:00Z', 'holiday.jpg'],
    ['2026-10-07T15:59:59Z', 'holiday.jpg'],
    ['2026-10-07T16:00:00Z', 'own.jpg'],
  ])('at %s shows %s of a banner limited from the 1st to the 7th of October', async (instant, key) => {
    await set(merchantId, {
      enabled: true,
      banner_key: 'own.jpg',
      time_limited: true,
      time_banner_key: 'holiday.jpg',
      time_start: '2026-10-01',
      time_end: '2026-10-07',
    })
    vi.useFakeTimers({ now: new Date(instant), toFake: ['Date'] })
    expect((await page()).bannerPicture).toBe(`/pictures/${key}`)
  })

  it('shows the time-limited picture of the default banner to those without one of their own', async () => {
    await set(1, {
      enabled: true,
      banner_key: 'default.jpg',
      time_limited: true,
      time_banner_key: 'festival.jpg',
      time_start: '2026-10-01',
      time_end: '2026-10-01',
    })
    vi.useFakeTimers({ now: new Date('2026-10-01T04:00:00Z'), toFake: ['Date'] })
    expect((await page()).bannerPicture).toBe('/pictures/festival.jpg')
  })

  it('has the merchant’s words, and the default ones where it has none', async () => {
    await set(1, {
      success_text: 'Come again',
      success_url: 'https://platform.example/',
      sleep_prompt: 'Sleep well',
    })
    await set(merchantId, { sleep_prompt: 'Hush' })
    expect(await page()).toMatchObject({
      successText: 'Come again',
      successUrl: 'https://platform.example/',
      sleepPrompt: 'Hush',
    })
    await shop.pool.query(`update banners set success_text = 'Bye' where merchant_id = $1`, [merchantId])
    expect(await page()).toMatchObject({ successText: 'Bye', successUrl: '' })
  })

  it('leads to nothing but web pages and takes no other style, whatever stands in the table', async () => {
    await set(merchantId, {
      enabled: true,
      banner_key: 'own.jpg',
      link_url: 'javascript:alert(1)',
      success_url: 'data:text/html,x',
      css: 'position: fixed',
    })
    expect(await page()).toMatchObject({ bannerUrl: '', successUrl: '', bannerStyle: {} })
  })
})

describe('the page of a chair', () => {
  it('shows the order that is under way, and the chair as running', async () => {
    const { sid, phone, orderId } = await steps.running()
    const page = await phone.page<{ state: string; order: PayPageOrder | null }>(sid)
    expect(page.data).toMatchObject({ state: 'running', order: { orderId, phase: 'running' } })
    expect((await shop.phone().page(sid)).data).toMatchObject({ state: 'busy', order: null })
  })

  it('still says how to pay when it is opened again', async () => {
    const { sid, phone, orderId, answer } = await steps.placed()
    const page = await phone.page<{ order: PayPageOrder | null; pay: unknown }>(sid)
    expect(page.data).toMatchObject({ order: { orderId, phase: 'paying' }, pay: answer.pay })
    expect(answer.pay).toMatchObject({ kind: 'native', codeUrl: expect.stringContaining('/pay/wx') })
    expect((await shop.phone().page(sid)).data).toMatchObject({ order: null, pay: null })
  })

  it('does not know a chair that is not there', async () => {
    expect((await shop.phone().page('G999999')).resultCode).toBe('104')
  })

  it('keeps nobody whose press was refused, and who pressed at once but once', async () => {
    const customers = async () =>
      (await steps.first<{ count: number }>('select count(*)::int from customers')).count
    const [sid, goodsId, before] = [
      await steps.newChair(),
      await shop.addGoods({ name: 'one' }),
      await customers(),
    ]
    expect((await shop.phone().place('G999999', goodsId)).resultCode).toBe('104')
    expect((await shop.phone().place(sid, 999_999)).resultCode).toBe('105')
    expect(await customers()).toBe(before)
    const phone = shop.phone()
    await phone.page(sid)
    const answers = await Promise.all([1, 2, 3].map(() => phone.place(sid, goodsId, 'the same press')))
    expect(new Set(answers.map(({ data }) => data.order.orderId)).size).toBe(1)
    expect(await customers()).toBe(before + 1)
  })
})
