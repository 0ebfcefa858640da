import { expect, it } from 'vitest'
import { chair, openPlayed, order } from './played-pay-page.ts'
import { receiveVisitors } from './visitor.ts'

/* What a customer has in sight in each state of the pay page. What the server answers is played. */

const { openPhone } = receiveVisitors()

it('has the number to call, the way to a person and the chair’s name in sight without a press', async () => {
  const phone = await openPhone('en')
  await openPlayed(phone, { chair: { data: { ...chair, state: 'offline' } } })
  await phone.getByRole('button', { name: 'There is a problem' }).waitFor()
  const number = phone.getByRole('link', { name: 'Phone 021' })
  expect(await number.getAttribute('href')).toBe('tel:021')
  await expect.poll(() => phone.title()).toBe('The spa · One')
})

it('what is pressed in trouble is large enough for a thumb', async () => {
  const phone = await openPhone('en')
  await openPlayed(phone)
  await phone.getByRole('button', { name: 'There is a problem' }).click()
  for (const name of [/021/, /For staff/]) {
    const box = await phone.getByRole('link', { name }).boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
  }
})

it('tells what is being paid for while it waits to be paid', async () => {
  const unpaid = { ...order, status: '1', phase: 'paying', hasStarted: false, remainingSeconds: 0 }
  const pay = { kind: 'native', codeUrl: 'weixin://pay', codeImage: 'data:image/svg+xml,<svg/>' }
  const phone = await openPhone('en')
  await openPlayed(phone, {
    chair: { data: { ...chair, order: unpaid, pay } },
    order: { data: unpaid },
  })
  await expect.poll(() => phone.getByText('Ten minutes · 10 min · ¥5').count()).toBe(1)
})

it('who was not paid for, or not started, chooses again rather than uses again', async () => {
  const closed = { ...order, status: '2', phase: 'closed', hasStarted: false, endsAt: null }
  const phone = await openPhone('en')
  await openPlayed(phone, { chair: { data: { ...chair, order: closed } } })
  await phone.getByRole('button', { name: 'Choose again' }).click()
  expect(await phone.getByRole('button', { name: 'Use it again' }).count()).toBe(0)
  await phone.getByRole('button', { name: 'Pay ¥5' }).waitFor()
})

it.each([
  ['button', 'Pay ¥5'],
  ['radio', 'Ten minutes'],
] as const)('who pressed the %s to pay is still there when the server refuses', async (role, name) => {
  const phone = await openPhone('en')
  await openPlayed(phone, { place: { refused: 'The payment provider does not answer' } })
  const { promise: mayBeAnswered, resolve: letAnswer } = Promise.withResolvers<void>()
  await phone.route('**/api/pay/orders', async (route) => {
    await mayBeAnswered
    await route.fallback()
  })
  await phone.getByRole(role, { name }).press('Enter')
  const pay = phone.getByRole('button', { name: 'Pay ¥5' })
  await expect.poll(() => pay.getAttribute('aria-busy')).toBe('true')
  letAnswer()
  await phone.getByText('does not answer').waitFor()
  await expect.poll(() => pay.isEnabled()).toBe(true)
  const hasFocus = () => phone.getByRole(role, { name }).evaluate((one) => one === document.activeElement)
  await expect.poll(hasFocus).toBe(true)
})

it('what was chosen is still chosen after the way to WeChat, which asks who pays', async () => {
  const phone = await openPhone('en')
  await phone.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgent', { value: 'Mobile MicroMessenger/8.0' }),
  )
  const [short] = chair.goods
  const long = { ...short, id: 2, name: '二十分钟', nameEn: 'Twenty minutes', priceCents: 800 }
  const offered = { ...chair, goods: [short, long] }
  const played = await openPlayed(phone, {
    chair: { data: { ...offered, wechatSignInUrl: '/d/G100?returned' } },
  })
  await phone.getByText('Twenty minutes').click()
  played.chair = { data: offered }
  await phone.getByRole('button', { name: 'Pay ¥8' }).click()
  await phone.waitForURL(/returned/)
  await phone.getByRole('button', { name: 'Pay ¥8' }).waitFor()
  await phone.reload()
  await phone.getByRole('button', { name: 'Pay ¥5' }).waitFor()
  expect(played.calls.filter(({ path }) => path.endsWith('/orders'))).toEqual([])
})
