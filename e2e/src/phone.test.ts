import { expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors } from './visitor.ts'

const { visit } = receiveVisitors()
const phoneWidth = 390

it('a card on a phone keeps its details folded until they are asked for', async () => {
  const merchant = await visit('merchant', 'zh-CN', phoneWidth)
  const { page } = merchant
  await merchant.open('/devices')
  const card = page.locator('.card').first()
  await card.waitFor()
  await untilSettled(page)
  const firmware = card.getByText(merchant.say('devices.field.fmVersion'), { exact: true })
  expect(await firmware.count()).toBe(0)
  const more = card.getByRole('button', { name: merchant.say('console.list.details') })
  await more.press('Enter')
  await firmware.waitFor()
  expect(await more.getAttribute('aria-expanded')).toBe('true')
  await more.click()
  await firmware.waitFor({ state: 'detached' })

  // What every list has beside its title stands in one line.
  const tools = page.locator('.screen-actions')
  expect((await tools.boundingBox())?.height).toBeLessThan(40)
  await merchant.button('console.list.refresh').waitFor()
})

it('all cards of a page are ticked at once on a phone', async () => {
  const merchant = await visit('merchant', 'en', phoneWidth)
  const { page } = merchant
  await merchant.open('/devices')
  const all = page.getByRole('checkbox', { name: merchant.say('console.list.selectPage') })
  await all.check()
  await merchant.text('console.list.selected', { count: 10 }).waitFor()
  expect(await page.locator('.card input[type=checkbox]:checked').count()).toBe(10)
  await all.uncheck()
  await merchant.text('console.list.selected', { count: 10 }).waitFor({ state: 'detached' })
})

it('a search on a phone shows what was found, in place of the fields it was asked by', async () => {
  const merchant = await visit('merchant', 'en', phoneWidth)
  const { page } = merchant
  await merchant.open('/orders')
  await page.locator('.card').first().waitFor()
  const fields = page.locator('.filter-grid')
  await merchant.button('console.list.showFilters').click()
  await merchant.field('console.orders.payId').fill('nobody has this one')
  await merchant.button('console.list.search').click()
  await fields.waitFor({ state: 'detached' })
  const toggle = page.locator('.filters-toggle')
  await expect.poll(() => toggle.evaluate((button) => button === document.activeElement)).toBe(true)

  // Nothing has it: the way back is at hand, without the fields.
  await merchant.text('console.list.empty').waitFor()
  await merchant.button('console.list.clearFilters').click()
  await page.locator('.card').first().waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
})

it('a list that asks for a choice first shows where to make it, on a phone too', async () => {
  const admin = await visit('admin', 'en', phoneWidth)
  await admin.open('/api/device/status')
  await admin.text('devices.history.chooseMerchant').waitFor()
  await expect.poll(() => admin.field('devices.field.deviceId').isVisible()).toBe(true)
})

it('a list with nothing in it says what it is for, and not that filters hide something', async () => {
  const clerk = await visit('merchant-sub', 'en')
  await clerk.page.route('**/api/alerts?*', (route) =>
    route.fulfill({
      json: { success: true, resultCode: '000', message: '', data: { list: [], total: 0 } },
    }),
  )
  await clerk.open('/alerts')
  await clerk.text('alerts.list.noneOpen').waitFor()
  expect(await clerk.text('console.list.empty').count()).toBe(0)
  expect(await clerk.button('console.list.clearFilters').count()).toBe(0)
})

it.each([360, phoneWidth])(
  'what can be done with ticked cards stays in sight on a phone of %i pixels, which it fits',
  async (width) => {
    const admin = await visit('admin', 'en', width)
    const { page } = admin
    await admin.open('/devices')
    const cards = page.locator('.card')
    await cards.first().waitFor()
    await untilSettled(page)
    await cards.first().getByRole('checkbox').check()
    await cards.last().getByRole('checkbox').check()
    await page.getByText('2 selected').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const actions = await admin.button('devices.action.withChosen').boundingBox()
    const header = await page.locator('.shell-header').boundingBox()
    expect(actions?.y).toBeGreaterThanOrEqual(header?.height ?? Infinity)
  },
)
