import { translate, type TextKey } from '@chairside/contract/locales/texts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
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

/** Somebody before a console in their language, with the words they see. */
async function visit(user: 'merchant' | 'agent', language: Look['language'], width = 1440) {
  const { context, page } = await openConsole(browser, demo.url, user, {
    language,
    width,
    appearance: 'light',
  })
  onTestFinished(() => context.close())
  const say = (key: TextKey, values: Record<string, string | number> = {}) => translate(language, key, values)
  return { page, say }
}

/** Each language sees alerts of another kind, so that both tests find one that was not seen. */
describe.each([
  ['en', 'trouble'],
  ['zh-CN', 'weakSignal'],
] as const)('alerts in %s', (language, kind) => {
  it('stand behind the bell, lead to the device, and are seen by one’s own organisation', async () => {
    const { page, say } = await visit('merchant', language)
    const bell = page.locator('.alert-bell')
    await expect.poll(() => bell.locator('span[aria-hidden=true]').last().textContent()).toMatch(/^\d+$/)
    const unseen = async () => Number(await bell.locator('span[aria-hidden=true]').last().textContent())
    const before = await unseen()
    await bell.click()
    await page.waitForURL(`${demo.url}/alerts`)
    await page.goto(`${demo.url}/alerts?kind=${kind}`)
    const row = page
      .getByRole('row')
      .filter({ hasText: say(`alerts.kind.${kind}`) })
      .first()
    const deviceId = (await row.locator('a code').textContent()) ?? ''
    expect(await row.textContent()).toContain(say(`alerts.kind.${kind}`))
    await row.getByRole('button', { name: say('alerts.list.seen'), exact: true }).click()
    await row.locator('.tag-good', { hasText: say('alerts.list.seen') }).waitFor()
    await expect.poll(unseen).toBeLessThan(before)
    await row.locator('a').click()
    await page.waitForURL(`${demo.url}/devices?deviceid=${deviceId}`)
    await page.getByRole('row', { name: new RegExp(deviceId) }).waitFor()

    // What the merchant has seen is not yet seen by its agent.
    const agent = await visit('agent', language)
    await agent.page.goto(`${demo.url}/alerts?deviceid=${deviceId}&kind=${kind}`)
    await agent.page.getByRole('button', { name: say('alerts.list.seen'), exact: true }).waitFor()
  })

  it('of a place are one on a phone, with the devices behind it', async () => {
    const { page, say } = await visit('agent', language, 390)
    await page.goto(`${demo.url}/alerts?kind=offline`)
    const card = page.locator('.card', { has: page.locator('.alert-devices') }).first()
    await card.locator('.alert-devices li').first().waitFor()
    const devices = await card.locator('.alert-devices li').count()
    expect(devices).toBeGreaterThan(1)
    expect(await card.textContent()).toContain(say('alerts.kind.offline'))
    await card.getByRole('link').first().click()
    await page.waitForURL(/\/devices\?placeid=\d+&status=2$/)
  })
})
