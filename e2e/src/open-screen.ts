import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Screen } from './screens.ts'

export interface Look {
  language: 'en' | 'zh-CN'
  width: number
  appearance: 'light' | 'dark'
}

/** A browser of somebody's own, signed in unless it is nobody's. */
export async function openConsole(
  browser: Browser,
  url: string,
  user: Screen['user'] | 'agent-sub' | 'merchant-sub',
  { language, width, appearance }: Look = { language: 'en', width: 1440, appearance: 'light' },
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: language,
    colorScheme: appearance,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  if (user === 'nobody') return { context, page }
  await page.goto(`${url}/login`)
  await page.locator('input[autocomplete=username]').fill(user)
  await page.locator('input[type=password]').fill('demo1234')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/`)
  return { context, page }
}

/** Opens a screen and waits until nothing moves and nothing is on its way. */
export async function openScreen(page: Page, url: string, screen: Screen): Promise<void> {
  await page.goto(url + screen.address)
  await untilSettled(page)
  if (screen.opens) {
    await page.locator(screen.opens).first().click()
    await page.locator('[role=dialog]').first().waitFor()
    await untilSettled(page)
  }
}

async function untilSettled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => !document.querySelector('.ant-skeleton, [aria-busy=true]'))
  await page.waitForTimeout(150)
}
