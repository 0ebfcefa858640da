import { watchDevices } from '@chairside/contract'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Disposable,
  Page,
  Request,
} from 'playwright-core'
import { ownAddress } from './own-address.ts'
import type { Screen } from './screens.ts'

export interface Look {
  language: 'en' | 'zh-CN'
  width: number
  appearance: 'light' | 'dark'
}

/** Whoever the demo has a login for, and who has none. */
export type DemoUser = Screen['user'] | 'agent-sub' | 'merchant-sub'

/** A browser of somebody's own with an empty page, signed in unless it is nobody's; the sign-in form has tests of its own. */
export async function openConsole(
  browser: Browser,
  url: string,
  user: DemoUser,
  look: Look = { language: 'en', width: consoleWindow.width, appearance: 'light' },
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext(settingsFor(look))
  const { page } = await openWindow(context, url, user)
  return { context, page }
}

/** A window of the console on a desk, in pixels. */
export const consoleWindow = { width: 1440, height: 900 }

/** How a browser is set in which the console looks like this; nothing moves, so that nothing is waited for. */
export const settingsFor = ({ language, width, appearance }: Look): BrowserContextOptions => ({
  viewport: { ...consoleWindow, width },
  locale: language,
  colorScheme: appearance,
  reducedMotion: 'reduce',
})

/** An empty page of somebody in a browser, and what makes it theirs; whoever comes after them takes that away. */
export async function openWindow(
  context: BrowserContext,
  url: string,
  user: DemoUser,
): Promise<{ page: Page; scripts: Disposable[] }> {
  // Of the code of other screens, only what a test opens is fetched and run.
  const scripts = [await sayDataIsSaved(context, true)]
  if (user !== 'nobody') scripts.push(await signIn(context, url, user))
  const page = await context.newPage()
  countRequests(page)
  return { page, scripts }
}

/** Has the browser say whether its owner saves data, in place of what was said before; of pages that are opened from now on. */
export async function sayDataIsSaved(context: BrowserContext, isSaved: boolean): Promise<Disposable> {
  return await context.addInitScript(
    (saveData) => Object.defineProperty(navigator, 'connection', { value: { saveData }, configurable: true }),
    isSaved,
  )
}

/** Leaves a session where the console keeps it, once for each tab; for logins with the demo's password. */
export async function signIn(context: BrowserContext, url: string, username: string): Promise<Disposable> {
  const answer = await context.request.post(`${url}/api/sessions/login`, {
    data: { username, password: 'demo1234' },
    headers: ownAddress(),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  return await context.addInitScript((user) => {
    // A frame that shows the pay page keeps nothing.
    if (window !== window.parent) return
    if (sessionStorage.getItem('began')) return
    sessionStorage.setItem('began', 'yes')
    sessionStorage.setItem('token', user.token)
    sessionStorage.setItem('user', JSON.stringify({ ...user, token: '' }))
  }, data)
}

/** Opens a screen and waits until nothing moves and nothing is on its way. */
export async function openScreen(page: Page, url: string, screen: Screen): Promise<void> {
  await page.goto(url + screen.address)
  await show(page, screen)
}

/** Opens a screen of the console from another one, without loading the console again. */
export async function turnToScreen(page: Page, screen: Screen): Promise<void> {
  await page.evaluate((address) => {
    // Another screen has another title, even if it is called the same.
    if (new URL(address, location.href).pathname !== location.pathname)
      document.querySelector('main h1')?.setAttribute('data-left', '')
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, screen.address)
  await page.locator('main h1[data-left]').waitFor({ state: 'detached' })
  await page.waitForTimeout(50)
  await show(page, screen)
}

async function show(page: Page, screen: Screen): Promise<void> {
  await untilSettled(page)
  if (screen.opens) {
    await page.locator(screen.opens).first().click()
    await page.locator('[role=dialog]').first().waitFor()
    await untilSettled(page)
  }
}

/** Requests of a page that are under way, and when the last of them began or ended. */
const traffic = new WeakMap<Page, { underWay: number; changedAt: number }>()
const quietMs = 150

function countRequests(page: Page): void {
  const counts = { underWay: 0, changedAt: Date.now() }
  traffic.set(page, counts)
  const change = (by: 1 | -1) => (request: Request) => {
    // A stream of events is under way for as long as the page stands.
    if (request.url().includes(watchDevices.path)) return
    counts.underWay += by
    counts.changedAt = Date.now()
  }
  page.on('request', change(1))
  page.on('requestfinished', change(-1))
  page.on('requestfailed', change(-1))
}

function isQuiet(page: Page): boolean {
  const counts = traffic.get(page)
  return !counts || (counts.underWay <= 0 && Date.now() - counts.changedAt >= quietMs)
}

/** Waits until nothing of a page is on its way or being filled; what was filled may ask for more. */
export async function untilSettled(page: Page): Promise<void> {
  do {
    while (!isQuiet(page)) await page.waitForTimeout(30)
    await page.waitForFunction(
      () => document.querySelector('main') && !document.querySelector('.ant-skeleton, [aria-busy=true]'),
    )
    await page.waitForTimeout(100)
  } while (!isQuiet(page))
}
