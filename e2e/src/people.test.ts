import { renewBoardPasswords } from '@chairside/contract'
import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import { callAs } from './demo-calls.ts'
import { overflowOfTables } from './overflow.ts'
import { ownAddress } from './own-address.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { url, visit } = receiveVisitors()

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
  })

  it('shows the colleague exactly what was given', async () => {
    const clerk = await visit('nobody', language)
    await clerk.signIn(colleague, ownPassword)
    await clerk.arrive('/')
    await expect
      .poll(async () => (await menuOf(clerk)).map((text) => text.trim()))
      .toEqual([clerk.say('console.app.home'), clerk.say('permissions.page.orders')])
    await clerk.open('/devices')
    await expect.poll(() => clerk.page.locator('.table-frame').count()).toBe(0)
  })

  it('asks the colleague for a one-time password once two-step is activated', async () => {
    const clerk = await visit('nobody', language)
    const { page } = clerk
    await clerk.signIn(colleague, ownPassword)
    await clerk.arrive('/')
    await clerk.button('identity.twoStep.activate').click()
    await clerk.button('identity.twoStep.goOn', clerk.dialog()).click()
    const dialog = clerk.dialog()
    const secret = (await dialog.locator('code').textContent()) ?? ''
    await expect
      .poll(() => dialog.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(100)
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
    await page.keyboard.press('Enter')
    await page.locator('.field .error', { hasText: clerk.say('refusals.twoStepNeeded') }).waitFor()
    // A code works once: the next one is asked for.
    const next = generateSync({ secret, epoch: Date.now() / 1000 + 30 })
    await otp.fill(next)
    // Somebody else before the same page is not asked for what only the colleague needs.
    const name = page.locator('input[autocomplete=username]')
    await name.fill('merchant')
    await otp.waitFor({ state: 'detached' })
    await name.fill(colleague)
    await page.keyboard.press('Enter')
    await otp.fill(next)
    await page.keyboard.press('Enter')
    await clerk.arrive('/')
  })

  it('frees the colleague from an authenticator that got lost', async () => {
    const merchant = await visit('merchant', language)
    await merchant.open(`/subaccount?username=${colleague}`)
    await merchant.chooseMore(colleague, 'identity.account.resetTwoStep')
    const question = merchant.dialog()
    await question
      .getByText(merchant.say('identity.account.resetTwoStepExplain', { name: colleague }))
      .waitFor()
    await merchant.button('identity.account.resetTwoStep', question).click()
    await question.waitFor({ state: 'detached' })
    const clerk = await visit('nobody', language)
    await clerk.signIn(colleague, ownPassword)
    await clerk.arrive('/')
    const off = clerk.page.getByText(clerk.say('identity.twoStep.off'), { exact: true })
    await expect.poll(() => off.count()).toBe(1)
  })

  it('gets a new password, which is shown whatever was pressed while the server was slow', async () => {
    const merchant = await visit('merchant', language)
    const { page } = merchant
    await merchant.open(`/subaccount?username=${colleague}`)
    const answers = Promise.withResolvers<void>()
    await page.route('**/passwordreset/**', async (route) => {
      await answers.promise
      await route.continue()
    })
    await merchant.button('identity.account.resetPassword', merchant.row(colleague)).click()
    const question = merchant.dialog()
    await merchant.button('identity.account.resetPassword', question).dblclick()
    await expect.poll(() => merchant.button('console.form.cancel', question).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    answers.resolve()
    await expect.poll(() => page.locator('.password-shown code').textContent()).toMatch(/^\S{12}$/)
  })
})

describe.each(['en', 'zh-CN'] as const)('an admin user, in %s', (language) => {
  it('gets another name, unless that is taken: the field says so', async () => {
    const [before, after] = [`keeper-${language.toLowerCase()}`, `holder-${language.toLowerCase()}`]
    const call = await callAs(url, 'admin')
    await call('POST', '/api/admin/users', { userName: before, realName: 'Wei Hua' })
    const admin = await visit('admin', language)
    await admin.open(`/users?username=${before}`)
    await admin.button('identity.account.edit', admin.row(before)).click()
    const dialog = admin.dialog()
    const name = admin.field('identity.account.userName', dialog)
    await name.fill('admin')
    await admin.button('identity.account.save', dialog).click()
    await expect
      .poll(() => dialog.locator('[data-field=userName] .error').textContent())
      .toBe(admin.say('refusals.userNameTaken'))
    await name.fill(after)
    await admin.button('identity.account.save', dialog).click()
    await dialog.waitFor({ state: 'detached' })
    await admin.open(`/users?username=${after}`)
    await admin.row(after).waitFor()
  })
})

describe('the audit trail', () => {
  it('shows whole whatever somebody typed for a name', async () => {
    const admin = await visit('admin', 'en')
    const name = 'w'.repeat(50)
    const data = { username: name, password: 'not known here' }
    await admin.page.request.post(`${url}/api/sessions/login`, { data, headers: ownAddress() })
    await admin.open(`/audit?target=${name}`)
    await admin.page.getByRole('table').getByText(name).first().waitFor()
    expect(await overflowOfTables(admin.page)).toEqual([])
  })

  it.each(['en', 'zh-CN'] as const)('is asked for an action by its words, in %s', async (language) => {
    const agent = await visit('agent', language)
    await agent.open('/audit')
    const word = agent.say('audit.action.session.passwordchange')
    await agent.page.getByRole('combobox', { name: agent.say('audit.field.action'), exact: true }).fill(word)
    await agent.page.locator('.ant-select-item-option-active', { hasText: word }).waitFor()
    await agent.page.keyboard.press('Enter')
    await agent.button('console.list.search').click()
    await expect.poll(() => agent.page.url()).toBe(`${url}/audit?action=session.passwordchange`)
  })

  it('keeps the ids of many devices in their own cell', async () => {
    // Devices of nobody: those of the demo are what other tests look at.
    const call = await callAs(url, 'admin')
    const models = await call<{ id: number; model: string }[]>('GET', '/api/device/models')
    const modelid = models.find(({ model }) => model === 'CS-Bridge')?.id
    const batch = { deviceid: 'T9600', amount: 20, modelid, typeid: '1' }
    await call('POST', '/api/devices/batch', batch)
    const { list } = await call<{ list: { id: number }[] }>('GET', '/api/devices?deviceid=T96&pagesize=0')
    await call('POST', renewBoardPasswords.path, { deviceIds: list.map(({ id }) => id) })
    const admin = await visit('admin', 'en')
    await admin.open(`/audit?action=${renewBoardPasswords.audit}`)
    const cell = admin.page
      .locator('tbody td', { has: admin.page.locator('code', { hasText: 'T9600, ' }) })
      .first()
    await cell.waitFor()
    const [right, ...inside] = await cell.evaluate((td) =>
      [td, ...td.querySelectorAll('code, button')].map((part) => part.getBoundingClientRect().right),
    )
    expect(Math.max(...inside)).toBeLessThanOrEqual(right ?? 0)
  })
})
