import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openConsole, sayDataIsSaved } from './open-screen.ts'

/* The code of screens that are not open yet comes while somebody reads the first one. */

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** A merchant opens the orders in a new tab, which are answered when they may be; answers which files of code it asks for. */
async function openOrders(savesData: boolean, mayBeAnswered = Promise.resolve()) {
  const { context, page } = await openConsole(browser, demo.url, 'merchant')
  await sayDataIsSaved(context, savesData)
  await page.route('**/api/orders?**', async (route) => {
    await mayBeAnswered
    await route.continue()
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${demo.url}/orders`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { asksFor: (file: string) => asked.some((url) => url.includes(`/${file}-`)), page, context }
}

it('fetches the code of the other screens and the charts once the first screen stands', async () => {
  const { promise: mayBeAnswered, resolve: answer } = Promise.withResolvers<void>()
  const { asksFor, page, context } = await openOrders(false, mayBeAnswered)
  await page.waitForTimeout(3000)
  expect(asksFor('places-page')).toBe(false)
  answer()
  await page.getByRole('table').waitFor()
  await expect.poll(() => asksFor('places-page') && asksFor('day-bars')).toBe(true)
  // A merchant has no screen of models.
  expect(asksFor('models-page')).toBe(false)
  await context.close()
})

it('fetches nothing ahead for people who save data', async () => {
  const { asksFor, page, context } = await openOrders(true)
  await page.getByRole('table').waitFor()
  await page.waitForTimeout(4000)
  expect(asksFor('places-page')).toBe(false)
  await context.close()
})
