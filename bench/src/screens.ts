import { launchBrowser } from '@chairside/e2e/browser'
import { signIn } from '@chairside/e2e/open-screen'
import type { Browser, Page } from 'playwright-core'
import type { Caller } from './callers.ts'
import { timingOf, type Timing } from './measure.ts'

/** Of somebody's way through the console, from one screen of the menu to the next. */
export interface ScreenResult {
  role: Caller['role']
  address: string
  /** From the click until the screen shows all its data, in a tab that has not seen it before. */
  first: Timing
  /** The same when it has. */
  again: Timing
}

/** A pointer rests on a link for a moment before it is pressed. */
const restMs = 120
/** What is opened first is read for a moment; meanwhile the console fetches the code of the other screens. */
const readMs = 5000
const roundsAgain = 3
const mostMs = 20_000

/** Follows a link of the menu. @returns milliseconds from the click to the frame that shows the screen with its data */
async function turnTo(page: Page, address: string): Promise<number> {
  await page.locator(`.main-menu a[href="${address}"]`).hover()
  await page.waitForTimeout(restMs)
  return page.evaluate(
    ({ target, longestMs }) =>
      new Promise<number>((resolve, reject) => {
        const start = performance.now()
        const before = document.querySelector('h1')
        const stands = () =>
          location.pathname === target &&
          document.querySelector('h1') !== before &&
          !document.querySelector('main .ant-skeleton, main .ant-spin, main [aria-busy=true]')
        const look = () => {
          const passedMs = performance.now() - start
          if (passedMs > longestMs) reject(new Error(`the screen ${target} did not come`))
          else if (document.querySelector('h1') && stands()) resolve(passedMs)
          else requestAnimationFrame(look)
        }
        document.querySelector<HTMLElement>(`.main-menu a[href="${target}"]`)?.click()
        requestAnimationFrame(look)
      }),
    { target: address, longestMs: mostMs },
  )
}

/** Opens the console anew for each round and walks through the whole menu, once and then again and again. */
async function walkThroughMenu(
  browser: Browser,
  url: string,
  { role, userName }: Caller,
  rounds: number,
): Promise<ScreenResult[]> {
  const found = new Map<string, { first: number[]; again: number[] }>()
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
    await signIn(context, url, userName)
    const page = await context.newPage()
    await page.goto(`${url}/myinformation`)
    const links = page.locator('.main-menu a')
    await links.first().waitFor()
    await page.waitForTimeout(readMs)
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    // From the last one the way leads back to the first.
    for (let walk = 0; walk <= roundsAgain; walk++)
      for (const address of addresses) {
        if (walk === 0 && address === '/myinformation') continue
        const times = found.get(address) ?? { first: [], again: [] }
        found.set(address, times)
        times[walk === 0 ? 'first' : 'again'].push(await turnTo(page, address))
      }
    await context.close()
  }
  return [...found].map(([address, { first, again }]) => ({
    role,
    address,
    first: timingOf(first),
    again: timingOf(again),
  }))
}

/** How long it takes to turn from screen to screen in a real browser, for a merchant and the operator. */
export async function measureScreens(
  url: string,
  callers: readonly Caller[],
  options: { rounds: number; say(text: string): void },
): Promise<ScreenResult[]> {
  const browser = await launchBrowser({ optimises: true })
  try {
    const results: ScreenResult[] = []
    for (const caller of callers) {
      options.say(`walking through the menu of ${caller.role}`)
      results.push(...(await walkThroughMenu(browser, url, caller, options.rounds)))
    }
    return results
  } finally {
    await browser.close()
  }
}
