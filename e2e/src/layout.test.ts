import { expect, it } from 'vitest'
import { turnToScreen, untilSettled } from './open-screen.ts'
import { screens } from './screens.ts'
import { receiveVisitors } from './visitor.ts'

const { visit } = receiveVisitors()

it.each([390, 1440])(
  'the words of a chart hide none of its bars, at %i pixels',
  async (width) => {
    const merchant = await visit('merchant', 'en', width)
    const { page } = merchant
    await merchant.open('/')
    const chart = page.locator('.chart svg')
    await chart.waitFor()
    await untilSettled(page)
    const { wordsEnd, wordsRight, barsBegin, chartEnd } = await chart.evaluate((svg) => {
      const mean = [...svg.querySelectorAll('text')].find(({ textContent }) => textContent.includes('¥'))
      const words = mean?.getBoundingClientRect()
      const boxes = [...svg.querySelectorAll('path')].map((path) => path.getBoundingClientRect())
      const bars = boxes.filter((box) => box.height > 0 && box.width < svg.clientWidth / 10)
      return {
        wordsEnd: words?.bottom ?? Infinity,
        wordsRight: words?.right ?? Infinity,
        barsBegin: Math.min(...bars.map(({ top }) => top)),
        chartEnd: svg.getBoundingClientRect().right,
      }
    })
    expect(wordsEnd).toBeLessThanOrEqual(barsBegin)
    expect(wordsRight).toBeLessThanOrEqual(chartEnd)
  },
  60_000,
)

it.each(['admin', 'agent', 'merchant'] as const)(
  'the lists of %s fit a screen of 1440 with all columns, and no cell lies over the next one',
  async (user) => {
    const visitor = await visit(user, 'en')
    const { page } = visitor
    await visitor.open('/')
    await untilSettled(page)
    const faults: string[] = []
    for (const screen of screens.filter((one) => one.user === user && one.opens === undefined)) {
      await turnToScreen(page, screen)
      const found = await page.locator('.table-frame').evaluateAll((frames) =>
        frames.flatMap((frame) => {
          const isCut = (cell: Element) => {
            const content = document.createRange()
            content.selectNodeContents(cell)
            const hides = cell.matches('.one-line, :has(.unseen)')
            return !hides && content.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1
          }
          const cut = [...frame.querySelectorAll('th, td')].filter(isCut).map((cell) => cell.textContent)
          const over = frame.scrollWidth - frame.clientWidth
          return over > 0 ? [`${over} pixels too wide`, ...cut] : cut
        }),
      )
      faults.push(...found.map((fault) => `${screen.name}: ${fault}`))
    }
    expect(faults).toEqual([])
  },
  120_000,
)
