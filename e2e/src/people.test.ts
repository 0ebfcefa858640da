import { generateSync } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openConsole, type Look } from './open-screen.ts'

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
})

const words = {
  en: {
    add: 'Add a sub-account',
    userName: 'User name',
    name: 'Name',
    addIt: 'Add',
    close: 'Close',
    permissions: 'Permissions',
    all: 'Select all',
    orders: 'Orders',
    refund: 'Refund',
    save: 'Save',
    firstTitle: 'Choose your own password',
    old: 'Old password',
    fresh: 'New password',
    again: 'New password again',
    change: 'Change password',
    home: 'Home',
    twoStep: 'Activate two-step',
    code: 'One-time password of the authenticator',
    activate: 'Activate',
    activated: 'Activated',
    otp: 'One-time password',
  },
  'zh-CN': {
    add: '新增子账号',
    userName: '用户名',
    name: '姓名',
    addIt: '新增',
    close: '关闭',
    permissions: '权限',
    all: '全选',
    orders: '订单管理',
    refund: '退款',
    save: '保存',
    firstTitle: '请设置您自己的密码',
    old: '原密码',
    fresh: '新密码',
    again: '再次输入新密码',
    change: '修改密码',
    home: '首页',
    twoStep: '激活两步验证',
    code: '验证器上的动态密码',
    activate: '激活',
    activated: '已激活',
    otp: '动态密码',
  },
} as const

async function signIn(page: Page, userName: string, password: string): Promise<void> {
  await page.goto(`${demo.url}/login`)
  await page.locator('input[autocomplete=username]').fill(userName)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
}

const menuOf = (page: Page) => page.locator('.main-menu a').allTextContents()

describe.each(['en', 'zh-CN'] as const)('a merchant and the new colleague, in %s', (language) => {
  const say = words[language]
  const look: Look = { language, width: 1440, appearance: 'light' }
  const colleague = `colleague-${language.toLowerCase()}`
  const ownPassword = 'a password of my own'

  it('makes a sub-account with two rights, whose first password is shown once', async () => {
    const { context, page } = await openConsole(browser, demo.url, 'merchant', look)
    await page.goto(`${demo.url}/subaccount`)
    await page.getByRole('button', { name: say.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: say.addIt, exact: true }).click()
    // Nothing was typed: both fields say so, and the first of them has the focus.
    await expect.poll(() => dialog.locator('.error').count()).toBe(2)
    await dialog.getByLabel(say.userName).fill(colleague)
    await dialog.getByLabel(say.name, { exact: false }).last().fill('Li Lei')
    await page.keyboard.press('Enter')
    const password = await page.locator('.password-shown code').textContent()
    expect(password).toMatch(/^\S{12}$/)
    await page.locator('.ant-modal-confirm').getByRole('button', { name: say.close }).click()

    const row = page.getByRole('row', { name: new RegExp(colleague) })
    await row.getByRole('button', { name: say.permissions }).click()
    const tree = page.locator('.permission-tree')
    await tree.getByLabel(say.refund, { exact: true }).first().check()
    await page.getByRole('dialog').getByRole('button', { name: say.save }).click()
    await page.locator('.permission-tree').waitFor({ state: 'detached' })
    await context.close()

    const phone = await openConsole(browser, demo.url, 'nobody', { ...look, width: 390 })
    await signIn(phone.page, colleague, password ?? '')
    const gate = phone.page.getByRole('dialog', { name: say.firstTitle })
    await gate.getByLabel(say.old).fill(password ?? '')
    await gate.getByLabel(say.fresh, { exact: false }).first().fill('short')
    await gate.getByLabel(say.again).fill('other')
    await gate.getByRole('button', { name: say.change }).click()
    await expect.poll(() => gate.locator('.error').count()).toBe(2)
    await gate.getByLabel(say.fresh, { exact: false }).first().fill(ownPassword)
    await gate.getByLabel(say.again).fill(ownPassword)
    await phone.page.keyboard.press('Enter')
    await gate.waitFor({ state: 'detached' })
    await phone.context.close()
  }, 60_000)

  it('shows the colleague exactly what was given', async () => {
    const { context, page } = await openConsole(browser, demo.url, 'nobody', look)
    await signIn(page, colleague, ownPassword)
    await page.waitForURL(`${demo.url}/`)
    await expect
      .poll(async () => (await menuOf(page)).map((text) => text.trim()))
      .toEqual([say.home, say.orders])
    await page.goto(`${demo.url}/devices`)
    await expect.poll(() => page.locator('.table-frame').count()).toBe(0)
    await context.close()
  }, 60_000)

  it('asks the colleague for a one-time password once two-step is activated', async () => {
    const { context, page } = await openConsole(browser, demo.url, 'nobody', look)
    await signIn(page, colleague, ownPassword)
    await page.waitForURL(`${demo.url}/`)
    await page.getByRole('button', { name: say.twoStep }).click()
    const dialog = page.getByRole('dialog')
    const secret = (await dialog.locator('code').textContent()) ?? ''
    expect(
      await dialog.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(100)
    await dialog.getByLabel(say.code).fill('000000')
    await dialog.getByRole('button', { name: say.activate, exact: true }).click()
    await page.locator('.ant-message-error').waitFor()
    await dialog.getByLabel(say.code).fill(generateSync({ secret }))
    await page.keyboard.press('Enter')
    await page.getByText(say.activated, { exact: true }).waitFor()

    await signIn(page, colleague, ownPassword)
    await page.getByLabel(say.otp).waitFor()
    // A code works once: the next one is asked for.
    await page.getByLabel(say.otp).fill(generateSync({ secret, epoch: Date.now() / 1000 + 30 }))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${demo.url}/`)
    await context.close()
  }, 60_000)
})
