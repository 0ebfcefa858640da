import { addDays, formatYuan, type DataOf, type reportOrderDays } from '@chairside/contract'
import { describe, expect, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { callAs } from './demo-calls.ts'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors } from './visitor.ts'

const { url, visit } = receiveVisitors()

const path = '/api/accounting/merchantdays/day'
type Report = DataOf<typeof reportOrderDays>

/** The days before today, of which nothing changes any more but by refunds. */
async function daysBefore(user: 'admin' | 'agent' | 'merchant' | 'merchant-sub', days: number) {
  const call = await callAs(url, user)
  const today = (await call<Report>('GET', `${path}?datetype=2`)).startDate
  const period = `startdate=${addDays(today, -days)}&enddate=${addDays(today, -1)}`
  const { reportDate } = await call<Report>('GET', `${path}?datetype=5&${period}`)
  return { call, period, days: reportDate.toReversed() }
}

describe('a cell of the daily income', () => {
  it.each([
    ['admin', 20],
    ['agent', 20],
    ['merchant', 20],
    // Of some places alone, many days have nothing.
    ['merchant-sub', 150],
  ] as const)('is the sum of its lines to the cent, for %s', async (user, count) => {
    const { call, days } = await daysBefore(user, count)
    const cells = days.map(({ reportDate, totalIncome }) => [reportDate, totalIncome])
    const sums: (string | number)[][] = []
    for (const { reportDate } of days)
      sums.push([reportDate, await call<number>('GET', `${path}/lines/sum?day=${reportDate}`)])
    expect(sums).toEqual(cells)
    expect(cells.some(([, cents]) => Number(cents) > 0)).toBe(true)
  })

  it.each(['en', 'zh-CN'] as const)('leads to its lines, and each to its order (%s)', async (language) => {
    const { period, days } = await daysBefore('merchant', 60)
    const day = days.find(({ qrcodePayIncome }) => qrcodePayIncome > 0)
    if (!day) throw new Error('no day has income')
    const merchant = await visit('merchant', language)
    const { page } = merchant
    await merchant.open(`/reportorderday?datetype=5&${period}`)
    const cell = merchant.row(day.reportDate).getByRole('link', {
      name: formatYuan(day.qrcodePayIncome),
      exact: true,
    })
    await cell.first().click()
    const drawer = merchant.dialog()
    await drawer.getByText(formatYuan(day.qrcodePayIncome), { exact: true }).first().waitFor()
    expect(new URL(page.url()).searchParams.get('part')).toBe('qrcodePay')
    await drawer.getByRole('row').nth(1).waitFor()
    await untilSettled(page)
    expect(await findViolations(page)).toEqual([])
    const order = drawer.getByRole('link', { name: /^KT/ }).first()
    const orderId = await order.innerText()
    await order.click()
    await page.getByRole('button', { name: orderId, exact: true }).waitFor()
    await page.goBack()
    await drawer.getByRole('link', { name: orderId, exact: true }).waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).searchParams.get('part')).toBe(null)
    await page.setViewportSize({ width: 360, height: 740 })
    await merchant.open(`/reportorderday?datetype=5&${period}&day=${day.reportDate}`)
    await drawer.locator('.card').first().waitFor()
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
  })

  it('is reached from the month of a merchant’s first screen', async () => {
    const merchant = await visit('merchant', 'en')
    await merchant.open('/')
    await merchant.page.getByRole('link', { name: merchant.say('identity.profile.thisMonth') }).click()
    await expect.poll(() => merchant.page.url()).toBe(`${url}/reportorderday?datetype=4`)
  })

  it('is neither exported nor asked for again before its dates are chosen', async () => {
    const merchant = await visit('merchant', 'zh-CN')
    await merchant.open('/reportorderday?datetype=5')
    await merchant.text('console.reports.chooseDates').waitFor()
    expect(await merchant.button('console.list.export').count()).toBe(0)
    await merchant.page.keyboard.press('r')
    await untilSettled(merchant.page)
    expect(await merchant.text('console.reports.chooseDates').isVisible()).toBe(true)
    await merchant.open('/reportorderday?datetype=2')
    await merchant.button('console.list.export').waitFor()
  })
})
