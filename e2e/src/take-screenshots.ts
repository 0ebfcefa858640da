import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { callAs } from './demo-calls.ts'
import { chairForSale } from './demo-chairs.ts'
import { startDemoServer } from './demo-server.ts'
import { openConsole, openScreen } from './open-screen.ts'
import { screens } from './screens.ts'
import { applyForRefund } from './waiting-refund.ts'

/* `npm run screenshots`: every screen in both languages, wide and on a phone, into docs/screenshots. */

const folder = path.join(import.meta.dirname, '../../docs/screenshots')
const languages = ['en', 'zh-CN'] as const
const widths = [1440, 390] as const

fs.mkdirSync(folder, { recursive: true })
const demo = await startDemoServer({ orders: 60_000, devices: 1000, isStill: false })
const browser = await launchBrowser()
try {
  await applyForRefund(demo.url)
  const merchant = await callAs(demo.url, 'merchant')
  for (const language of languages) {
    for (const width of widths) {
      const shoot = (page: Page, name: string) =>
        page.screenshot({ path: path.join(folder, `${name}-${language}-${width}.png`) })
      for (const user of new Set(screens.map((screen) => screen.user))) {
        const { context, page } = await openConsole(browser, demo.url, user, {
          language,
          width,
          appearance: 'light',
        })
        for (const screen of screens.filter((one) => one.user === user)) {
          await openScreen(page, demo.url, screen)
          await shoot(page, screen.name)
        }
        await context.close()
      }
      const phone = await browser.newContext({ viewport: { width, height: 900 }, locale: language })
      const page = await phone.newPage()
      // The demo's customers sit down meanwhile, on this chair or that.
      const { deviceId } = await chairForSale(merchant, 'payPage')
      await page.goto(`${demo.url}/d/${deviceId}`)
      await page.waitForLoadState('networkidle')
      await shoot(page, 'pay-page')
      await phone.close()
    }
  }
} finally {
  await browser.close()
  await demo.stop()
}
