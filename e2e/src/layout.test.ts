import { expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors } from './visitor.ts'

const { visit } = receiveVisitors()

it.each([390, 1440])('the words of a chart hide none of its bars, at %i pixels', async (width) => {
  const merchant = await visit('merchant', 'en', width)
  const { page } = merchant
  await merchant.open('/')
  const chart = page.locator('.chart svg')
  await chart.getByText('¥').first().waitFor()
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
})
