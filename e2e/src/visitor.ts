import { translate, type TextKey } from '@chairside/contract/locales/texts'
import type { Locator, Page } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'
import { openWindow, untilSettled, consoleWindow, type DemoUser, type Look } from './open-screen.ts'
import { borrowBrowser } from './lent-browsers.ts'

type Language = Look['language']
type Values = Record<string, string | number>

/** Somebody before the console in their language: things are found by the words that people see. */
export class Visitor {
  readonly page: Page
  readonly language: Language
  private readonly url: string
  constructor(page: Page, language: Language, url: string) {
    this.page = page
    this.language = language
    this.url = url
  }
  say(key: TextKey, values: Values = {}): string {
    return translate(this.language, key, values)
  }
  button(key: TextKey, within: Page | Locator = this.page, values: Values = {}): Locator {
    return within.getByRole('button', { name: this.say(key, values), exact: true })
  }
  /** A field to type into, by its label. */
  field(key: TextKey, within: Page | Locator = this.page): Locator {
    return within.getByRole('textbox', { name: this.say(key), exact: true })
  }
  /** The row of a table that holds this word. */
  row(word: string): Locator {
    return this.page.getByRole('row', { name: new RegExp(`${word} `) })
  }
  /** The dialog or drawer that was opened last. */
  dialog(): Locator {
    return this.page.getByRole('dialog').last()
  }
  /** Waits until what has opened takes the focus: what is pressed within it before goes elsewhere. */
  async untilFocused(opened: Locator): Promise<void> {
    await opened.and(this.page.locator(':focus-within')).waitFor()
  }
  /** A word somewhere on the page, such as a message that comes and goes. */
  text(key: TextKey, values: Values = {}): Locator {
    return this.page.getByText(this.say(key, values))
  }
  /** Opens the menu of a row and takes an action of it. */
  async chooseMore(row: string, key: TextKey): Promise<void> {
    // A row that is read again while its menu is open moves below the pointer.
    await untilSettled(this.page)
    await this.page.getByRole('button', { name: this.say('console.list.more', { row }), exact: true }).click()
    await this.menuItem(key).click()
  }
  /** Takes back what was just done; who points at a message keeps it until then. */
  async undo(): Promise<void> {
    await this.button('console.form.undo').hover()
    await this.button('console.form.undo').click()
    await this.text('console.form.undone').waitFor()
  }
  menuItem(key: TextKey): Locator {
    return this.page.getByRole('menuitem', { name: this.say(key), exact: true })
  }
  async open(address: string): Promise<void> {
    await this.page.goto(this.url + address)
  }
  /** Waits until the address is this one. */
  async arrive(address: string): Promise<void> {
    await this.page.waitForURL(this.url + address)
  }
  /** Signs in by the form. */
  async signIn(userName: string, password: string): Promise<void> {
    await this.open('/login')
    await this.page.locator('input[autocomplete=username]').fill(userName)
    await this.page.locator('input[type=password]').fill(password)
    await this.page.keyboard.press('Enter')
  }
}

interface Reception {
  /** Where the demo is. */
  url: string
  /** Somebody signed in, or nobody, until the test is over. */
  visit(user: DemoUser, language: Language, width?: number): Promise<Visitor>
  /** A customer's phone, until the test is over. */
  openPhone(language: Language): Promise<Page>
}

/** What somebody saw when a test failed: the address, what dialogs and messages said. */
async function describeView(page: Page): Promise<string> {
  const words = page.locator('[role=dialog], [role=alert], .ant-message-notice').allInnerTexts()
  // A page may be closed by then.
  return [page.url(), ...(await words.catch(() => []))].join(' | ')
}

/**
 * Declares that the tests of a file share the demo.
 * @param inNewBrowsers whether nobody was in their browsers before, nor comes after: for tests of what is fetched, and those
 * that set a browser's clock
 */
export function receiveVisitors({ inNewBrowsers = false } = {}): Reception {
  const { url } = inject('demo')
  return {
    url,
    async visit(user, language, width = consoleWindow.width) {
      const { context, giveBack } = await borrowBrowser({ language, at: 'desk' }, inNewBrowsers)
      const { page, scripts } = await openWindow(context, url, user)
      onTestFinished(async ({ task }) => {
        const hasFailed = task.result?.state === 'fail'
        if (hasFailed) console.error(`${user}: ${await describeView(page)}`)
        for (const script of scripts) await script.dispose()
        await giveBack(url, hasFailed)
      })
      await page.setViewportSize({ ...consoleWindow, width })
      return new Visitor(page, language, url)
    },
    async openPhone(language) {
      const { context, giveBack } = await borrowBrowser({ language, at: 'phone' }, inNewBrowsers)
      onTestFinished(({ task }) => giveBack(url, task.result?.state === 'fail'))
      return context.newPage()
    },
  }
}
