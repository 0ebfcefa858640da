import { startSimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import type { DataOf, Envelope, showPayPage } from '@chairside/contract'
import { translate, type TextKey } from '@chairside/contract/locales/texts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { findViolations } from './accessibility.ts'
import { launchBrowser } from './browser.ts'
import { openConsole, untilSettled, type Look } from './open-screen.ts'

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
})

/** Somebody before the device list in their language, with the words they see. */
class Visitor {
  readonly page: Page
  readonly language: Look['language']
  constructor(page: Page, language: Look['language']) {
    this.page = page
    this.language = language
  }
  say(key: TextKey, values: Record<string, string | number> = {}): string {
    return translate(this.language, key, values)
  }
  button(key: TextKey, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name: this.say(key), exact: true })
  }
  dialog(): Locator {
    return this.page.getByRole('dialog').last()
  }
  row(sid: string): Locator {
    return this.page.getByRole('row', { name: new RegExp(`${sid} `) })
  }
  async open(address: string): Promise<void> {
    await this.page.goto(demo.url + address)
    await untilSettled(this.page)
  }
  /** Ticks all rows of the page. */
  async tickPage(): Promise<void> {
    await this.page.getByRole('checkbox', { name: this.say('console.list.selectPage') }).check()
  }
  /** Opens the dialog of an action of the toolbar, wherever it stands in it. */
  async act(key: TextKey): Promise<void> {
    const toolbar = this.page.getByRole('toolbar', { name: this.say('devices.action.withChosen') })
    const inSight = this.button(key, toolbar)
    if ((await inSight.count()) > 0) await inSight.click()
    else {
      await this.button('devices.action.more', toolbar).click()
      await this.page.getByRole('menuitem', { name: this.say(key), exact: true }).click()
    }
    await this.dialog().waitFor()
  }
  /** Chooses the first of what a field of the dialog offers. */
  async chooseFirst(label: TextKey): Promise<void> {
    await this.dialog()
      .getByRole('combobox', { name: this.say(label) })
      .click()
    await this.page.locator('.ant-select-item-option').first().click()
  }
  async submit(key: TextKey, count: number): Promise<void> {
    await this.dialog()
      .locator('.dialog-actions')
      .getByRole('button', { name: this.say(key), exact: true })
      .click()
    await this.page.getByText(this.say('devices.dialog.done', { count })).waitFor()
    await this.dialog().waitFor({ state: 'detached' })
  }
}

async function visit(user: 'admin' | 'merchant', language: Look['language']): Promise<Visitor> {
  const { context, page } = await openConsole(browser, demo.url, user, {
    language,
    width: 1440,
    appearance: 'light',
  })
  onTestFinished(() => context.close())
  return new Visitor(page, language)
}

/** Adds a device by its form; answers its board's password, shown once. */
async function addDevice(admin: Visitor, sid: string): Promise<string> {
  await admin.button('devices.action.add').click()
  const dialog = admin.dialog()
  await dialog.getByRole('textbox', { name: admin.say('devices.field.deviceId') }).fill(sid)
  await dialog.getByRole('textbox', { name: admin.say('devices.field.name') }).fill(`chair ${sid}`)
  await admin.chooseFirst('devices.field.model')
  await admin.button('devices.form.add', dialog).click()
  const shown = admin.dialog().filter({ hasText: admin.say('devices.form.passwordTitle', { device: sid }) })
  const password = (await shown.locator('code').textContent()) ?? ''
  await admin.button('console.form.close', shown).click()
  await shown.waitFor({ state: 'detached' })
  return password
}

describe.each([
  ['en', 'N90'],
  ['zh-CN', 'N91'],
] as const)('devices in %s', (language, beginning) => {
  it('are added and moved by an admin, get place and goods from the merchant, and sell', async () => {
    const admin = await visit('admin', language)
    await admin.open(`/devices?deviceid=${beginning}&new=1`)
    const sids = [`${beginning}1`, `${beginning}2`]
    const passwords = [await addDevice(admin, `${beginning}1`), await addDevice(admin, `${beginning}2`)]
    for (const sid of sids) await admin.row(sid).waitFor()

    await admin.tickPage()
    await admin.act('devices.action.move')
    const merchants = admin.dialog().getByRole('combobox', { name: admin.say('devices.dialog.moveTo') })
    await merchants.fill('merchant')
    await admin.page.locator('.ant-select-item-option', { hasText: '(merchant)' }).click()
    await admin
      .dialog()
      .getByRole('radio', { name: admin.say('devices.dialog.associated.1'), exact: true })
      .check()
    await admin.submit('devices.action.move', 2)
    await admin.open(`/devices?deviceid=${beginning}`)
    await admin
      .row(sids[0] ?? '')
      .getByText(admin.say('devices.cannotSell.noPlace'))
      .waitFor()

    const merchant = await visit('merchant', language)
    await merchant.open(`/devices?deviceid=${beginning}`)
    await merchant.button('devices.action.linkPlace').click()
    await merchant.page.getByText(merchant.say('refusals.noDeviceChosen')).waitFor()
    await merchant.tickPage()
    await merchant.act('devices.action.linkPlace')
    await merchant.chooseFirst('devices.field.placeAddress')
    await merchant.submit('devices.action.linkPlace', 2)
    await merchant.tickPage()
    await merchant.act('devices.action.bindGoods')
    await merchant.chooseFirst('devices.field.templateName')
    expect(await findViolations(merchant.page)).toEqual([])
    await merchant.submit('devices.action.bindGoods', 2)
    for (const sid of sids)
      await merchant.row(sid).getByText(merchant.say('devices.associated.1'), { exact: true }).waitFor()

    const [sid = '', password = ''] = [sids[0], passwords[0]]
    const { hostname, port } = new URL(demo.url)
    const chairs = startSimulatedChairs({
      mqttUrl: `mqtt://${hostname}:${Number(port) + 2}`,
      chairs: [{ sid, password, model: 'M-9' }],
    })
    onTestFinished(() => chairs.stop())
    await merchant.row(sid).getByText(merchant.say('devices.status.1')).waitFor()
    const answer = await merchant.page.request.get(`${demo.url}/api/pay/devices/${sid}`)
    const { data } = (await answer.json()) as Envelope<DataOf<typeof showPayPage>>
    expect(data.goods.length).toBeGreaterThan(0)
    // Places close for the night.
    expect(['ready', 'closedNow']).toContain(data.state)
  }, 90_000)
})

it('a chosen filter is repeated before anything is done with all that match; what fails says why', async () => {
  const admin = await visit('admin', 'en')
  await admin.open('/devices?status=1&pagesize=30')
  await admin.tickPage()
  await admin.page.getByRole('button', { name: /^Select all [\d,]+ that match$/ }).click()
  await admin.page.getByText(/^[\d,]{3,} selected/).waitFor()
  await admin.act('devices.action.move')
  await admin.dialog().getByText('Status: WiFi online').waitFor()
  await admin.button('console.form.cancel', admin.dialog()).click()
  await admin.dialog().waitFor({ state: 'detached' })

  await admin.open('/devices?new=1')
  await admin.page
    .getByRole('checkbox', { name: /^Select [A-Z]\d+$/ })
    .first()
    .check()
  await admin.button('devices.action.unlock').focus()
  const reason = admin.page.getByRole('tooltip')
  await reason.waitFor()
  expect(await reason.textContent()).toBe(admin.say('devices.why.notLocked'))
}, 60_000)
