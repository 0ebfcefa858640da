import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { consoleWindow, settingsFor, type Look } from './open-screen.ts'

type Language = Look['language']

const settings = {
  desk: (language: Language) => settingsFor({ language, width: consoleWindow.width, appearance: 'light' }),
  /** As customers have theirs: what moves, moves. */
  phone: (language: Language): BrowserContextOptions => ({
    viewport: { width: 390, height: 844 },
    locale: language,
  }),
}

interface BrowserKind {
  language: Language
  at: keyof typeof settings
}

interface OpenBrowser {
  context: BrowserContext
  /** An empty window that nobody sees: with the last window, the process that draws would end. */
  hidden: Page
}

export interface LentBrowser {
  context: BrowserContext
  /** Takes it back from whoever leaves; one in which a test failed is lent to nobody again. */
  giveBack(url: string, hasFailed: boolean): Promise<void>
}

/*
 * In a new browser everything is fetched, compiled and drawn for the first time, which costs more than what most tests do
 * in it. So those who leave hand theirs on: nothing that they kept is in it, but what it fetched and compiled.
 */
let program: Promise<Browser> | undefined
const free = new Map<string, OpenBrowser[]>()

async function openBrowser({ language, at }: BrowserKind): Promise<OpenBrowser> {
  // Ends with the process of the tests.
  program ??= launchBrowser()
  const browser = await program
  const context = await browser.newContext(settings[at](language))
  return { context, hidden: await context.newPage() }
}

/** A browser in which nobody has kept anything; `isNew` when it must not have fetched anything either. */
export async function borrowBrowser(kind: BrowserKind, isNew: boolean): Promise<LentBrowser> {
  const key = `${kind.language} ${kind.at}`
  const lent = (isNew ? undefined : free.get(key)?.pop()) ?? (await openBrowser(kind))
  const { context, hidden } = lent
  return {
    context,
    async giveBack(url, hasFailed) {
      const left = context.pages().filter((page) => page !== hidden)
      // An answer that a test plays may still be on its way, and nobody waits for it any more.
      for (const page of left) await page.unrouteAll({ behavior: 'ignoreErrors' })
      if (isNew || hasFailed) return context.close()
      for (const page of left) await page.close()
      const session = await context.newCDPSession(hidden)
      await session.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'local_storage' })
      await session.detach()
      await context.clearCookies()
      free.set(key, [...(free.get(key) ?? []), lent])
    },
  }
}
