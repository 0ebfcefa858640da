import type { Page } from 'playwright-core'

/** By how many pixels a page is wider than its window; 0 when nothing has to be scrolled sideways. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))

/** The same with a long word without a space wherever data is shown: an address, a hash or a list of ids. */
export const overflowOfLongWords = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('main :is(dd, td, li, h1, h2, p, .card)')]
    const texts = shown.flatMap((element) =>
      [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
    )
    const before = texts.map(({ textContent }) => textContent)
    for (const text of texts) text.textContent = 'M'.repeat(80)
    const overflow = Math.max(0, document.documentElement.scrollWidth - window.innerWidth)
    for (const [index, text] of texts.entries()) text.textContent = before[index] ?? ''
    return overflow
  })

/** What does not fit of the tables of a page: tables that have to be scrolled, and cells that lie over the next one. */
export const overflowOfTables = (page: Page): Promise<string[]> =>
  page.locator('.table-frame').evaluateAll((frames) =>
    frames.flatMap((frame) => {
      const isCut = (cell: Element) => {
        const content = document.createRange()
        content.selectNodeContents(cell)
        const hides = cell.matches('.one-line, :has(.unseen)')
        return !hides && content.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1
      }
      const cut = [...frame.querySelectorAll('th, td')]
        .filter(isCut)
        .map((cell) => `cut: ${cell.textContent}`)
      const over = frame.scrollWidth - frame.clientWidth
      return over > 0 ? [`a table is ${over} pixels too wide`, ...cut] : cut
    }),
  )
