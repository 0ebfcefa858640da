import { deviceStatuses, watchDevices, type DeviceRow } from '@chairside/contract'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { overflowOf } from './overflow.ts'
import { receiveVisitors } from './visitor.ts'

const { visit } = receiveVisitors()

it.each([390, 1440])('the words of a chart hide none of its bars, at %i pixels', async (width) => {
  const merchant = await visit('merchant', 'en', width)
  const { page } = merchant
  await merchant.open('/')
  const chart = page.locator('.chart svg')
  await chart.getByText('¥').first().waitFor()
  await untilSettled(page)
  const { wordsEnd, wordsRight, barsBegin, chartEnd } = await chart.evaluate((svg) => {
    const mean = [...svg.querySelectorAll('text')].find(({ textContent }) => textContent.includes('¥'))
    const words = mean?.getBoundingClientRect()
    const boxes = [...svg.querySelectorAll('path')].map((path) => path.getBoundingClientRect())
    const bars = boxes.filter((box) => box.height > 0 && box.width < svg.clientWidth / 10)
    return {
      wordsEnd: words?.bottom ?? Infinity,
      wordsRight: words?.right ?? Infinity,
      barsBegin: Math.min(...bars.map(({ top }) => top)),
      chartEnd: svg.getBoundingClientRect().right,
    }
  })
  expect(wordsEnd).toBeLessThanOrEqual(barsBegin)
  expect(wordsRight).toBeLessThanOrEqual(chartEnd)
})

it.each([
  [900, 0],
  [700, 0],
  [650, 4],
])('the whole menu of a row is in sight in a window %i pixels high, of row %i', async (height, row) => {
  const admin = await visit('admin', 'en')
  const { page } = admin
  await page.setViewportSize({ width: 1440, height })
  await admin.open('/devices')
  await untilSettled(page)
  await page.locator('.row-actions button').nth(row).click()
  const actions = page.getByRole('menuitem')
  await actions.last().waitFor()
  const edgeOf = (action: Locator, edge: 'top' | 'bottom') =>
    action.evaluate((element, side) => element.getBoundingClientRect()[side], edge)
  await expect.poll(() => edgeOf(actions.first(), 'top')).toBeGreaterThanOrEqual(0)
  await expect.poll(() => edgeOf(actions.last(), 'bottom')).toBeLessThanOrEqual(height)
})

it('on a phone a day without income says so', async () => {
  const merchant = await visit('merchant-sub', 'en', 390)
  await merchant.open('/reportorderday')
  await merchant.page.locator('.card').first().waitFor()
  const bare = merchant.page.locator('.card:not(:has(dd))')
  expect(await bare.count()).toBe(0)
})

it.each([768, 1024])('a long name in the header makes no screen wider than %i pixels', async (width) => {
  const merchant = await visit('merchant', 'en', width)
  // The menu stands beside it, as somebody left it.
  await merchant.page.addInitScript(() => localStorage.setItem('MENU', ''))
  await merchant.open('/place')
  await untilSettled(merchant.page)
  expect(await overflowOf(merchant.page)).toBe(0)
})

it('a tablet shows its lists without the menu beside them until somebody wants it there', async () => {
  const merchant = await visit('merchant', 'en', 768)
  const { page } = merchant
  const menu = page.locator('.shell-side')
  await merchant.open('/orders')
  await untilSettled(page)
  expect(await menu.count()).toBe(0)
  await merchant.button('console.app.menu').click()
  await menu.waitFor()
  await page.reload()
  await menu.waitFor()
})

it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'the calendar’s today is the platform’s for a browser in %s',
  async (timezoneId) => {
    const merchant = await visit('merchant', 'en')
    const { page } = merchant
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTimezoneOverride', { timezoneId })
    await merchant.open('/orders')
    const field = page.locator('.ant-picker input').first()
    await field.click()
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date())
    expect(await page.locator('.ant-picker-cell-today').getAttribute('title')).toBe(day)
    await page.locator('.ant-picker-now-btn').click()
    await expect.poll(() => field.inputValue()).toBe(day)
  },
)

it.each(['admin', 'agent', 'merchant'] as const)(
  'a chair that runs says so on the line of its status, for an %s',
  async (user) => {
    const { page, open, say } = await withRunningChairs(user)
    await open()
    const running = page.getByRole('cell').getByText(say('console.devices.running'), { exact: true })
    await running.first().waitFor()
    const heights = await page
      .locator('td .tags')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height))
    const tag = await running.first().evaluate((element) => element.getBoundingClientRect().height)
    expect(Math.max(...heights)).toBeLessThan(2 * tag)
    expect(
      await page.locator('.table-frame').evaluate((frame) => frame.scrollWidth - frame.clientWidth),
    ).toBe(0)
  },
)

/** The device list, all chairs of which are online and run. */
async function withRunningChairs(user: 'admin' | 'agent' | 'merchant') {
  const visitor = await visit(user, 'en')
  const { page } = visitor
  // What is told of them as they are would follow.
  await page.route(`**${watchDevices.path}*`, (route) => route.abort())
  await page.route('**/api/devices?*', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { data: { list: Partial<DeviceRow>[] } }
    for (const device of json.data.list)
      Object.assign(device, { running: true, status: deviceStatuses.wifiOnline, blocked: false })
    await route.fulfill({ response, json })
  })
  return { page, open: () => visitor.open('/devices'), say: visitor.say.bind(visitor) }
}

it('the longest device id stays on one line', async () => {
  const admin = await visit('admin', 'en')
  const { page } = admin
  const longest = `B${'1'.repeat(19)}`
  await page.route('**/api/devices?*', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { data: { list: { deviceId: string }[] } }
    const [first] = json.data.list
    if (first) first.deviceId = longest
    await route.fulfill({ response, json })
  })
  await admin.open('/devices')
  const lines = () => page.getByText(longest, { exact: true }).evaluate((id) => id.getClientRects().length)
  await expect.poll(lines).toBe(1)
})
