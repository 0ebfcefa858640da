import type { Page } from 'playwright-core'

/** By how many pixels a page is wider than its window; 0 when nothing has to be scrolled sideways. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))

/** The same with a long word without a space wherever data is shown: an address, a hash or a list of ids. */
export const overflowOfLongWords = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll('main :is(dd, td, li, h2, p, .card)')]
    const texts = shown.flatMap((element) =>
      [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
    )
    const before = texts.map(({ textContent }) => textContent)
    for (const text of texts) text.textContent = 'M'.repeat(80)
    const overflow = Math.max(0, document.documentElement.scrollWidth - window.innerWidth)
    for (const [index, text] of texts.entries()) text.textContent = before[index] ?? ''
    return overflow
  })
