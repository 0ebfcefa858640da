import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openConsole } from './open-screen.ts'

const run = promisify(execFile)
const verifyCommand = path.join(import.meta.dirname, '../../server/src/money/verify-ledger-command.ts')

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
})

const signIn = async (user: 'admin' | 'merchant'): Promise<Page> =>
  (await openConsole(browser, demo.url, user)).page

/** A chair of the merchant that can be bought now. */
async function findReadyChair(): Promise<string> {
  const until = Date.now() + 40_000
  const login = await fetch(`${demo.url}/api/sessions/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'merchant', password: 'demo1234' }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  while (Date.now() < until) {
    const answer = await fetch(`${demo.url}/api/devices?pagesize=30&status=1&associated=1&locked=0`, {
      headers: { 'x-access-token': data.token },
    })
    const { data: devices } = (await answer.json()) as {
      data: { list: { deviceId: string; running: boolean }[] }
    }
    for (const { deviceId } of devices.list) {
      const page = await fetch(`${demo.url}/api/pay/devices/${deviceId}`)
      if (((await page.json()) as { data: { state: string } }).data.state === 'ready') return deviceId
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('no chair of the merchant can be bought')
}

it('lets a customer scan, pay and sit, the merchant see it, and the money find its way back', async () => {
  const deviceId = await findReadyChair()
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' })
  const pay = await phone.newPage()
  await pay.goto(`${demo.url}/d/${deviceId}`)
  await pay.getByRole('button', { name: /^Pay ¥/ }).click()
  const [wechat] = await Promise.all([
    phone.waitForEvent('page'),
    pay.getByRole('link', { name: 'Open the payment' }).click(),
  ])
  await wechat.getByRole('button', { name: /Pay/ }).first().click()
  await wechat.getByText('Paid.').waitFor()
  await pay.getByText('Enjoy your massage').waitFor({ timeout: 30_000 })
  expect(await pay.getByRole('timer').textContent()).toMatch(/\d:\d\d/)
  const orderId = (await pay.locator('.order-number code').textContent()) ?? ''
  expect(orderId).toMatch(/^KT/)

  const merchant = await signIn('merchant')
  await merchant.goto(`${demo.url}/orders?orderid=${orderId}`)
  const row = merchant.getByRole('row', { name: new RegExp(orderId) })
  await row.getByText('Running').waitFor()
  await row.getByRole('button', { name: 'Refund' }).click()
  const dialog = merchant.getByRole('dialog')
  await dialog.getByRole('textbox').fill('The chair stopped half way')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await row.getByText('Refund applied').waitFor()

  const admin = await signIn('admin')
  await admin.goto(`${demo.url}/refunds?orderid=${orderId}`)
  await admin.getByRole('button', { name: 'Audit', exact: true }).click()
  await admin.getByLabel('Audit remark').fill('Confirmed by phone')
  await admin.getByRole('button', { name: 'OK', exact: true }).click()
  await admin.getByText('The decision is booked').waitFor()

  await expect
    .poll(
      async () => {
        await merchant.getByRole('button', { name: 'Refresh' }).click()
        return row.getByText('Refunded', { exact: true }).isVisible()
      },
      { timeout: 30_000, interval: 1000 },
    )
    .toBe(true)
  const { stdout } = await run(process.execPath, [verifyCommand], {
    env: { ...process.env, DATA_DIR: demo.dataDirectory },
  })
  expect(stdout).toContain('compared')
  expect(stdout).not.toContain('DIFFERS')
}, 150_000)
