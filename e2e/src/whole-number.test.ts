import { expect, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { callAs } from './demo-calls.ts'
import { receiveVisitors } from './visitor.ts'

const { url, visit } = receiveVisitors()

it.each([
  ['en', 1440],
  ['zh-CN', 390],
] as const)(
  '%s, %i pixels wide: the mobile of a merchant is shown whole to who asks for it, and the audit trail says so',
  async (language, width) => {
    const call = await callAs(url, 'admin')
    const name = `Whole number ${width}`
    await call('POST', '/api/merchant', { userid: `whole-${width}`, name, mobile: '13712345678' })
    const admin = await visit('admin', language, width)
    const { page } = admin
    await admin.open(`/merchants?userid=whole-${width}`)
    const opener = width < 700 ? 'console.list.details' : 'console.list.expand'
    await page
      .getByRole('button', { name: admin.say(opener, { row: `whole-${width}` }) })
      .first()
      .click()
    const facts = page.locator('.facts')
    await facts.getByText('137****5678', { exact: true }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await admin.button('console.list.wholeNumber', facts).press('Enter')
    await facts.getByText('13712345678', { exact: true }).waitFor()
    // By keyboard one goes on from where one was.
    await admin.untilFocused(facts)
    await admin.open('/audit?action=custom.reveal')
    await page.getByText(name, { exact: true }).first().waitFor()
  },
)

it('the phone of a refund is shown whole from its row, and in part it is nothing to copy', async () => {
  const call = await callAs(url, 'admin')
  const { list } = await call<{ list: { orderId: string; phone: string }[] }>(
    'GET',
    '/api/orders/refunds?pagesize=0',
  )
  const { orderId, phone } = list.find((refund) => refund.phone !== '') ?? { orderId: '', phone: '' }
  const admin = await visit('admin', 'en')
  await admin.open(`/refunds?orderid=${orderId}`)
  const row = admin.row(orderId)
  await row.getByText(phone, { exact: true }).waitFor()
  expect(
    await row.getByRole('button', { name: admin.say('console.list.copy', { value: phone }) }).count(),
  ).toBe(0)
  await admin.button('console.list.wholeNumber', row).click()
  await expect.poll(() => row.getByText(/^1\d{10}$/).count()).toBe(1)
})
