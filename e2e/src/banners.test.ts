import { uploadPicture, type BannerRow } from '@chairside/contract'
import { drawPicture } from '@chairside/server/testing/drawn-pictures'
import { beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { callAs } from './demo-calls.ts'
import { receiveVisitors } from './visitor.ts'

const { url, visit, openPhone } = receiveVisitors()
let good: Buffer
let narrow: Buffer
let large: Buffer
beforeAll(async () => {
  good = await drawPicture(720, 350)
  narrow = await drawPicture(719, 350)
  large = Buffer.concat([good, Buffer.alloc(2 * 1024 * 1024)])
})

/** A chair of the demo's merchant. */
async function chairOfMerchant(): Promise<string> {
  const call = await callAs(url, 'merchant')
  const { list } = await call<{ list: { deviceId: string }[] }>('GET', '/api/devices?pagesize=1&associated=1')
  return list[0]?.deviceId ?? ''
}

describe.each([
  { language: 'en', reviewer: 'agent' },
  { language: 'zh-CN', reviewer: 'admin' },
] as const)('a banner picture in $language', ({ language, reviewer }) => {
  it(`is refused for what is wrong with it, sent in by the merchant, accepted by the ${reviewer}, and shown to customers`, async () => {
    const merchant = await visit('merchant', language)
    const { page } = merchant
    await merchant.open('/banner')
    const row = page.getByRole('row', { name: /Deep Corner/ })
    await row.getByRole('button').last().click()
    await merchant.menuItem('banners.action.upload').click()
    const dialog = merchant.dialog()
    const file = dialog.locator('input[type=file]')
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      file.setInputFiles({ name, mimeType, buffer })

    await merchant.button('banners.form.send', dialog).click()
    await dialog.getByText(merchant.say('validation.bannerKeyEmpty')).waitFor()
    await choose('moving.gif', 'image/gif', Buffer.from('GIF89a'))
    await dialog.getByText(merchant.say('validation.pictureType')).waitFor()
    // A name and a type that promise another thing than the bytes are.
    await choose('photo.jpg', 'image/jpeg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await dialog.getByText(merchant.say('validation.pictureType')).waitFor()
    await choose('large.jpg', 'image/jpeg', large)
    await dialog.getByText(merchant.say('validation.pictureTooLarge')).waitFor()
    await choose('narrow.jpg', 'image/jpeg', narrow)
    const given = { width: 720, height: 350, given: '719 × 350' }
    await dialog.getByText(merchant.say('validation.pictureSize', given)).waitFor()
    await choose('good.jpg', 'image/jpeg', good)
    const preview = dialog.getByRole('img', {
      name: merchant.say('pictures.preview', { label: merchant.say('banners.field.bannerkey') }),
    })
    await preview.waitFor()
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(720)
    expect(await findViolations(page)).toEqual([])
    const key = (await preview.getAttribute('src')) ?? ''
    await merchant.button('banners.form.send', dialog).click()
    await merchant.text('banners.form.sentForReview').waitFor()
    await row.getByText(merchant.say('banners.waiting.true')).waitFor()

    const above = await visit(reviewer, language)
    await above.open('/banner?pending=1')
    const waiting = above.page.getByRole('row', { name: /Deep Corner/ })
    await above.button('banners.action.review', above.page.locator('main')).first().waitFor()
    await waiting.getByRole('button', { name: above.say('banners.action.review') }).click()
    await above.dialog().locator(`img[src="${key}"]`).waitFor()
    await above.button('banners.review.accept').click()
    const question = above.dialog()
    await question.getByText(merchant.say('banners.review.acceptExplain')).waitFor()
    await above.button('banners.review.accept', question).click()
    await above.page.getByText(merchant.say('banners.review.accepted')).waitFor()
    await waiting.waitFor({ state: 'detached' })

    const pay = await openPhone(language)
    await pay.goto(`${url}/d/${await chairOfMerchant()}`)
    const shown = pay.locator('.banner img')
    await expect.poll(() => shown.getAttribute('src')).toBe(key)
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(720)
  })
})

it.each([
  ['admin', 1],
  ['merchant', 0],
  ['merchant-sub', 0],
] as const)(
  '%s is offered to add a banner %d times: a merchant has its own from the beginning',
  async (user, times) => {
    const visitor = await visit(user, 'en')
    await visitor.open('/banner')
    await visitor.page.getByRole('row', { name: /Deep Corner/ }).waitFor()
    expect(await visitor.button('banners.action.add').count()).toBe(times)
  },
)

it('a picture that is still on its way is not left behind unasked', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  const { promise: isAnswered, resolve: letArrive } = Promise.withResolvers<void>()
  await page.route(`**${uploadPicture.path}`, async (route) => {
    await isAnswered
    await route.continue()
  })
  await merchant.open('/banner')
  await page
    .getByRole('row', { name: /Deep Corner/ })
    .getByRole('button')
    .last()
    .click()
  await merchant.menuItem('banners.action.upload').click()
  const dialog = merchant.dialog()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'good.jpg', mimeType: 'image/jpeg', buffer: good })
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: merchant.say('console.form.discardTitle') })
  await merchant.button('console.form.cancel', question).click()
  await question.waitFor({ state: 'detached' })
  letArrive()
  const label = merchant.say('banners.field.bannerkey')
  const preview = dialog.getByRole('img', { name: merchant.say('pictures.preview', { label }) })
  await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(720)
})

it('saving a banner leaves what others changed of it since it was opened', async () => {
  const admin = await visit('admin', 'en')
  const { page } = admin
  const call = await callAs(url, 'admin')
  const find = async () => {
    const { list } = await call<{ list: BannerRow[] }>('GET', '/api/goods/banners?pagesize=0')
    const found = list.find(({ merchantName }) => merchantName.startsWith('舒泊'))
    if (!found) throw new Error('the demo has no such banner')
    return found
  }
  const { id } = await find()
  await admin.open(`/banner?merchantid=${id}`)
  const row = page.getByRole('row', { name: /舒泊/ })
  await admin.button('banners.action.edit', row).click()
  const dialog = admin.dialog()
  await dialog.getByLabel(admin.say('banners.field.successText')).fill('Thank you')
  await call('POST', '/api/goods/banner', { id, url: 'https://example.com/since', frontLang: 3 })
  await admin.button('banners.form.save', dialog).click()
  await admin.text('banners.form.updated').waitFor()
  expect(await find()).toMatchObject({
    successText: 'Thank you',
    url: 'https://example.com/since',
    frontLang: 3,
  })
})
