import type { PayPageOrder } from '@chairside/contract'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { chair, openPlayed, order, running, type Answer, type Played } from './played-pay-page.ts'
import { receiveVisitors } from './visitor.ts'

/* The pay page when something goes wrong. What the server answers is played, so that it goes wrong when it should. */

const { openPhone, url } = receiveVisitors()
const { openPhone: openNewPhone } = receiveVisitors({ inNewBrowsers: true })

async function openChair(first: Partial<Played>, opened?: Page): Promise<{ phone: Page; played: Played }> {
  const phone = opened ?? (await openPhone('en'))
  return { phone, played: await openPlayed(phone, first) }
}

it('tells what was seen with the order, and shows the new price when it has changed meanwhile', async () => {
  const { phone, played } = await openChair({
    place: { refused: 'The price or the time of this item has just changed.', code: '105' },
  })
  const pay = phone.getByRole('button', { name: 'Pay ¥5' })
  await pay.waitFor()
  played.chair = { data: { ...chair, goods: [{ ...chair.goods[0], priceCents: 900 }] } }
  await pay.click()
  await phone.getByText('has just changed').waitFor()
  await phone.getByRole('button', { name: 'Pay ¥9' }).waitFor()
  const placed = played.calls.find(({ path }) => path.endsWith('/orders'))
  expect(placed?.body).toMatchObject({ priceCents: 500, durationMinutes: 10 })
})

it('asks for the same order after a lost answer, and for another one after the payment was refused', async () => {
  const { phone, played } = await openChair({ place: 'lost connection' })
  const pay = phone.getByRole('button', { name: 'Pay ¥5' })
  const press = async (said: Answer, shown: string) => {
    played.place = said
    await pay.click()
    await phone.getByText(shown).waitFor()
  }
  await press('lost connection', 'That did not arrive')
  await press({ refused: 'The payment provider does not answer' }, 'does not answer')
  await press({ refused: 'The payment provider refused', data: { ended: true } }, 'provider refused')
  await press({ data: { order, pay: { kind: 'none' } } }, 'Enjoy your massage')
  const keys = played.calls
    .filter(({ path }) => path.endsWith('/orders'))
    .map(({ body }) => String(body['requestKey']))
  expect(keys).toHaveLength(4)
  expect(new Set(keys.slice(0, 3)).size).toBe(1)
  expect(keys[3]).not.toBe(keys[0])
})

it('finds the order of a press whose answer was lost as soon as the connection is back', async () => {
  const { phone, played } = await openChair({ place: 'lost connection' })
  const pay = phone.getByRole('button', { name: 'Pay ¥5' })
  await pay.waitFor()
  played.chair = 'lost connection'
  await pay.click()
  await phone.getByText('That did not arrive. Please press again.').waitFor()
  await phone.getByText('We keep trying').waitFor()
  played.chair = running
  await phone.evaluate(() => window.dispatchEvent(new Event('online')))
  await phone.getByRole('button', { name: 'STOP' }).waitFor()
  await expect.poll(() => phone.getByRole('alert').count()).toBe(0)
})

it('keeps the chair that runs on the page when a look at it fails, and looks again by itself', async () => {
  const { phone, played } = await openChair({ chair: running })
  await phone.getByRole('button', { name: 'STOP' }).waitFor()
  played.chair = 'lost connection'
  await phone.getByRole('button', { name: '中文' }).click()
  await phone.getByText('网络已断开').waitFor()
  await phone.getByRole('button', { name: '停止' }).waitFor()
  await expect.poll(() => phone.getByRole('timer').isVisible()).toBe(true)
  played.chair = running
  await phone.getByText('网络已断开').waitFor({ state: 'detached' })
})

it('says why it cannot be shown, whom to ask, and comes as soon as it can', async () => {
  const { phone, played } = await openChair({
    chair: { refused: 'The service is not available', code: '199', status: 503 },
  })
  await phone.getByRole('heading', { name: 'The service is not available' }).waitFor()
  await phone.getByRole('button', { name: 'There is a problem' }).click()
  await phone.getByText('Please ask the staff of this place.').waitFor()
  played.chair = { data: chair }
  await phone.getByRole('button', { name: 'Pay ¥5' }).waitFor()
  await expect.poll(() => phone.getByRole('alert').count()).toBe(0)
})

it('sells where the browser keeps nothing, and says what it cannot do without cookies', async () => {
  const phone = await openPhone('en')
  await phone.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    })
    Object.defineProperty(navigator, 'cookieEnabled', { value: false })
  })
  const { played } = await openChair({}, phone)
  await phone.getByText('refuses cookies').waitFor()
  await phone.getByRole('button', { name: '中文' }).click()
  await phone.getByText('禁用了 Cookie').waitFor()
  await phone.getByRole('button', { name: '支付 ¥5' }).click()
  await phone.getByRole('button', { name: '停止' }).waitFor()
  expect(played.calls.filter(({ path }) => path.endsWith('/orders'))).toHaveLength(1)
})

it('lets an order be given up for which WeChat opens no window', async () => {
  const phone = await openNewPhone('en')
  await phone.clock.install()
  await phone.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgent', { value: 'Mobile MicroMessenger/8.0' }),
  )
  const paying = { ...order, status: '1', phase: 'paying', hasStarted: false, endsAt: null } as const
  await openChair(
    {
      place: { data: { order: paying, pay: { kind: 'jsapi', parameters: {} } } },
      order: { data: paying },
    },
    phone,
  )
  await phone.getByRole('button', { name: 'Pay ¥5' }).click()
  const giveUp = phone.getByRole('button', { name: 'Cancel the order' })
  await giveUp.waitFor()
  await phone.clock.runFor(6000)
  await expect.poll(() => giveUp.isEnabled()).toBe(true)
})

it('copies the order number also where the browser has no clipboard', async () => {
  const { phone } = await openChair({ chair: running })
  await phone.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await phone.getByRole('button', { name: 'Copy' }).click()
  await phone.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await phone.evaluate(() => String(getSelection()))).toBe(order.orderId)
})

it('does not speak of money where none was taken', async () => {
  const free: PayPageOrder = { ...order, status: '8', phase: 'refunded', hasStarted: false, priceCents: 0 }
  const { phone } = await openChair({ chair: { data: { ...chair, order: free } } })
  await phone.getByText('It was free and cost you nothing').waitFor()
  expect(await phone.getByText('¥0').count()).toBe(0)
})

it('says of a chair that ran only that money comes back, not that it did not start', async () => {
  const given: PayPageOrder = { ...order, status: '7', phase: 'refunding', hasStarted: true }
  const { phone } = await openChair({ chair: { data: { ...chair, order: given } } })
  await phone.getByText('Your refund is on its way').waitFor()
  expect(await phone.getByText('did not start').count()).toBe(0)
})

it.each([
  ['en', 'The chair stopped early', 'You have 13 min left', 'Use it again', 'There is a problem', 'STOP'],
  ['zh-CN', '设备提前停止了', '您还剩 13 分钟', '再来一次', '遇到问题', '停止'],
] as const)(
  'tells of a run that broke off what is left, and shows it when the operator starts it (%s)',
  async (language, title, left, again, problem, stop) => {
    const broken: PayPageOrder = {
      ...order,
      status: '3',
      phase: 'brokenOff',
      durationMinutes: 15,
      endsAt: null,
      remainingSeconds: 765,
    }
    const phone = await openPhone(language)
    const played = await openPlayed(phone, { chair: { data: { ...chair, order: broken } } })
    await phone.getByRole('heading', { name: title }).waitFor()
    await phone.getByText(left).waitFor()
    expect(await phone.getByText(again).count()).toBe(0)
    await phone.getByRole('button', { name: problem }).click()
    await phone.getByRole('link', { name: /021/ }).waitFor()
    expect(await phone.locator('footer code').textContent()).toBe(order.orderId)
    played.order = { data: { ...order, durationMinutes: 15, remainingSeconds: 765 } }
    await phone.getByRole('timer').waitFor()
    await phone.getByRole('button', { name: stop }).waitFor()
  },
)

it('leads whoever looks after the chair to its row in the console', async () => {
  const { phone } = await openChair({ chair: { data: chair } })
  await phone.getByRole('button', { name: 'There is a problem' }).click()
  const link = phone.getByRole('link', { name: /For staff/ })
  expect(await link.getAttribute('href')).toBe(`/devices/card/${chair.deviceId}`)
})

it('shows what the chair offers now when what was chosen is offered no longer', async () => {
  const { phone, played } = await openChair({
    place: { refused: 'This item is not on offer now', code: '105' },
  })
  const pay = phone.getByRole('button', { name: 'Pay ¥5' })
  await pay.waitFor()
  const [massage] = chair.goods
  const asleep = { ...massage, id: 2, name: '一夜', nameEn: 'A night', priceCents: 3000, workMode: 1 }
  played.chair = { data: { ...chair, goods: [asleep] } }
  await pay.click()
  await phone.getByRole('button', { name: 'Pay ¥30' }).waitFor()
  await expect.poll(() => phone.getByRole('radio', { name: /A night/ }).isChecked()).toBe(true)
  await expect.poll(() => phone.getByRole('alert').textContent()).toBe('This item is not on offer now')
  played.place = { refused: 'This place is closed now. It opens at 09:30.', code: '105' }
  played.chair = { data: { ...chair, state: 'closedNow', opensAt: '09:30', goods: [asleep] } }
  await phone.getByRole('button', { name: 'Pay ¥30' }).click()
  await phone.getByRole('status').getByText('This place is closed now').waitFor()
  expect(await phone.getByRole('button', { name: /Pay/ }).count()).toBe(0)
  // Said once.
  expect(await phone.getByText('This place is closed now').count()).toBe(1)
})

it.each([
  ['en', 'There is nothing on offer here right now. You can buy from 22:00.'],
  ['zh-CN', '当前没有可购买的项目，22:00 起可以购买。'],
] as const)(
  'a chair that sells for the night alone says by day from when, in %s',
  async (language, words) => {
    const phone = await openPhone(language)
    await openPlayed(phone, { chair: { data: { ...chair, goods: [], sellsFrom: '22:00' } } })
    await phone.getByText(words, { exact: true }).waitFor()
    expect(await phone.locator('button[type=submit]').count()).toBe(0)
  },
)

it('the time left stays within its ring with the largest letters, and is never more than was bought', async () => {
  const sleep = { ...order, durationMinutes: 1440, remainingSeconds: 1440 * 60 }
  const { phone } = await openChair({ chair: { data: { ...chair, state: 'running', order: sleep } } })
  await phone.addStyleTag({ content: 'html { font-size: 175% }' })
  await phone.setViewportSize({ width: 320, height: 640 })
  const shown = phone.locator('.figures strong')
  await shown.waitFor()
  expect(await shown.textContent()).toMatch(/^(24:00:00|23:59:\d\d)$/)
  const ring = (await phone.locator('.countdown svg').boundingBox())?.width ?? 0
  const text = (await shown.boundingBox())?.width ?? Infinity
  // The ring itself is as thick as a sixteenth of it on either side.
  expect(text).toBeLessThan(ring * 0.87)
})

it('the time left never runs backwards for what the server tells in whole seconds', async () => {
  const phone = await openNewPhone('en')
  await phone.clock.install()
  const left = (remainingSeconds: number) => ({ ...order, remainingSeconds })
  const { played } = await openChair({ chair: { data: { ...chair, order: left(540) } } }, phone)
  const shown = phone.locator('.figures strong')
  await shown.waitFor()
  const seen: string[] = []
  for (let passed = 0; passed < 12_000; passed += 300) {
    played.order = { data: left(Math.ceil(540 - passed / 1000)) }
    await phone.clock.runFor(300)
    seen.push((await shown.textContent()) ?? '')
  }
  expect(seen).toEqual(seen.toSorted().toReversed())
})

it('offers the chair anew when there is no way to pay the order that was begun', async () => {
  const unpaid = { ...order, status: '1', phase: 'paying', hasStarted: false, remainingSeconds: 0 }
  const { phone } = await openChair({ chair: { data: { ...chair, order: unpaid } } })
  await phone.getByRole('button', { name: 'Pay ¥5' }).waitFor()
  expect(await phone.getByRole('button', { name: 'Cancel the order' }).count()).toBe(0)
})

it('tells who scans again that the refund failed, and sells the chair once that was read', async () => {
  const failed = { ...order, status: '9', phase: 'refundFailed', endsAt: null, remainingSeconds: 0 }
  const { phone } = await openChair({ chair: { data: { ...chair, order: failed } } })
  await phone.getByRole('heading', { name: 'The refund needs attention' }).waitFor()
  // It ran once.
  await phone.getByRole('button', { name: 'Use it again' }).click()
  await phone.getByRole('button', { name: 'Pay ¥5' }).waitFor()
  expect(await phone.getByRole('heading', { name: 'The refund needs attention' }).count()).toBe(0)
  await phone.reload()
  await phone.getByRole('heading', { name: 'The refund needs attention' }).waitFor()
})

it('whom to call is a button like the others', async () => {
  const { phone } = await openChair({})
  await phone.getByRole('button', { name: 'There is a problem' }).click()
  const call = phone.getByRole('link', { name: /021/ })
  const look = await call.evaluate((link) => {
    const { borderTopColor, fontWeight } = getComputedStyle(link)
    return { isFramed: borderTopColor !== 'rgba(0, 0, 0, 0)', weight: Number(fontWeight) }
  })
  expect(look).toEqual({ isFramed: true, weight: 650 })
})

it.each([
  ['en', 'G9999999', 'We do not know this chair'],
  ['en', 'nothing', 'We do not know this chair'],
  ['zh-CN', '%zz', '未找到该设备'],
] as const)('says in %s that there is no chair at the address /d/%s', async (language, written, said) => {
  const phone = await openPhone(language)
  await phone.goto(`${url}/d/${written}`)
  await expect.poll(() => phone.getByRole('heading', { name: said }).count()).toBe(1)
})
