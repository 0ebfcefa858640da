import { buffer } from 'node:stream/consumers'
import type { TextKey } from '@chairside/contract/locales/texts'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { url, visit } = receiveVisitors()

/** A field of the dialog: the filters behind it are called the same. */
const fieldOf = (admin: Visitor, key: TextKey): Locator => admin.field(key, admin.dialog())

/** What is saved when something is clicked. */
async function saved(
  { page }: Visitor,
  click: () => Promise<void>,
): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: download.suggestedFilename(), content: await buffer(await download.createReadStream()) }
}

/** Names in the directory at the end of a zip. */
function namesInZip(zip: Buffer): string[] {
  const names: string[] = []
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  let at = zip.readUInt32LE(end + 16)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const length = zip.readUInt16LE(at + 28)
    names.push(zip.toString('latin1', at + 46, at + 46 + length))
    at += 46 + length + zip.readUInt16LE(at + 30)
  }
  return names
}

async function fillBatch(admin: Visitor, start: string, amount: string, model: string): Promise<void> {
  await admin.button('batches.add').click()
  await fieldOf(admin, 'batches.field.deviceid').fill(start)
  await fieldOf(admin, 'batches.field.amount').fill(amount)
  await admin.dialog().getByRole('combobox').first().click()
  await admin.page.getByTitle(model).last().click()
}

/** The dialog that tells the passwords of so many boards. */
const passwordsOf = (admin: Visitor, count: number) =>
  admin.page.getByRole('dialog').filter({ hasText: admin.say('batches.passwords.title', { count }) })

/** Closes it without the file, which is asked about. */
async function leavePasswords(admin: Visitor, count: number): Promise<void> {
  await admin.button('console.form.close', passwordsOf(admin, count)).last().click()
  await admin.button('batches.passwords.leave').click()
  await passwordsOf(admin, count).waitFor({ state: 'detached' })
}

describe.each(['en', 'zh-CN'] as const)('models and batches in %s', (language) => {
  const tail = language === 'en' ? '1' : '2'
  const model = `CS-300 ${language}`

  it('an admin adds a model, whose pulses count in their mode only, and changes it', async () => {
    const admin = await visit('admin', language)
    await admin.open('/models')
    await admin.button('models.add').click()
    await fieldOf(admin, 'models.field.model').fill(model)
    const cycle = fieldOf(admin, 'models.field.pulseCycle')
    expect(await cycle.isDisabled()).toBe(true)
    await admin.page.getByRole('radio', { name: admin.say('models.controlMode.2') }).check()
    await cycle.fill('9')
    await admin.button('models.addSubmit', admin.dialog()).click()
    const tooSmall = admin.page.getByRole('alert').getByText(admin.say('validation.tooSmall', { min: 10 }))
    await tooSmall.waitFor()
    await cycle.fill('10')
    // Who corrects a field is not told of it any more.
    await tooSmall.waitFor({ state: 'detached' })
    await admin.page.keyboard.press('Enter')
    // Within its range, but a pulse would not be over before the next one.
    const belowCycle = admin.dialog().getByText(admin.say('validation.belowPulseCycle'))
    await belowCycle.waitFor()
    // It stands at the duty cycle, and is over as well once the cycle is long enough.
    await cycle.fill('49')
    await belowCycle.waitFor()
    await cycle.fill('51')
    await belowCycle.waitFor({ state: 'detached' })
    await admin.page.keyboard.press('Enter')
    await admin.row(model).waitFor()
    await admin.button('models.edit', admin.row(model)).click()
    await fieldOf(admin, 'models.field.model').fill('CS-Bridge')
    await admin.button('models.save', admin.dialog()).click()
    await admin.page.getByRole('alert').getByText(admin.say('refusals.modelTaken')).waitFor()
  })

  it('a batch is made, printed, grows, is kept from clashing, and goes', async () => {
    const admin = await visit('admin', language)
    await admin.open('/batchdevice')
    await fillBatch(admin, `t7${tail}00`, '24', 'CS-Bridge')
    await admin.text('batches.runsTo', { lastDeviceId: `T7${tail}23` }).waitFor()
    await admin.button('batches.addSubmit', admin.dialog(), { count: 24 }).click()

    const passwords = admin.dialog().filter({ hasText: admin.say('batches.passwords.title', { count: 24 }) })
    const file = await saved(admin, () => admin.button('batches.passwords.save', passwords).click())
    expect(file.name).toBe(`boards-T7${tail}00.csv`)
    const lines = file.content.toString('utf8').trim().split('\r\n')
    expect(lines).toHaveLength(25)
    expect(lines[24]).toMatch(new RegExp(`^T7${tail}23,[\\w-]{24}$`))
    await admin.button('console.form.close', passwords).last().click()

    const row = admin.row(`T7${tail}00`)
    await admin.button('stickers.action', row).click()
    const zip = await saved(admin, () => admin.button('stickers.download', admin.dialog()).click())
    expect(zip.name).toBe('qrcode.zip')
    const names = namesInZip(zip.content)
    expect(names).toHaveLength(48)
    expect(names.slice(0, 2)).toEqual([`T7${tail}00.png`, `T7${tail}00.svg`])
    await admin.dialog().waitFor({ state: 'detached' })

    await fillBatch(admin, `T7${tail}10`, '5', 'CS-Bridge')
    await admin.button('batches.addSubmit', admin.dialog(), { count: 5 }).click()
    const taken = admin.say('validation.batchTaken', { deviceId: `T7${tail}10` })
    await admin.page.getByRole('alert').getByText(taken).waitFor()
    await fieldOf(admin, 'batches.field.deviceid').fill(`T7${tail}30`)
    await admin.page.keyboard.press('Enter')
    await leavePasswords(admin, 5)

    await admin.button('batches.modify', row).click()
    await fieldOf(admin, 'batches.field.amount').fill('31')
    await admin.page.keyboard.press('Enter')
    const blocked = admin.say('validation.batchTaken', { deviceId: `T7${tail}30` })
    await admin.page.getByRole('alert').getByText(blocked).waitFor()
    await fieldOf(admin, 'batches.field.amount').fill('30')
    await admin.page.keyboard.press('Enter')
    await row.getByText(`T7${tail}29`).waitFor()
    await leavePasswords(admin, 6)

    await admin.button('batches.delete', row).click()
    await admin.button('batches.deleteSubmit', admin.dialog(), { count: 30 }).click()
    await row.waitFor({ state: 'detached' })
  })

  it('a merchant prints the QR codes of devices it ticks, and sees the one of a device', async () => {
    const merchant = await visit('merchant', language)
    await merchant.open('/devices')
    const ticks = merchant.page.locator('tbody').getByRole('checkbox')
    await ticks.nth(1).check()
    const toolbar = merchant.page.getByRole('toolbar')
    const print = async () => {
      const inSight = merchant.button('stickers.action', toolbar)
      await toolbar.waitFor()
      if ((await inSight.count()) > 0) return inSight.click()
      await merchant.button('devices.action.more', toolbar).click()
      await merchant.page.getByRole('menuitem', { name: merchant.say('stickers.action') }).click()
    }
    await print()
    const picture = merchant.dialog().locator('img.sticker')
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    const png = await saved(merchant, () =>
      merchant.button('stickers.downloadPng', merchant.dialog()).click(),
    )
    expect(png.name).toMatch(/^[A-Z]\d+\.png$/)
    await merchant.button('console.form.close', merchant.dialog()).last().click()
    await ticks.nth(2).check()
    await print()
    const zip = await saved(merchant, () => merchant.button('stickers.download', merchant.dialog()).click())
    expect(namesInZip(zip.content)).toHaveLength(4)
  })
})

describe('the status history', () => {
  it('is a screen at the address of its call, also when it is loaded again', async () => {
    const merchant = await visit('merchant', 'en')
    await merchant.open('/api/device/status')
    await merchant.page.getByRole('heading', { name: merchant.say('devices.history.title') }).waitFor()
    await merchant.page.getByRole('table').waitFor()
    const answer = await merchant.page.request.get(`${url}/api/device/status`)
    expect(await answer.json()).toMatchObject({ resultCode: '02000' })
  })

  it('asks an admin for a merchant before it shows anything', async () => {
    const admin = await visit('admin', 'zh-CN')
    await admin.open('/api/device/status')
    const notice = admin.text('devices.history.chooseMerchant')
    await expect.poll(() => notice.count()).toBe(1)
    expect(await admin.page.getByRole('table').count()).toBe(0)
  })

  it('and models are not for everybody', async () => {
    const agent = await visit('agent', 'en')
    await agent.open('/models')
    const blocked = agent.page.getByRole('heading', { name: agent.say('console.blocked.access') })
    await expect.poll(() => blocked.count()).toBe(1)
  })
})
