import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { launchBrowser } from './browser.ts'
import { findClassesLeftOut, findShown } from './component-styles.ts'
import { overflowOf, overflowOfLongWords, overflowOfTables } from './overflow.ts'
import { openConsole, openScreen, turnToScreen, type Look } from './open-screen.ts'
import { screens } from './screens.ts'
import { applyForRefund } from './waiting-refund.ts'

/** Each language, width and appearance is met with each screen. */
const looks: readonly Look[] = [
  { language: 'en', width: 1440, appearance: 'light' },
  { language: 'zh-CN', width: 360, appearance: 'dark' },
]
const firstLoadLimitBytes = 400_000

const demo = inject('demo')
let browser: Browser
let leftOut: Set<string>
beforeAll(async () => {
  browser = await launchBrowser()
  leftOut = await findClassesLeftOut(demo.url)
  await applyForRefund(demo.url)
})
afterAll(async () => {
  await browser?.close()
})

describe.each(looks)('every screen in $language, $width wide, $appearance', (look) => {
  for (const user of new Set(screens.map((screen) => screen.user))) {
    it(`${user}: clean for axe, all styles there, no sideways scroll, no error in the console`, async () => {
      const { context, page } = await openConsole(browser, demo.url, user, look)
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      for (const [number, screen] of screens.filter((one) => one.user === user).entries()) {
        await (number === 0 ? openScreen(page, demo.url, screen) : turnToScreen(page, screen))
        faults.push(...(await findViolations(page)).map((violation) => `${screen.name}: ${violation}`))
        faults.push(
          ...(await findShown(page, leftOut)).map((name) => `${screen.name}: no styles for ${name}`),
        )
        // All columns of a list fit a usual screen.
        if (screen.opens === undefined)
          faults.push(...(await overflowOfTables(page)).map((fault) => `${screen.name}: ${fault}`))
        for (const overflow of [await overflowOf(page), await overflowOfLongWords(page)])
          if (overflow > 0) faults.push(`${screen.name}: ${overflow} pixels too wide`)
        expect(await page.title()).not.toBe('')
      }
      await context.close()
      expect(faults).toEqual([])
    })
  }
})

it('sends no request to another host, and little on the first visit', async () => {
  const { context, page } = await openConsole(browser, demo.url, 'merchant')
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let receivedBytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (receivedBytes += encodedDataLength))
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await openScreen(page, demo.url, { name: 'orders', user: 'merchant', address: '/orders' })
  expect([...hosts]).toEqual([demo.url])
  expect(receivedBytes).toBeGreaterThan(50_000)
  expect(receivedBytes).toBeLessThan(firstLoadLimitBytes)
  await context.close()
})
