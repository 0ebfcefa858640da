import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { startDemoServer } from './demo-server.ts'

/* `npm run screenshots`: every screen in both languages, wide and on a phone, into docs/screenshots. */

const folder = path.join(import.meta.dirname, '../../docs/screenshots')
const languages = ['en', 'zh-CN'] as const
const widths = [1440, 390] as const
const screens: { name: string; user: string; address: string }[] = [
  { name: 'home', user: 'merchant', address: '/' },
  { name: 'orders', user: 'merchant', address: '/orders' },
  { name: 'agentorder', user: 'agent', address: '/agentorder' },
  { name: 'historyorder', user: 'admin', address: '/historyorder' },
  { name: 'refunds', user: 'admin', address: '/refunds' },
  { name: 'devices', user: 'merchant', address: '/devices' },
  { name: 'reportorderday', user: 'merchant', address: '/reportorderday' },
  { name: 'reportorderday-chart', user: 'merchant', address: '/reportorderday?view=chart' },
]

/** Long enough for rows to arrive and for movements to end. */
const settleMs = 1200

fs.mkdirSync(folder, { recursive: true })
const demo = await startDemoServer()
const browser = await launchBrowser()
try {
  const devices = await chairsOf(demo.url)
  for (const language of languages) {
    for (const width of widths) {
      const shoot = async (page: Page, name: string) => {
        await page.waitForTimeout(settleMs)
        await page.screenshot({ path: path.join(folder, `${name}-${language}-${width}.png`) })
      }
      for (const user of new Set(screens.map((screen) => screen.user))) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, locale: language })
        const page = await context.newPage()
        await page.goto(`${demo.url}/login`)
        if (user === 'merchant') await shoot(page, 'login')
        await page.locator('input[autocomplete=username]').fill(user)
        await page.locator('input[type=password]').fill('demo1234')
        await page.keyboard.press('Enter')
        await page.waitForURL(`${demo.url}/`)
        for (const screen of screens.filter((one) => one.user === user)) {
          await page.goto(demo.url + screen.address)
          await shoot(page, screen.name)
        }
        await context.close()
      }
      const phone = await browser.newContext({ viewport: { width, height: 900 }, locale: language })
      const page = await phone.newPage()
      await page.goto(`${demo.url}/d/${devices}`)
      await shoot(page, 'pay-page')
      await phone.close()
    }
  }
} finally {
  await browser.close()
  await demo.stop()
}

/** A chair of the demo's merchant that can be bought. */
async function chairsOf(url: string): Promise<string> {
  const login = await fetch(`${url}/api/sessions/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'merchant', password: 'demo1234' }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const answer = await fetch(`${url}/api/devices?status=1&associated=1&locked=0`, {
    headers: { 'x-access-token': data.token },
  })
  const { data: found } = (await answer.json()) as { data: { list: { deviceId: string }[] } }
  return found.list[0]?.deviceId ?? ''
}
