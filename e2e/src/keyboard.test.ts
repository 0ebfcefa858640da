import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { callAs } from './demo-calls.ts'

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
})

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
  })

/** Waits for something of a dialog to have the focus, by its role. */
const untilFocused = (page: Page, selector: string) =>
  page.locator(`[role=dialog] ${selector}:focus`).waitFor()

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp, most = 160): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab')
    if (name.test(await focused(page))) return
  }
  throw new Error(`Tab does not come to ${name}`)
}

it('lets somebody without a mouse find an order, apply for its refund and log out', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${demo.url}/login`)
  await page.locator('input[autocomplete=username]:focus').waitFor()
  await page.keyboard.type('merchant')
  await page.keyboard.press('Tab')
  await page.keyboard.type('demo1234')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${demo.url}/`)
  await page.locator('.figures').waitFor()

  // The first stop leads past the menu, straight to the content.
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to content')

  await page.keyboard.press('Control+k')
  await untilFocused(page, 'input')
  await page.keyboard.type('order')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${demo.url}/orders`)
  await page.getByRole('table').waitFor()

  // A filter: `/` leads to the first field, Enter searches.
  await page.keyboard.press('/')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  const orderId = (await page.locator('.id-button code').first().textContent()) ?? ''
  await page.getByLabel('Order id').focus()
  await page.keyboard.type(orderId)
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`orderid=${orderId}`))
  await expect.poll(() => page.getByText('1 in total').count()).toBe(1)

  await tabTo(page, new RegExp(orderId))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The focus is back where it came from.
  await expect.poll(() => focused(page)).toBe(orderId)

  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // The oldest, which no other test takes.
  const call = await callAs(demo.url, 'merchant')
  const paid = 'status=3&paychannel=wechatPay'
  const { list } = await call<{ list: { orderId: string }[] }>('GET', `/api/orders?${paid}&pagesize=0`)
  await page.goto(`${demo.url}/orders?${paid}&orderid=${list.at(-1)?.orderId}`)
  await page.getByRole('table').waitFor()
  await tabTo(page, /^Refund$/)
  await page.keyboard.press('Enter')
  await untilFocused(page, 'textarea')
  await page.keyboard.type('asked for without a mouse')
  await tabTo(page, /^Refund$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).not.toBe('')

  await page.keyboard.press('Control+Home')
  await tabTo(page, /Merchant$/)
  await page.keyboard.press('Enter')
  await page.locator('.user-menu :focus').waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toMatch(/Merchant$/)
  await page.keyboard.press('Enter')
  await page.locator('.user-menu :focus').waitFor({ state: 'attached' })
  await tabTo(page, /^Sign out$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, /^Sign out$/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/login/)
  await context.close()
})
