import type { DeviceRow, OrderRow, OrganisationRow } from '@chairside/contract'
import { expect, inject, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { callAs } from './demo-calls.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { visit } = receiveVisitors()
const { visit: visitInNewBrowser } = receiveVisitors({ inNewBrowsers: true })
const { url } = inject('demo')

async function openBox(visitor: Visitor) {
  await visitor.page.keyboard.press('Control+k')
  const box = visitor.page.getByRole('combobox', { name: visitor.say('console.header.goToPlaceholder') })
  await visitor.page.locator('[role=combobox]:focus').waitFor()
  return box
}
const options = ({ page }: Visitor) => page.getByRole('listbox').getByRole('option')

it.each(['en', 'zh-CN'] as const)(
  '%s: one box finds an order, a device, a merchant and a screen, by keyboard',
  async (language) => {
    const asMerchant = await callAs(url, 'merchant')
    const { list: orders } = await asMerchant<{ list: OrderRow[] }>('GET', '/api/history/orders?pagesize=10')
    const order = orders[0]
    const { list: devices } = await asMerchant<{ list: DeviceRow[] }>('GET', '/api/devices?pagesize=10')
    const device = devices[0]
    if (!order || !device) throw new Error('the merchant has no orders or devices')

    const owner = await visit('merchant', language)
    const { page } = owner
    await owner.open('/')
    await page.locator('.figures').waitFor()
    await (await openBox(owner)).fill(order.orderId)
    await options(owner).getByText(order.orderId).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/historyorder\?.*orderid=/)
    await page.getByRole('row', { name: new RegExp(order.orderId) }).waitFor()

    await (await openBox(owner)).fill(device.deviceId)
    await options(owner).getByText(device.deviceId).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/devices/card/${device.deviceId}`))
    await page.getByRole('heading', { level: 1, name: new RegExp(device.deviceId) }).waitFor()

    const admin = await visit('admin', language, 390)
    const asAdmin = await callAs(url, 'admin')
    const { list } = await asAdmin<{ list: OrganisationRow[] }>(
      'GET',
      '/api/merchants/user?userid=merchant&type=A&pagesize=10',
    )
    const merchant = list.find(({ userId }) => userId === 'merchant')
    if (!merchant) throw new Error('there is no merchant')
    await admin.open('/')
    await admin.page.locator('.figures').waitFor()
    await (await openBox(admin)).fill(merchant.mobile.slice(-4))
    await options(admin).getByText(merchant.name).click()
    await admin.page.waitForURL(/\/merchants\?userid=merchant/)
    await admin.page.locator('.card').first().waitFor()

    await (await openBox(admin)).fill(admin.say('permissions.page.models'))
    await options(admin).getByText('/models').waitFor()
    await admin.page.keyboard.press('Enter')
    await admin.arrive('/models')
  },
)

it('a merchant is found by the initials of its pinyin, and nothing is asked while they are composed', async () => {
  const admin = await visitInNewBrowser('admin', 'zh-CN')
  const { page } = admin
  await page.clock.install()
  await admin.open('/')
  await page.locator('.figures').waitFor()
  const box = await openBox(admin)
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/find') && asked.push(request.url()))
  await box.evaluate((input) =>
    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true })),
  )
  await box.fill('hdjg')
  await page.clock.runFor(1000)
  await page.evaluate(async () => void (await fetch('/healthz')))
  expect(asked).toEqual([])
  await box.evaluate((input) =>
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true })),
  )
  await options(admin).getByText('海底角共享按摩').waitFor()
  expect(asked).toHaveLength(1)
})

it('a day of the report leads to its orders', async () => {
  const owner = await visit('merchant', 'en')
  const { page } = owner
  await owner.open('/reportorderday')
  const day = page.getByRole('table').getByRole('link').first()
  const date = (await day.textContent()) ?? ''
  expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
  await day.click()
  await page.waitForURL(new RegExp(`/orders\\?startdate=${date}&enddate=${date}`))
  await page.locator('.totals').waitFor()
})
