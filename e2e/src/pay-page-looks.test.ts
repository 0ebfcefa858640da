import type { PayPageOrder } from '@chairside/contract'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { chair, openPlayed, order, running } from './played-pay-page.ts'
import { receiveVisitors } from './visitor.ts'

/* How often the pay page looks at its chair and its order. What the server answers is played. */

const { openPhone } = receiveVisitors()

/** Drawn, the page may not listen yet; somebody who is that quick takes it up once more. */
async function takeUpAndSee(phone: Page, name: string): Promise<boolean> {
  await phone.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  return phone.getByRole('button', { name }).isVisible()
}

it('looks less and less often at an order that the server refuses to tell, and says so', async () => {
  const starting: PayPageOrder = {
    ...order,
    status: '3',
    phase: 'starting',
    endsAt: null,
    remainingSeconds: 0,
  }
  const phone = await openPhone('en')
  const played = await openPlayed(phone, {
    chair: { data: { ...chair, state: 'running', order: starting } },
    order: { refused: 'Too many requests', status: 429 },
  })
  await phone.getByText('We keep trying').waitFor()
  const before = played.calls.length
  await phone.waitForTimeout(7000)
  expect(played.calls.length - before).toBeLessThan(4)
  played.order = { data: order }
  await phone.getByText('Enjoy your massage').waitFor()
  await phone.getByText('We keep trying').waitFor({ state: 'detached' })
})

it('finds the rest of a run that broke off when somebody starts it, also where one was about to buy another', async () => {
  const phone = await openPhone('en')
  const broken: PayPageOrder = { ...order, status: '3', phase: 'brokenOff', endsAt: null }
  const played = await openPlayed(phone, { chair: { data: { ...chair, order: broken } } })
  await phone.getByRole('button', { name: 'Buy another use' }).click()
  await phone.getByRole('button', { name: 'Pay ¥5' }).waitFor()
  const looks = () => played.calls.filter(({ path }) => path.includes('/devices/')).length
  const before = looks()
  await expect.poll(async () => (await takeUpAndSee(phone, 'Pay ¥5')) && looks() > before).toBe(true)
  played.chair = running
  await expect.poll(() => takeUpAndSee(phone, 'STOP')).toBe(true)
})

it('goes on with one look at a time when it was taken up several times at once', async () => {
  const phone = await openPhone('en')
  await phone.addInitScript(() => {
    const pauses = new Set<unknown>()
    const [set, clear] = [window.setTimeout, window.clearTimeout]
    Object.assign(window, {
      pauses,
      setTimeout(work: () => void, ms = 0) {
        const timer = set(() => (pauses.delete(timer), work()), ms)
        if (ms === 5000) pauses.add(timer)
        return timer
      },
      clearTimeout: (timer: number) => (pauses.delete(timer), clear(timer)),
    })
  })
  const played = await openPlayed(phone, { chair: running })
  await phone.getByRole('button', { name: 'STOP' }).waitFor()
  const looks = () => played.calls.filter(({ path }) => path.endsWith(order.orderId)).length
  await expect
    .poll(async () => {
      await phone.evaluate(() => {
        for (let time = 0; time < 3; time++) window.dispatchEvent(new Event('online'))
      })
      return looks()
    })
    .toBeGreaterThanOrEqual(3)
  const pauses = async () => {
    // Whatever was asked before is answered.
    await phone.evaluate(async () => (await fetch('/api/pay/devices/G100')).text())
    return phone.evaluate(() => (window as unknown as { pauses: Set<unknown> }).pauses.size)
  }
  for (let time = 0; time < 5; time++) expect(await pauses()).toBeLessThanOrEqual(1)
})

it('looks at the chair again when the page is taken up again, and finds the order that was placed elsewhere', async () => {
  const phone = await openPhone('en')
  const played = await openPlayed(phone)
  await phone.getByRole('button', { name: 'Pay ¥5' }).waitFor()
  played.chair = { data: { ...chair, goods: [{ ...chair.goods[0], priceCents: 800 }] } }
  await expect.poll(() => takeUpAndSee(phone, 'Pay ¥8')).toBe(true)
  played.chair = running
  await expect.poll(() => takeUpAndSee(phone, 'STOP')).toBe(true)
  await expect.poll(() => phone.getByRole('timer').isVisible()).toBe(true)
})
