import { translate, type TextKey } from '@chairside/contract/locales/texts'
import { drawPicture } from '@chairside/server/testing/drawn-pictures'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { findViolations } from './accessibility.ts'
import { launchBrowser } from './browser.ts'
import { openConsole, type Look } from './open-screen.ts'

const demo = inject('demo')
let browser: Browser
let good: Buffer
let narrow: Buffer
let large: Buffer
beforeAll(async () => {
  browser = await launchBrowser()
  good = await drawPicture(720, 350)
  narrow = await drawPicture(719, 350)
  large = Buffer.concat([good, Buffer.alloc(2 * 1024 * 1024)])
}, 120_000)
afterAll(async () => {
  await browser?.close()
})

async function visit(user: 'admin' | 'agent' | 'merchant', language: Look['language'], address: string) {
  const { context, page } = await openConsole(browser, demo.url, user, {
    language,
    width: 1440,
    appearance: 'light',
  })
  onTestFinished(() => context.close())
  await page.goto(demo.url + address)
  const say = (key: TextKey, values: Record<string, string | number> = {}) => translate(language, key, values)
  const button = (key: TextKey, within: Page | ReturnType<Page['locator']> = page) =>
    within.getByRole('button', { name: say(key), exact: true })
  return { page, say, button }
}

/** A chair of the demo's merchant. */
async function chairOfMerchant(): Promise<string> {
  const login = await fetch(`${demo.url}/api/sessions/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'merchant', password: 'demo1234' }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const answer = await fetch(`${demo.url}/api/devices?pagesize=1&associated=1`, {
    headers: { 'x-access-token': data.token },
  })
  return ((await answer.json()) as { data: { list: { deviceId: string }[] } }).data.list[0]?.deviceId ?? ''
}

describe.each([
  { language: 'en', reviewer: 'agent' },
  { language: 'zh-CN', reviewer: 'admin' },
] as const)('a banner picture in $language', ({ language, reviewer }) => {
  it(`is refused for what is wrong with it, sent in by the merchant, accepted by the ${reviewer}, and shown to customers`, async () => {
    const { page, say, button } = await visit('merchant', language, '/banner')
    const row = page.getByRole('row', { name: /Deep Corner/ })
    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: say('banners.action.upload'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    const file = dialog.locator('input[type=file]')
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      file.setInputFiles({ name, mimeType, buffer })

    await button('banners.form.send', dialog).click()
    await dialog.getByText(say('validation.bannerKeyEmpty')).waitFor()
    await choose('moving.gif', 'image/gif', Buffer.from('GIF89a'))
    await dialog.getByText(say('validation.pictureType')).waitFor()
    // A name and a type that promise another thing than the bytes are.
    await choose('photo.jpg', 'image/jpeg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await dialog.getByText(say('validation.pictureType')).waitFor()
    await choose('large.jpg', 'image/jpeg', large)
    await dialog.getByText(say('validation.pictureTooLarge')).waitFor()
    await choose('narrow.jpg', 'image/jpeg', narrow)
    const given = { width: 720, height: 350, given: '719 × 350' }
    await dialog.getByText(say('validation.pictureSize', given)).waitFor()
    await choose('good.jpg', 'image/jpeg', good)
    const preview = dialog.getByRole('img', {
      name: say('pictures.preview', { label: say('banners.field.bannerkey') }),
    })
    await preview.waitFor()
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(720)
    expect(await findViolations(page)).toEqual([])
    const key = (await preview.getAttribute('src')) ?? ''
    await button('banners.form.send', dialog).click()
    await page.getByText(say('banners.form.sentForReview')).waitFor()
    await row.getByText(say('banners.waiting.true')).waitFor()

    const above = await visit(reviewer, language, '/banner?pending=1')
    const waiting = above.page.getByRole('row', { name: /Deep Corner/ })
    await above.button('banners.action.review', above.page.locator('main')).first().waitFor()
    await waiting.getByRole('button', { name: above.say('banners.action.review') }).click()
    await above.page.getByRole('dialog').locator(`img[src="${key}"]`).waitFor()
    await above.button('banners.review.accept').click()
    const question = above.page.getByRole('dialog').last()
    await question.getByText(say('banners.review.acceptExplain')).waitFor()
    await above.button('banners.review.accept', question).click()
    await above.page.getByText(say('banners.review.accepted')).waitFor()
    await waiting.waitFor({ state: 'detached' })

    const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
    onTestFinished(() => phone.close())
    const pay = await phone.newPage()
    await pay.goto(`${demo.url}/d/${await chairOfMerchant()}`)
    const shown = pay.locator('.banner img')
    await expect.poll(() => shown.getAttribute('src')).toBe(key)
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(720)
  }, 60_000)
})
