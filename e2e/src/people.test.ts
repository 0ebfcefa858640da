import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { visit } = receiveVisitors()

const menuOf = ({ page }: Visitor) => page.locator('.main-menu a').allTextContents()

describe.each(['en', 'zh-CN'] as const)('a merchant and the new colleague, in %s', (language) => {
  const colleague = `colleague-${language.toLowerCase()}`
  const ownPassword = 'a password of my own'

  it('makes a sub-account with two rights, whose first password is shown once', async () => {
    const merchant = await visit('merchant', language)
    const { page } = merchant
    await merchant.open('/subaccount')
    await merchant.button('identity.account.addSub').click()
    const dialog = merchant.dialog()
    await merchant.button('identity.account.add', dialog).click()
    // Nothing was typed: both fields say so, and the first of them has the focus.
    await expect.poll(() => dialog.locator('.error').count()).toBe(2)
    await merchant.field('identity.account.userName', dialog).fill(colleague)
    await merchant.field('identity.account.realName', dialog).fill('Li Lei')
    await page.keyboard.press('Enter')
    const password = await page.locator('.password-shown code').textContent()
    expect(password).toMatch(/^\S{12}$/)
    await merchant.button('console.form.close', page.locator('.ant-modal-confirm')).click()

    await merchant.button('identity.account.permissions', merchant.row(colleague)).click()
    const tree = page.locator('.permission-tree')
    await tree.getByLabel(merchant.say('permissions.button.order-refund'), { exact: true }).first().check()
    await merchant.button('console.permissions.save', dialog).click()
    await tree.waitFor({ state: 'detached' })

    const newcomer = await visit('nobody', language, 390)
    await newcomer.signIn(colleague, password ?? '')
    const gate = newcomer.page.getByRole('dialog', { name: newcomer.say('identity.password.firstTitle') })
    // Fields of passwords have no role by which they could be found.
    const typed = gate.locator('input')
    await typed.nth(0).fill(password ?? '')
    await typed.nth(1).fill('short')
    await typed.nth(2).fill('other')
    await newcomer.button('identity.password.change', gate).click()
    await expect.poll(() => gate.locator('.error').count()).toBe(2)
    await typed.nth(1).fill(ownPassword)
    await typed.nth(2).fill(ownPassword)
    await newcomer.page.keyboard.press('Enter')
    await gate.waitFor({ state: 'detached' })
  }, 60_000)

  it('shows the colleague exactly what was given', async () => {
    const clerk = await visit('nobody', language)
    await clerk.signIn(colleague, ownPassword)
    await clerk.arrive('/')
    await expect
      .poll(async () => (await menuOf(clerk)).map((text) => text.trim()))
      .toEqual([clerk.say('console.app.home'), clerk.say('permissions.page.orders')])
    await clerk.open('/devices')
    await expect.poll(() => clerk.page.locator('.table-frame').count()).toBe(0)
  }, 60_000)

  it('asks the colleague for a one-time password once two-step is activated', async () => {
    const clerk = await visit('nobody', language)
    const { page } = clerk
    await clerk.signIn(colleague, ownPassword)
    await clerk.arrive('/')
    await clerk.button('identity.twoStep.activate').click()
    const dialog = clerk.dialog()
    const secret = (await dialog.locator('code').textContent()) ?? ''
    expect(
      await dialog.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(100)
    const code = clerk.field('identity.twoStep.code', dialog)
    await code.fill('000000')
    await clerk.button('identity.twoStep.submit', dialog).click()
    await page.locator('.ant-message-error').waitFor()
    await code.fill(generateSync({ secret }))
    await page.keyboard.press('Enter')
    await page.getByText(clerk.say('identity.twoStep.on'), { exact: true }).waitFor()

    await clerk.signIn(colleague, ownPassword)
    const otp = clerk.field('console.login.otp')
    await otp.waitFor()
    // A code works once: the next one is asked for.
    await otp.fill(generateSync({ secret, epoch: Date.now() / 1000 + 30 }))
    await page.keyboard.press('Enter')
    await clerk.arrive('/')
  }, 60_000)
})
