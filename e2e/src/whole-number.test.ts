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
