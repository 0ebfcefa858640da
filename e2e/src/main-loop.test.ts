import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { callAs } from './demo-calls.ts'
import { chairForSale } from './demo-chairs.ts'
import { receiveVisitors } from './visitor.ts'

const run = promisify(execFile)
const verifyCommand = path.join(import.meta.dirname, '../../server/src/app/verify/verify-ledger-command.ts')

const { dataDirectory } = inject('demo')
const { url, visit, openPhone } = receiveVisitors()

it('lets a customer scan, pay and sit, the merchant see it, and the money find its way back', async () => {
  const { deviceId } = await chairForSale(await callAs(url, 'merchant'), 'journey')
  const pay = await openPhone('en')
  await pay.goto(`${url}/d/${deviceId}`)
  await pay.getByRole('button', { name: /^Pay ¥/ }).click()
  const [wechat] = await Promise.all([
    pay.context().waitForEvent('page'),
    pay.getByRole('link', { name: 'Open the payment' }).click(),
  ])
  await wechat.getByRole('button', { name: /Pay/ }).first().click()
  await wechat.getByText('Paid.').waitFor()
  await pay.getByText('Enjoy your massage').waitFor()
  expect(await pay.getByRole('timer').textContent()).toMatch(/\d:\d\d/)
  const orderId = (await pay.locator('.order-number code').textContent()) ?? ''
  expect(orderId).toMatch(/^KT/)

  const { page: merchant } = await visit('merchant', 'en')
  await merchant.goto(`${url}/orders?orderid=${orderId}`)
  const row = merchant.getByRole('row', { name: new RegExp(orderId) })
  await row.getByText('Running').waitFor()
  await row.getByRole('button', { name: 'Refund' }).click()
  const dialog = merchant.getByRole('dialog')
  await dialog.getByRole('textbox').fill('The chair stopped half way')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await row.getByText('Refund applied').waitFor()

  const { page: admin } = await visit('admin', 'en')
  await admin.goto(`${url}/refunds?orderid=${orderId}`)
  await admin.getByRole('button', { name: 'Audit', exact: true }).click()
  await admin.getByLabel('Audit remark').fill('Confirmed by phone')
  await admin.getByRole('button', { name: 'OK', exact: true }).click()
  await admin.getByText('The decision is saved').waitFor()

  await expect
    .poll(
      async () => {
        await merchant.getByRole('button', { name: 'Refresh' }).click()
        return row.getByText('Refunded', { exact: true }).isVisible()
      },
      { timeout: 120_000, interval: 1000 },
    )
    .toBe(true)
  const { stdout } = await run(process.execPath, [verifyCommand], {
    env: { ...process.env, DATA_DIR: dataDirectory },
  })
  expect(stdout).toContain('compared')
  expect(stdout).not.toContain('DIFFERS')
})
