import { countAlerts, type Envelope } from '@chairside/contract'
import { describe, expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors } from './visitor.ts'

const { visit } = receiveVisitors()

/** Each language sees alerts of another kind, so that both tests find one that was not seen. */
describe.each([
  ['en', 'trouble'],
  ['zh-CN', 'weakSignal'],
] as const)('alerts in %s', (language, kind) => {
  it('stand behind the bell, lead to the device, and are seen by one’s own organisation', async () => {
    const merchant = await visit('merchant', language)
    const { page } = merchant
    await merchant.open('/')
    const bell = page.locator('.alert-bell')
    await expect.poll(() => bell.locator('span[aria-hidden=true]').last().textContent()).toMatch(/^\d+$/)
    const unseen = async () => Number(await bell.locator('span[aria-hidden=true]').last().textContent())
    await bell.click()
    await merchant.arrive('/alerts')
    await merchant.open(`/alerts?kind=${kind}`)
    const alerts = page.getByRole('row').filter({ hasText: merchant.say(`alerts.kind.${kind}`) })
    const deviceId = (await alerts.first().locator('a code').textContent()) ?? ''
    const row = alerts.filter({ has: page.locator('a code', { hasText: deviceId }) })
    await untilSettled(page)
    // Counted anew at once. Other alerts may have come meanwhile, so that it need not be fewer than before.
    const counts: number[] = []
    page.on('response', async (response) => {
      if (!response.url().includes(countAlerts.path)) return
      // One that comes as the page is left has no content any more.
      const counted = (await response.json().catch(() => null)) as Envelope<{ unseen: number }> | null
      if (counted) counts.push(counted.data.unseen)
    })
    await merchant.button('alerts.list.markSeen', row).click()
    await row.locator('.tag-good', { hasText: merchant.say('alerts.list.seen') }).waitFor()
    await expect.poll(() => counts.length).toBeGreaterThan(0)
    await expect.poll(async () => (await unseen()) === counts.at(-1)).toBe(true)
    await row.locator('a').click()
    await merchant.arrive(`/devices?deviceid=${deviceId}`)
    await page.getByRole('row', { name: new RegExp(deviceId) }).waitFor()

    // What the merchant has seen is not yet seen by its agent.
    const agent = await visit('agent', language)
    await agent.open(`/alerts?deviceid=${deviceId}&kind=${kind}`)
    await agent.button('alerts.list.markSeen').waitFor()
  })

  it('of a place are one on a phone, with the devices behind it', async () => {
    const agent = await visit('agent', language, 390)
    const { page } = agent
    await agent.open('/alerts?kind=offline')
    // One device is called by its id.
    const card = page.locator('.card', { hasNot: page.locator('.facts a code') }).first()
    await card.getByRole('button', { name: agent.say('console.list.details') }).click()
    await card.locator('.alert-devices li').first().waitFor()
    const devices = await card.locator('.alert-devices li').count()
    expect(devices).toBeGreaterThan(1)
    expect(await card.textContent()).toContain(agent.say('alerts.kind.offline'))
    await card.getByRole('link').first().click()
    await page.waitForURL(/\/devices\?placeid=\d+&status=2$/)
  })

  it('of a place lead who keeps no places to a list that names the place, and lets go of it', async () => {
    const agent = await visit('agent', language)
    const { page } = agent
    await agent.open('/alerts?kind=offline')
    const row = page.getByRole('row').filter({ hasNot: page.locator('code') })
    const subject = row.locator('a').first()
    await subject.click()
    await page.waitForURL(/\/devices\?placeid=\d+&status=2$/)
    const filters = page.getByRole('search')
    const label = agent.say('devices.field.placeAddress')
    const field = filters.locator('.field', { hasText: label })
    // Its name, not its number.
    await expect.poll(() => field.textContent()).toMatch(/（.+）$/)
    const place = ((await field.textContent()) ?? '').replace(label, '')
    await page.getByRole('row', { name: place }).first().waitFor()
    await field.locator('.ant-select-clear').click({ force: true })
    await agent.button('console.list.search', filters).click()
    await page.waitForURL(/\/devices\?status=2$/)
    await field.waitFor({ state: 'detached' })
  })
})
