import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { chair, openPlayed, order, running, type Played } from './played-pay-page.ts'
import { receiveVisitors } from './visitor.ts'

/* STOP on the pay page, whatever becomes of the line. What the server answers is played. */

const { openPhone } = receiveVisitors()

const focused = (phone: Page) => phone.evaluate(() => document.activeElement?.textContent ?? '')

it('leads through a stop by keyboard, says that it is on its way, and when the chair did not answer', async () => {
  const phone = await openPhone('en')
  const played = await openPlayed(phone, { chair: running })
  await phone.getByRole('button', { name: 'STOP' }).focus()
  await phone.keyboard.press('Enter')
  await phone.getByRole('alertdialog').waitFor()
  await expect.poll(() => focused(phone)).toBe('Stop now')
  played.order = { data: { ...order, stopping: true } }
  await phone.keyboard.press('Enter')
  await expect.poll(() => focused(phone)).toBe('Stopping…')
  const looks = () => played.calls.filter(({ path }) => path.endsWith(order.orderId)).length
  const before = looks()
  await expect.poll(looks).toBeGreaterThan(before + 1)
  expect(await phone.getByRole('button', { name: /stop/i }).count()).toBe(0)
  played.order = { data: order }
  await phone.getByText('The chair did not answer').waitFor()
  await expect.poll(() => focused(phone)).toBe('STOP')
})

it('leads whoever pays by keyboard on to what comes of it', async () => {
  const phone = await openPhone('en')
  const played = await openPlayed(phone)
  await phone.getByRole('button', { name: 'Pay ¥5' }).focus()
  await phone.keyboard.press('Enter')
  await expect.poll(() => focused(phone)).toBe('Enjoy your massage')
  played.order = { data: { ...order, status: '4', phase: 'ended', endsAt: null, remainingSeconds: 0 } }
  await expect.poll(() => focused(phone)).toBe('Thank you, see you soon')
  await phone.getByRole('button', { name: 'Use it again' }).focus()
  await phone.keyboard.press('Enter')
  await expect.poll(() => focused(phone)).toBe('The spa')
  // Whoever has the focus elsewhere keeps it.
  await phone.getByRole('button', { name: 'There is a problem' }).focus()
  played.chair = { data: { ...chair, state: 'offline' } }
  await phone.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
  await phone.getByText('no connection').waitFor()
  expect(await focused(phone)).toBe('There is a problem')
})

it('keeps STOP in sight with the largest letters', async () => {
  const phone = await openPhone('en')
  await phone.setViewportSize({ width: 320, height: 568 })
  await openPlayed(phone, { chair: running })
  await phone.addStyleTag({ content: 'html { font-size: 200% }' })
  const bottomOfStop = async () => {
    const box = await phone.getByRole('button', { name: 'STOP' }).boundingBox()
    return box ? box.y + box.height : Infinity
  }
  await expect.poll(bottomOfStop).toBeLessThanOrEqual(568)
  // The question stands in its own place.
  await phone.getByRole('button', { name: 'STOP' }).click()
  await phone.getByRole('alertdialog').waitFor()
})

const comeBack = (phone: Page) => phone.evaluate(() => void window.dispatchEvent(new Event('online')))

const stopsSent = ({ calls }: Played) => calls.filter(({ path }) => path.endsWith('/stop')).length

/** Presses STOP, and waits until that is answered as the server is played at the moment. */
async function pressStop(phone: Page, played: Played): Promise<void> {
  await phone.getByRole('button', { name: 'STOP' }).click()
  await phone.getByRole('button', { name: 'Stop now' }).click()
  await expect.poll(() => stopsSent(played)).toBeGreaterThan(0)
}

it('sends a stop again by itself until it arrives', async () => {
  const phone = await openPhone('en')
  const played = await openPlayed(phone, { chair: running, stop: 'lost connection' })
  await pressStop(phone, played)
  await expect.poll(() => stopsSent(played)).toBeGreaterThanOrEqual(2)
  expect(await phone.getByText('That did not arrive').count()).toBe(0)
  played.stop = { data: { ...order, stopping: true } }
  played.order = { data: { ...order, stopping: true } }
  await phone.getByRole('status').getByText('Stopping…').waitFor()
})

it('sends a stop again at once when the connection is back', async () => {
  const phone = await openPhone('en')
  const played = await openPlayed(phone, { chair: running, stop: 'lost connection' })
  await pressStop(phone, played)
  // The pauses alone are most of a minute.
  const isGivenUp = async () => {
    await comeBack(phone)
    return phone.getByText('That did not arrive. Please press again.').isVisible()
  }
  await expect.poll(isGivenUp, { timeout: 30_000 }).toBe(true)
  await phone.getByRole('button', { name: 'Stop now' }).waitFor()
  expect(stopsSent(played)).toBe(7)
})

it('sends no stop again once a look shows that the chair stands still', async () => {
  const phone = await openPhone('en')
  const ended = { ...order, status: '3', phase: 'ended', endsAt: null, remainingSeconds: 0 }
  const played = await openPlayed(phone, { chair: running, stop: 'lost connection' })
  await pressStop(phone, played)
  played.order = { data: ended }
  await comeBack(phone)
  await phone.getByText('Thank you, see you soon').waitFor()
  const sent = stopsSent(played)
  await comeBack(phone)
  // Whatever was sent for that has arrived before this.
  await phone.evaluate(async () => void (await fetch('/api/pay/devices/G100')))
  expect(stopsSent(played)).toBe(sent)
  expect(await phone.getByRole('alert').count()).toBe(0)
})

it('lets one press something else as soon as a look shows that the chair stands still', async () => {
  const phone = await openPhone('en')
  // The longer pauses of this page have no end.
  await phone.addInitScript(() => {
    const usual = window.setTimeout
    Object.assign(window, {
      setTimeout: (work: () => void, ms = 0) => usual(work, ms > 7000 ? 2 ** 31 - 1 : ms),
    })
  })
  const ended = { ...order, status: '3', phase: 'ended', endsAt: null, remainingSeconds: 0 }
  const played = await openPlayed(phone, { chair: running, stop: 'lost connection' })
  await pressStop(phone, played)
  // The sixth is followed by a pause of 15 s or more.
  const stopsAfter = async () => {
    if (stopsSent(played) < 6) await comeBack(phone)
    return stopsSent(played)
  }
  await expect.poll(stopsAfter).toBe(6)
  played.order = { data: ended }
  played.chair = { data: chair }
  await phone.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
  await phone.getByRole('button', { name: 'Use it again' }).click()
  await expect.poll(() => phone.getByRole('button', { name: 'Pay ¥5' }).isEnabled()).toBe(true)
  expect(stopsSent(played)).toBe(6)
})

it('takes it for stopped when an earlier try has done it, though its answer was lost', async () => {
  const phone = await openPhone('en')
  const ended = { ...order, status: '3', phase: 'ended', endsAt: null, remainingSeconds: 0 }
  const played = await openPlayed(phone, { chair: running, stop: 'lost connection' })
  await phone.evaluate(() => {
    const look = () => {
      if (document.querySelector('[role=alert]')) window.name = 'alarmed'
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
  })
  await pressStop(phone, played)
  played.stop = { refused: 'That is not possible now', code: '105' }
  played.order = { data: ended }
  await phone.getByText('Thank you, see you soon').waitFor()
  expect(await phone.evaluate(() => window.name)).toBe('')
})
