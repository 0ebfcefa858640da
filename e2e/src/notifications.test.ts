import { describe, expect, it } from 'vitest'
import { receiveVisitors } from './visitor.ts'

const { url, visit } = receiveVisitors()

/** What the played messengers were told; their page stands three ports after the console. */
async function messages(): Promise<string> {
  const { protocol, hostname, port } = new URL(url)
  return (await fetch(`${protocol}//${hostname}:${Number(port) + 3}/`)).text()
}

describe.each(['en', 'zh-CN'] as const)('notifications in %s', (language) => {
  const name = `Night desk ${language}`
  const mailbox = `night-${language.toLowerCase()}@example.com`

  it('a merchant adds a mailbox, tries it, changes it and deletes it', async () => {
    const merchant = await visit('merchant', language)
    await merchant.open('/notifications')
    await merchant.button('notifications.add').click()
    const field = (key: 'name' | 'address') => merchant.field(`notifications.field.${key}`, merchant.dialog())
    await merchant.dialog().getByRole('combobox').click()
    await merchant.page.getByTitle(merchant.say('notifications.kind.email')).last().click()
    await field('name').fill(name)
    await field('address').fill('nowhere')
    await merchant.page.keyboard.press('Enter')
    await merchant.text('validation.notAMailbox').waitFor()
    await field('address').fill(mailbox)
    await merchant.page.keyboard.press('Enter')
    await merchant.text('notifications.added', { name }).waitFor()

    await merchant
      .row(name)
      .getByRole('button', { name: merchant.say('notifications.sendTest') })
      .click()
    await merchant.text('notifications.testSent', { name }).waitFor()
    expect(await messages()).toContain(mailbox)

    await merchant.chooseMore(name, 'notifications.edit')
    expect(await field('address').inputValue()).toBe('')
    await merchant
      .dialog()
      .getByRole('checkbox', { name: merchant.say('notifications.active.true'), exact: true })
      .uncheck()
    await merchant.button('notifications.save').click()
    await merchant.text('notifications.saved', { name }).waitFor()
    await merchant.row(name).getByText(merchant.say('notifications.active.false'), { exact: true }).waitFor()

    await merchant.chooseMore(name, 'notifications.delete')
    await merchant.button('notifications.delete', merchant.dialog()).click()
    await merchant.row(name).waitFor({ state: 'detached' })
  })

  it('what a webhook is signed with is shown once, and copied also where the browser gives no clipboard', async () => {
    const merchant = await visit('merchant', language)
    const { page } = merchant
    const hook = `Till ${language}`
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await merchant.open('/notifications')
    await merchant.button('notifications.add').click()
    await merchant.dialog().getByRole('combobox').click()
    await page.getByTitle(merchant.say('notifications.kind.webhook')).last().click()
    await merchant.field('notifications.field.name', merchant.dialog()).fill(hook)
    await merchant.field('notifications.field.address', merchant.dialog()).fill('https://till.example.com/in')
    await merchant.button('notifications.addSubmit', merchant.dialog()).click()
    await page
      .getByText(merchant.say('notifications.secretTitle', { name: hook }))
      .last()
      .waitFor()
    const shown = page.locator('.password-shown code')
    const secret = (await shown.textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    expect(await shown.evaluate((code) => code.scrollWidth - code.clientWidth)).toBe(0)
    const copied = page.evaluate(
      () =>
        new Promise<string>((resolve) =>
          document.addEventListener('copy', () => resolve(String(getSelection())), { once: true }),
        ),
    )
    await merchant.button('console.list.copy', merchant.dialog(), { value: secret }).click()
    expect(await copied).toBe(secret)
    await merchant.button('console.list.copied', merchant.dialog()).waitFor()
  })

  it('a robot that is not there is told in the words of its messenger', async () => {
    const merchant = await visit('merchant', language)
    const robot = `Nobody ${language}`
    await merchant.open('/notifications')
    await merchant.button('notifications.add').click()
    await merchant.field('notifications.field.name', merchant.dialog()).fill(robot)
    await merchant
      .field('notifications.field.address', merchant.dialog())
      .fill('https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee')
    await merchant.button('notifications.addSubmit', merchant.dialog()).click()
    await merchant.text('notifications.added', { name: robot }).waitFor()
    await merchant
      .row(robot)
      .getByRole('button', { name: merchant.say('notifications.sendTest') })
      .click()
    await merchant.page.getByText('93000').first().waitFor()
    await merchant.row(robot).getByText('93000').waitFor()
    expect(await messages()).not.toContain('aaaaaaaa-bbbb')
  })
})
