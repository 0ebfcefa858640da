import { text } from 'node:stream/consumers'
import { startSimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import { listPlaces, type DataOf, type Envelope, type showPayPage } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findViolations } from './accessibility.ts'
import { isTakenFor } from './demo-chairs.ts'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { url, visit } = receiveVisitors()

async function openDevices(visitor: Visitor, query: string): Promise<void> {
  await visitor.open(`/devices?${query}`)
  await untilSettled(visitor.page)
}

/** Ticks all rows of the page. */
async function tickPage(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('checkbox', { name: visitor.say('console.list.selectPage') }).check()
}

/** Opens the dialog of an action of the toolbar, wherever it stands in it. */
async function act(visitor: Visitor, key: TextKey): Promise<void> {
  const toolbar = visitor.page.getByRole('toolbar', { name: visitor.say('devices.action.withChosen') })
  const inSight = visitor.button(key, toolbar)
  if ((await inSight.count()) > 0) await inSight.click()
  else {
    await visitor.button('devices.action.more', toolbar).click()
    await visitor.menuItem(key).click()
  }
  await visitor.dialog().waitFor()
}

/** Chooses the first of what a field of the dialog offers, or the first that has a word. */
async function chooseFirst(visitor: Visitor, label: TextKey, hasText: string | RegExp = ''): Promise<void> {
  await visitor
    .dialog()
    .getByRole('combobox', { name: visitor.say(label) })
    .click()
  await visitor.page.locator('.ant-select-item-option', { hasText }).first().click()
}

/** What the demo's merchant has from the beginning: other tests make and delete places and templates meanwhile. */
const lasting = { place: '（', template: '标准按摩套餐' } as const

async function submit(visitor: Visitor, key: TextKey, count: number): Promise<void> {
  await visitor.button(key, visitor.dialog().locator('.dialog-actions')).click()
  // What was said of the action before may still be there; what is said of this one goes again.
  await Promise.all([
    visitor.dialog().waitFor({ state: 'detached' }),
    visitor.text('devices.dialog.done', { count }).last().waitFor(),
  ])
}

/** Adds a device by its form; answers its board's password, shown once. */
async function addDevice(admin: Visitor, sid: string): Promise<string> {
  await admin.button('devices.action.add').click()
  const dialog = admin.dialog()
  await dialog.getByRole('textbox', { name: admin.say('devices.field.deviceId') }).fill(sid)
  await dialog.getByRole('textbox', { name: admin.say('devices.field.name') }).fill(`chair ${sid}`)
  await chooseFirst(admin, 'devices.field.model')
  await admin.button('devices.form.add', dialog).click()
  const shown = admin.dialog().filter({ hasText: admin.say('devices.form.passwordTitle', { device: sid }) })
  const password = (await shown.locator('code').textContent()) ?? ''
  await admin.button('console.form.close', shown).click()
  await shown.waitFor({ state: 'detached' })
  return password
}

/** Gives the boards that are ticked other passwords, and reads them from the file. */
async function renewPasswords(admin: Visitor, sids: readonly string[]): Promise<string[]> {
  await act(admin, 'devices.action.renewPassword')
  await admin.button('devices.action.renewPassword', admin.dialog().locator('.dialog-actions')).click()
  const title = admin.say('batches.passwords.title', { count: sids.length })
  const shown = admin.dialog().filter({ hasText: title })
  await shown.waitFor()
  expect(await findViolations(admin.page)).toEqual([])
  const [download] = await Promise.all([
    admin.page.waitForEvent('download'),
    admin.button('batches.passwords.save', shown).click(),
  ])
  await admin.button('console.form.close', shown).last().click()
  await shown.waitFor({ state: 'detached' })
  const [head, ...lines] = (await text(await download.createReadStream())).trimEnd().split('\r\n')
  expect(head).toBe('deviceId,password')
  expect(lines.map((line) => line.split(',')[0])).toEqual(sids)
  return lines.map((line) => line.split(',')[1] ?? '')
}

describe.each([
  ['en', 'N90'],
  ['zh-CN', 'N91'],
] as const)('devices in %s', (language, beginning) => {
  it('are added and moved by an admin, get place and goods from the merchant, and sell', async () => {
    const admin = await visit('admin', language)
    await openDevices(admin, `deviceid=${beginning}&new=1`)
    const sids = [`${beginning}1`, `${beginning}2`]
    const lost = [await addDevice(admin, `${beginning}1`), await addDevice(admin, `${beginning}2`)]
    for (const sid of sids) await admin.row(sid).waitFor()
    await tickPage(admin)
    const passwords = await renewPasswords(admin, sids)
    expect(passwords.filter((password) => password.length < 20 || lost.includes(password))).toEqual([])

    await tickPage(admin)
    await act(admin, 'devices.action.move')
    const merchants = admin.dialog().getByRole('combobox', { name: admin.say('devices.dialog.moveTo') })
    await merchants.fill('merchant')
    await admin.page.locator('.ant-select-item-option', { hasText: '(merchant)' }).click()
    await admin
      .dialog()
      .getByRole('radio', { name: admin.say('devices.dialog.associated.1'), exact: true })
      .check()
    await submit(admin, 'devices.action.move', 2)
    await openDevices(admin, `deviceid=${beginning}`)
    await admin
      .row(sids[0] ?? '')
      .getByText(admin.say('devices.cannotSell.noPlace'))
      .waitFor()

    const merchant = await visit('merchant', language)
    await openDevices(merchant, `deviceid=${beginning}`)
    await merchant.button('devices.action.linkPlace').click()
    await merchant.text('refusals.noDeviceChosen').waitFor()
    await tickPage(merchant)
    await act(merchant, 'devices.action.linkPlace')
    await chooseFirst(merchant, 'devices.field.placeAddress', lasting.place)
    await submit(merchant, 'devices.action.linkPlace', 2)
    await tickPage(merchant)
    await act(merchant, 'devices.action.bindGoods')
    await chooseFirst(merchant, 'devices.field.templateName', lasting.template)
    expect(await findViolations(merchant.page)).toEqual([])
    await submit(merchant, 'devices.action.bindGoods', 2)
    for (const sid of sids)
      await merchant.row(sid).getByText(merchant.say('devices.associated.1'), { exact: true }).waitFor()

    const [sid = '', password = ''] = [sids[0], passwords[0]]
    const { hostname, port } = new URL(url)
    const chairs = startSimulatedChairs({
      mqttUrl: `mqtt://${hostname}:${Number(port) + 2}`,
      chairs: [{ sid, password, model: 'M-9' }],
    })
    onTestFinished(() => chairs.stop())
    await merchant.row(sid).getByText(merchant.say('devices.status.1')).waitFor()
    const answer = await merchant.page.request.get(`${url}/api/pay/devices/${sid}`)
    const { data } = (await answer.json()) as Envelope<DataOf<typeof showPayPage>>
    expect(data.goods.length).toBeGreaterThan(0)
    // Places close for the night.
    expect(['ready', 'closedNow']).toContain(data.state)
  })
})

it('a chosen filter is repeated before anything is done with all that match; what fails says why', async () => {
  const admin = await visit('admin', 'en')
  await openDevices(admin, 'status=1&pagesize=30')
  await tickPage(admin)
  await admin.page.getByRole('button', { name: /^Select all [\d,]+ that match$/ }).click()
  await admin.page.getByText(/^[\d,]{3,} selected/).waitFor()
  await act(admin, 'devices.action.move')
  const filter = admin.dialog().locator('.facts > div', { hasText: 'Status' })
  await filter.getByText('WiFi online').waitFor()
  await admin.button('console.form.cancel', admin.dialog()).click()
  await admin.dialog().waitFor({ state: 'detached' })

  await openDevices(admin, 'new=1')
  await admin.page
    .getByRole('checkbox', { name: /^Select [A-Z]\d+$/ })
    .first()
    .check()
  await admin.button('devices.action.unlock').focus()
  const reason = admin.page.getByRole('tooltip')
  await reason.waitFor()
  expect(await reason.textContent()).toBe(admin.say('devices.why.notLocked'))
})

it('what is done with one row leaves the ticks of others; a merchant is told of a lock, not of whose it is', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await openDevices(merchant, 'locked=0&pagesize=50')
  const filters = page.getByRole('search')
  await filters.getByRole('combobox', { name: merchant.say('devices.field.locked') }).click()
  const offered = page.locator('.ant-select-item-option')
  await offered.filter({ hasText: merchant.say('devices.locked.1') }).waitFor()
  expect(await offered.filter({ hasText: merchant.say('devices.locked.2') }).count()).toBe(0)
  await page.keyboard.press('Escape')

  const ticks = page.getByRole('checkbox', { name: /^Select [A-Z]\d+$/ })
  const labels = await ticks.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label') ?? ''))
  const sids = labels.map((label) => label.replace('Select ', ''))
  const sid = sids.find((one) => isTakenFor('locks', one)) ?? ''
  for (const other of sids.filter((one) => one !== sid).slice(0, 2))
    await page.getByRole('checkbox', { name: `Select ${other}`, exact: true }).check()
  await merchant.chooseMore(sid, 'devices.action.lock')
  await submit(merchant, 'devices.action.lock', 1)
  await merchant.row(sid).waitFor({ state: 'detached' })
  await page.getByText('2 selected').waitFor()

  await openDevices(merchant, `deviceid=${sid}&locked=1`)
  await merchant.chooseMore(sid, 'devices.action.unlock')
  await submit(merchant, 'devices.action.unlock', 1)
})

it('a filter asks for what it offers when somebody turns to it, and calls what was chosen by its name', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const hasAsked = () => asked.some((address) => address.includes(listPlaces.path))
  await openDevices(merchant, '')
  expect(hasAsked()).toBe(false)
  const filters = page.getByRole('search')
  const places = filters.getByRole('combobox', { name: merchant.say('devices.field.placeAddress') })
  await places.press('ArrowDown')
  const first = page.locator('.ant-select-item-option').filter({ hasText: lasting.place }).first()
  await first.waitFor()
  expect(hasAsked()).toBe(true)
  const name = (await first.textContent()) ?? ''
  await first.click()
  await merchant.button('console.list.search', filters).click()
  await page.waitForURL(/placeid=\d+/)
  await page.reload()
  await filters.getByText(name, { exact: true }).waitFor()
})

it.each(['en', 'zh-CN'] as const)(
  'the box for new devices has its word beside it in %s',
  async (language) => {
    const admin = await visit('admin', language)
    await openDevices(admin, '')
    const box = admin.page.getByRole('checkbox', { name: admin.say('console.devices.newDevices') })
    const word = admin.text('console.devices.newDevices')
    const [ofBox, ofWord] = [await box.boundingBox(), await word.boundingBox()]
    expect(ofWord?.y ?? 0).toBeLessThan((ofBox?.y ?? 0) + (ofBox?.height ?? 0))
  },
)

it('who looks for new devices is not asked for the merchant or agent they have not', async () => {
  const admin = await visit('admin', 'en')
  const filters = admin.page.getByRole('search')
  const merchant = filters.getByText(admin.say('devices.field.merchantName'), { exact: true })
  await openDevices(admin, 'new=1&merchantid=1')
  await admin.page.getByRole('row').nth(1).waitFor()
  expect(await merchant.count()).toBe(0)
  await openDevices(admin, '')
  await merchant.waitFor()
})

it('a device can be put at any place of a merchant who has more than a thousand', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await page.route('**/api/merchant/places*', (route) => {
    const size = Number(new URL(route.request().url()).searchParams.get('pagesize'))
    const places = Array.from({ length: 1200 }, (_one, index) => ({
      id: 9000 - index,
      address: `Hall ${index}`,
    }))
    const list = size === 0 ? places : places.slice(0, size)
    return route.fulfill({
      json: { success: true, resultCode: '000', message: '', data: { list, total: places.length } },
    })
  })
  await openDevices(merchant, 'pagesize=10')
  await page.getByRole('checkbox', { name: /G1/ }).first().check()
  await act(merchant, 'devices.action.linkPlace')
  await merchant.dialog().getByRole('combobox').click()
  await page.keyboard.type('Hall 1199')
  const found = page.locator('.ant-select-item-option', { hasText: 'Hall 1199' })
  await expect.poll(() => found.count()).toBe(1)
})

it('what can be looked at of a device is in the toolbar too, for one that is ticked', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await openDevices(merchant, 'pagesize=50')
  const more = merchant.button('devices.action.more')
  await more.click()
  await merchant.menuItem('devices.logDialog.open').click()
  await merchant.text('refusals.noDeviceChosen').waitFor()

  const ticks = page.getByRole('checkbox', { name: /^Select [A-Z]\d+$/ })
  const sid = ((await ticks.first().getAttribute('aria-label')) ?? '').replace('Select ', '')
  await ticks.first().check()
  await act(merchant, 'devices.logDialog.open')
  await page.getByRole('dialog', { name: merchant.say('devices.logDialog.title', { id: sid }) }).waitFor()
  await page.keyboard.press('Escape')
  await merchant.dialog().waitFor({ state: 'detached' })

  await ticks.nth(1).check()
  await more.click()
  const records = page.getByRole('menuitem', { name: merchant.say('console.devices.online') })
  await records.waitFor()
  expect(await records.textContent()).toContain(merchant.say('devices.why.onlyOne'))
})
