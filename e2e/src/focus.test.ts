import { expect, it } from 'vitest'
import { callAs } from './demo-calls.ts'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { url, visit } = receiveVisitors()

/** What the focused element is called, by its own label or what it says; empty when nothing has the focus. */
const focused = ({ page }: Visitor) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    if (element === null || element === document.body) return ''
    return element.getAttribute('aria-label') ?? element.textContent.trim()
  })

it('a dialog begins in its first field, also for people who want no motion', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  const begins = async (field: string) => {
    await page.locator(`[role=dialog] ${field}:focus`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await merchant.open('/place')
  await page.getByRole('table').waitFor()
  expect(await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)).toBe(true)
  await page.keyboard.press('Control+k')
  await begins('input[role=combobox]')
  await merchant.button('catalogue.place.add').click()
  await begins('[data-field=address] input')
  await merchant.open('/devices')
  await page.getByRole('checkbox', { name: merchant.say('console.list.selectPage') }).check()
  const toolbar = page.getByRole('toolbar')
  await merchant.button('devices.action.start', toolbar).click()
  await begins('[data-field=duration] input')
})

it('the focus stays with the rows when the row that had it is deleted', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  const address = 'A place that goes'
  const call = await callAs(url, 'merchant')
  await call('POST', '/api/merchant/place', { address })
  await merchant.open('/place')
  await merchant.row(address).waitFor()
  await merchant.chooseMore(address, 'catalogue.place.delete')
  await merchant.untilFocused(merchant.dialog())
  await merchant.button('catalogue.place.delete', merchant.dialog()).press('Enter')
  await merchant.row(address).waitFor({ state: 'detached' })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => focused(merchant)).toBe(merchant.say('catalogue.place.title'))
})

it('the focus stays with the rows when there is no next page any more', async () => {
  const merchant = await visit('merchant', 'zh-CN')
  await merchant.open('/devices')
  await untilSettled(merchant.page)
  await merchant.button('console.list.next').press('Enter')
  await untilSettled(merchant.page)
  await expect.poll(() => focused(merchant)).toBe(merchant.say('console.list.next'))
  await merchant.button('console.list.last').press('Enter')
  await expect.poll(() => focused(merchant)).toBe(merchant.say('console.devices.title'))
})

it('a screen is printed without what only works on a screen', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await merchant.open('/reportorderday')
  await page.getByRole('table').waitFor()
  await page.locator('tfoot').waitFor()
  await page.emulateMedia({ media: 'print' })
  const seen = await page.evaluate(() => {
    const isSeen = (selector: string) =>
      [...document.querySelectorAll(selector)].some((element) => element.checkVisibility())
    const frame = document.querySelector('.table-frame')
    return {
      menu: isSeen('.shell-side'),
      header: isSeen('.shell-header'),
      tools: isSeen('.screen-actions'),
      title: isSeen('h1'),
      total: isSeen('tfoot'),
      isCut: frame !== null && frame.scrollHeight > frame.clientHeight,
    }
  })
  expect(seen).toEqual({ menu: false, header: false, tools: false, title: true, total: true, isCut: false })
})

it('the focus stays with the export while it runs and when it is over, and a double press begins one', async () => {
  const merchant = await visit('merchant', 'zh-CN')
  const { page } = merchant
  await merchant.open('/devices')
  await page.getByRole('table').waitFor()
  const goesOn = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/api/devices*', async (route) => {
    if (!route.request().headers()['accept']?.includes('spreadsheet')) return route.continue()
    asked++
    await goesOn.promise
    return route.continue()
  })
  const button = merchant.button('console.list.export')
  await button.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(merchant)).toBe(merchant.say('console.list.exportCancel'))
  goesOn.resolve()
  await page.locator('.ant-message-success').waitFor()
  await expect.poll(() => focused(merchant)).toBe(merchant.say('console.list.export'))
  expect(asked).toBe(1)
})

it('what has the focus is not below what stays in sight above it, on the way back up a phone', async () => {
  const admin = await visit('admin', 'en', 390)
  const { page } = admin
  await admin.open('/devices')
  await untilSettled(page)
  await page.locator('.card').last().getByRole('checkbox').check()
  await page.locator('.selection-bar').waitFor()
  const seen: boolean[] = []
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Shift+Tab')
    seen.push(
      await page.evaluate(() => {
        const bar = document.querySelector('.selection-bar')?.getBoundingClientRect().bottom ?? Infinity
        return (document.activeElement?.getBoundingClientRect().bottom ?? 0) > bar
      }),
    )
  }
  expect(seen).toEqual(seen.map(() => true))
})
