import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { findViolations } from './accessibility.ts'
import { launchBrowser } from './browser.ts'
import { callAs, type DemoCall } from './demo-calls.ts'
import { chairForSale } from './demo-chairs.ts'
import { untilSettled } from './open-screen.ts'
import { overflowOf } from './overflow.ts'

const { url } = inject('demo')
const leastTarget = 44

let browser: Browser
let call: DemoCall
beforeAll(async () => {
  browser = await launchBrowser()
  call = await callAs(url, 'merchant')
})
afterAll(async () => {
  await browser?.close()
})

/** What makes a page hard to use for somebody: a line for each. */
async function findHurdles(page: Page): Promise<string[]> {
  const widthOver = await overflowOf(page)
  const smallTargets = await page.evaluate(
    (least) =>
      // What is pressed for a choice is its whole label.
      [...document.querySelectorAll('a, button, label, input:not(label input)')]
        .map((target) => ({ words: target.textContent, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && (box.height < least || box.width < least))
        .map(({ words, box }) => `${words} is ${Math.round(box.width)} × ${Math.round(box.height)}`),
    leastTarget,
  )
  return [
    ...(await findViolations(page)),
    ...smallTargets,
    ...(widthOver > 0 ? [`${widthOver} pixels too wide`] : []),
  ]
}

it.each([
  { language: 'en', colorScheme: 'light', zoom: 1 },
  { language: 'zh-CN', colorScheme: 'dark', zoom: 1 },
  { language: 'en', colorScheme: 'light', zoom: 1.6 },
] as const)(
  'the pay page can be used by everybody ($language, $colorScheme, letters × $zoom)',
  async ({ language, colorScheme, zoom }) => {
    const phone = await browser.newContext({
      viewport: { width: 360, height: 740 },
      locale: language,
      colorScheme,
    })
    onTestFinished(() => phone.close())
    const page = await phone.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    const open = async (deviceId: string) => {
      await page.goto(`${url}/d/${deviceId}`)
      await untilSettled(page)
      // What WeChat's setting of large letters does.
      await page.addStyleTag({
        content: `html { font-size: ${zoom * 100}%; -webkit-text-size-adjust: ${zoom * 100}% }`,
      })
    }
    const { deviceId } = await chairForSale(call, 'payPage')
    await open(deviceId)
    await page.getByRole('button', { name: /¥/ }).first().waitFor()
    expect(await findHurdles(page)).toEqual([])
    await page.getByRole('button', { name: /¥/ }).first().click()
    await page.getByRole('link', { name: language === 'en' ? 'Open the payment' : '打开支付页面' }).waitFor()
    expect(await findHurdles(page)).toEqual([])
    await open('G000000')
    await page.getByRole('heading').first().waitFor()
    expect(await findHurdles(page)).toEqual([])
    expect(faults).toEqual([])
  },
)

it('the pay page comes over a poor line: it weighs at most 60 kB', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 780 }, locale: 'en' })
  onTestFinished(() => page.close())
  const { deviceId } = await chairForSale(call, 'payPage')
  await page.goto(`${url}/d/${deviceId}`)
  await page.getByRole('button', { name: /¥/ }).first().waitFor()
  const bytes = await page.evaluate(() => {
    const fetched = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[]
    // Pictures are the merchant's own.
    const ours = fetched.filter(({ initiatorType }) => initiatorType !== 'img' && initiatorType !== 'css')
    return ours.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  })
  expect(bytes).toBeGreaterThan(5000)
  expect(bytes).toBeLessThanOrEqual(60_000)
})

it('the pay page says something also before its script is there, and without one', async () => {
  const phone = await browser.newContext({ viewport: { width: 360, height: 640 }, javaScriptEnabled: false })
  onTestFinished(() => phone.close())
  const page = await phone.newPage()
  await page.goto(`${url}/d/G000000`)
  const words = await page.locator('body').innerText()
  expect(words).toContain('One moment…')
  expect(words).toContain('Please allow JavaScript here.')
})
