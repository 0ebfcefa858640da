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

/** The code of one screen, as it is called in the address of its file. */
const codeOfScreen = /\/([a-z-]+-page)-[^/]+\.js$/

/**
 * A merchant opens the orders in a new tab, which are answered when they may be; answers which files of code it asks for,
 * and a way to let time pass.
 */
async function openOrders(savesData: boolean, mayBeAnswered = Promise.resolve()) {
  const { context, page } = await openConsole(browser, demo.url, 'merchant')
  await sayDataIsSaved(context, savesData)
  await page.route('**/api/orders?**', async (route) => {
    await mayBeAnswered
    await route.continue()
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.clock.install()
  await page.goto(`${demo.url}/orders`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Only then it is known which screens there are.
  await page.locator('.main-menu a').first().waitFor()
  const passTime = async () => {
    await page.clock.runFor('00:10')
    // Whatever was asked for meanwhile is known of when this is answered.
    await page.evaluate(async () => void (await fetch('/healthz')))
  }
  const asksFor = (file: string) => asked.some((url) => url.includes(`/${file}-`))
  /** The screens whose code it has asked for, each once. */
  const screens = () => [...new Set(asked.flatMap((url) => codeOfScreen.exec(url)?.[1] ?? []))]
  return { asksFor, screens, passTime, page, context }
}

it('fetches the code of the other screens and the charts once the first screen stands', async () => {
  const { promise: mayBeAnswered, resolve: answer } = Promise.withResolvers<void>()
  const { asksFor, screens, passTime, page, context } = await openOrders(false, mayBeAnswered)
  await passTime()
  expect(screens()).toEqual(['orders-page'])
  answer()
  await page.getByRole('table').waitFor()
  await expect.poll(() => asksFor('places-page') && asksFor('day-bars')).toBe(true)
  // A merchant has no screen of models.
  expect(asksFor('models-page')).toBe(false)
  await context.close()
})

it('fetches nothing ahead for people who save data', async () => {
  const { screens, passTime, page, context } = await openOrders(true)
  await page.getByRole('table').waitFor()
  await passTime()
  expect(screens()).toEqual(['orders-page'])
  await context.close()
})
