import type { TextKey } from '@chairside/contract/locales/texts'
import { drawPicture } from '@chairside/server/testing/drawn-pictures'
import { textsOf } from '@chairside/server/testing/test-sheets'
import fs from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { callAs } from './demo-calls.ts'
import { chairForSale } from './demo-chairs.ts'
import { receiveVisitors } from './visitor.ts'

const { url, visit, openPhone } = receiveVisitors()

/** Lets a file fall onto the field of the picture. */
async function dropPicture(page: Page, file: Buffer): Promise<void> {
  const files = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.jpg', { type: 'image/jpeg' }))
      return transfer
    },
    [...file],
  )
  await page.locator('.picture-field').dispatchEvent('drop', { dataTransfer: files })
}

describe.each(['en', 'zh-CN'] as const)('places and goods in %s', (language) => {
  it('a place gets hours and a sub-account, which is not bound twice, and goes again', async () => {
    const merchant = await visit('merchant', language)
    const { page } = merchant
    const name = `Harbour hall ${language}`
    await merchant.open('/place')
    await merchant.button('catalogue.place.add').click()
    await merchant.button('catalogue.place.add', merchant.dialog()).click()
    await merchant.text('validation.placeNameEmpty').waitFor()
    await merchant.dialog().locator('input').first().fill(name)
    await page.keyboard.press('Enter')
    await merchant.row(name).getByText(merchant.say('catalogue.allDay')).waitFor()

    await merchant.button('catalogue.place.hours', merchant.row(name)).click()
    await merchant.dialog().getByRole('combobox').first().click()
    await page.locator('.ant-select-item-option').first().waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await merchant.text('catalogue.place.hoursAcross', { open: '01:00', close: '00:00' }).waitFor()
    await page.locator('.ant-select-item-option').first().waitFor({ state: 'hidden' })
    expect(await findViolations(page)).toEqual([])
    await merchant.button('catalogue.place.save', merchant.dialog()).click()
    await merchant.row(name).getByText('01:00–00:00').waitFor()

    await merchant.chooseMore(name, 'catalogue.place.edit')
    await merchant.dialog().locator('input').first().fill(`${name} moved`)
    await page.keyboard.press('Enter')
    await merchant.row(`${name} moved`).waitFor()
    await merchant.undo()
    await merchant.row(`${name} moved`).waitFor({ state: 'detached' })

    await merchant.chooseMore(name, 'catalogue.place.bind')
    const clerk = merchant.dialog().getByRole('checkbox', { name: /merchant-sub/ })
    await clerk.check()
    await merchant.button('catalogue.place.save', merchant.dialog()).click()
    await merchant.text('catalogue.place.bound', { bound: 1, released: 0 }).waitFor()
    const sent: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
    await merchant.chooseMore(name, 'catalogue.place.bind')
    await expect.poll(() => clerk.isChecked()).toBe(true)
    await merchant.button('catalogue.place.save', merchant.dialog()).click()
    await merchant.text('catalogue.place.notChanged').waitFor()
    expect(sent).toEqual([])

    await merchant.open(`/place?address=${encodeURIComponent(name.toLowerCase())}`)
    await merchant.row(name).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(await merchant.field('catalogue.place.field.address').inputValue()).toBe(name.toLowerCase())
    await merchant.chooseMore(name, 'catalogue.place.delete')
    await merchant
      .dialog()
      .getByText(merchant.say('catalogue.place.deleteNoDevices'), { exact: false })
      .waitFor()
    await merchant.button('catalogue.place.delete', merchant.dialog()).click()
    await merchant.row(name).waitFor({ state: 'detached' })
  })

  it('goods show in the preview while they are typed, and on the chair as soon as they are saved', async () => {
    const merchant = await visit('merchant', language)
    const { page } = merchant
    const call = await callAs(url, 'merchant')
    const name = `Festival ${language}`
    await merchant.open('/goodstemp')
    await merchant.button('catalogue.template.add').click()
    await merchant.dialog().locator('input').first().fill(name)
    await page.keyboard.press('Enter')
    await merchant.row(name).getByText(merchant.say('catalogue.template.noGoods')).waitFor()

    await merchant.button('catalogue.goods.add', merchant.row(name)).click()
    const typed = (label: TextKey) => merchant.dialog().getByLabel(merchant.say(label))
    await typed('catalogue.goods.field.name').first().fill('灯会 8 分钟')
    await typed('catalogue.goods.field.nameEn').fill('Lanterns 8 min')
    await typed('catalogue.goods.field.price').fill('0.295')
    await typed('catalogue.goods.field.duration').fill('1.5')
    await page.keyboard.press('Enter')
    await merchant.text('console.form.notAnAmount').waitFor()
    await merchant.text('validation.notAnInteger').waitFor()
    await typed('catalogue.goods.field.price').fill('0.29')
    await typed('catalogue.goods.field.duration').fill('8')
    await page.keyboard.press('Enter')
    await merchant.dialog().waitFor({ state: 'detached' })

    await page
      .getByRole('button', { name: merchant.say('console.list.expand', { row: name }), exact: true })
      .click()
    const goods = page.getByRole('row', { name: /Lanterns/ })
    await goods.getByText('¥0.29').waitFor()
    await merchant.button('catalogue.goods.edit', goods).click()
    const preview = page.frameLocator('iframe')
    const shownName = language === 'en' ? 'Lanterns 8 min' : '灯会 8 分钟'
    await preview.getByText(shownName, { exact: true }).waitFor()
    await page.getByLabel(merchant.say('catalogue.goods.field.price')).fill('12.30')
    await preview.getByText('¥12.30').first().waitFor()
    await page.getByLabel(merchant.say('catalogue.goods.field.instock')).fill('7')
    await preview.getByText(language === 'en' ? '7 left' : '剩余 7 份').waitFor()
    const shown = page.locator('.picture-of-portrait .picture-shown img')
    await page.locator('input[type=file]').setInputFiles({
      name: 'lanterns.png',
      mimeType: 'image/png',
      buffer: await drawPicture(400, 400, 'png'),
    })
    await shown.waitFor()
    const chosen = await shown.getAttribute('src')
    await dropPicture(page, await drawPicture(500, 500))
    await expect.poll(() => shown.getAttribute('src')).not.toBe(chosen)
    const dropped = await shown.getAttribute('src')
    await preview.locator(`img[src="${dropped}"]`).waitFor()
    expect(await findViolations(page)).toEqual([])
    await merchant.button('catalogue.goods.save').click()
    await merchant.arrive('/goodstemp')

    const { id, deviceId } = await chairForSale(call, 'goods')
    const { list } = await call<{ list: { id: number; name: string }[] }>(
      'GET',
      '/api/goodstemplateList?pagesize=1000',
    )
    await call('POST', '/api/devices/template', {
      deviceIds: [id],
      templateId: list.find((one) => one.name === name)?.id,
    })
    const pay = await openPhone(language)
    await pay.goto(`${url}/d/${deviceId}`)
    await pay.getByText(shownName, { exact: true }).waitFor()
    await pay.getByRole('button', { name: '¥12.30' }).waitFor()
    const picture = pay.locator(`img[src="${dropped}"]`)
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
  })
})

it('what is chosen from a menu with Enter asks first, and waits for an answer', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await merchant.open('/place')
  await page.locator('main tbody [aria-haspopup=menu]').first().focus()
  await page.keyboard.press('Enter')
  await page.locator('[role=menuitem]:focus').waitFor()
  await page.keyboard.press('End')
  await page.locator('[role=menuitem]:focus', { hasText: merchant.say('catalogue.place.delete') }).waitFor()
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: /^Delete / })
  await question.locator('button:focus').waitFor()
  expect(await question.getByRole('button').count()).toBe(2)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
})

it('a question before something is deleted begins at Cancel, and is answered by keyboard either way', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  const call = await callAs(url, 'merchant')
  const address = 'A hall that nobody wants'
  await call('POST', '/api/merchant/place', { address })
  await merchant.open('/place')
  await merchant.row(address).waitFor()
  const ask = async () => {
    await merchant.chooseMore(address, 'catalogue.place.delete')
    await merchant
      .dialog()
      .locator('button:focus', { hasText: merchant.say('console.form.cancel') })
      .waitFor()
  }
  await ask()
  await page.keyboard.press('Enter')
  await merchant.dialog().waitFor({ state: 'detached' })
  expect(await merchant.row(address).count()).toBe(1)
  await ask()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await merchant.row(address).waitFor({ state: 'detached' })
})

it('the ids of the devices at a place lead to their cards', async () => {
  const merchant = await visit('merchant', 'en')
  const call = await callAs(url, 'merchant')
  const { list } = await call<{ list: { address: string; devices: string[] }[] }>(
    'GET',
    '/api/merchant/places?pagesize=0',
  )
  const place = list.find(({ devices }) => devices.length > 0)
  expect(place).toBeDefined()
  await merchant.open(`/place?address=${encodeURIComponent(place?.address ?? '')}`)
  await merchant.page
    .getByRole('button', {
      name: merchant.say('console.list.expand', { row: place?.address ?? '' }),
      exact: true,
    })
    .first()
    .click()
  await merchant.page.getByRole('button', { name: place?.devices[0] ?? '', exact: true }).click()
  await merchant.arrive(`/devices/card/${place?.devices[0]}`)
})

it('a limit whose days are not chosen yet leaves the preview as it was', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await merchant.open('/goods/1')
  const shown = page.frameLocator('iframe').getByRole('radio')
  // The goods stand there first, then with the others of their template.
  await expect.poll(() => shown.count()).toBeGreaterThan(1)
  const many = await shown.count()
  await page.getByRole('checkbox', { name: merchant.say('catalogue.goods.field.timeLimit') }).check()
  await page.getByLabel(merchant.say('catalogue.goods.field.nameEn')).fill('Still there')
  await page.frameLocator('iframe').getByText('Still there').waitFor()
  expect(await shown.count()).toBe(many)
  expect(await page.locator('.goods-preview [role=status]').count()).toBe(0)
  // Every fault is told at once.
  await page.getByLabel(merchant.say('catalogue.goods.field.price')).fill('1.')
  await merchant.button('catalogue.goods.save').click()
  await merchant.text('console.form.notAnAmount').waitFor()
  await expect.poll(() => merchant.text('validation.required').count()).toBe(2)
})

it.each(['/goods/999999', '/goods/abc'])('%s is not there, and leads to the templates', async (address) => {
  const merchant = await visit('merchant', 'en')
  await merchant.open(address)
  await merchant.text('catalogue.goods.notThere').waitFor()
  // No other try would help.
  expect(await merchant.button('console.list.retry').count()).toBe(0)
  await merchant.page.getByRole('link', { name: merchant.say('catalogue.goods.toTemplates') }).click()
  await merchant.arrive('/goodstemp')
})

it('a template that has all the goods it holds says so before anybody fills in one more', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  const name = 'Full to the brim'
  await page.route('**/api/goodstemplateList*', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: { list: Record<string, unknown>[] } }
    Object.assign(body.data.list[0] ?? {}, { name, goodsCount: 100 })
    await route.fulfill({ json: body })
  })
  await merchant.open('/goodstemp')
  const add = merchant.button('catalogue.goods.add', merchant.row(name))
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
  await add.hover()
  await merchant.text('refusals.tooManyGoods', { max: 100 }).waitFor()
})

it.each([
  ['/place?address=', 'address'],
  ['/goodstemp?name=', 'name'],
] as const)('the Excel file of %s… has what was searched for', async (address, field) => {
  const merchant = await visit('merchant', 'en')
  const path = field === 'address' ? '/api/merchant/places' : '/api/goodstemplateList'
  const call = await callAs(url, 'merchant')
  const { list } = await call<{ list: Record<string, string>[] }>('GET', `${path}?pagesize=0`)
  expect(list.length).toBeGreaterThan(1)
  const wanted = list.at(-1)?.[field] ?? ''
  await merchant.open(`${address}${encodeURIComponent(wanted)}`)
  await merchant.row(wanted).waitFor()
  const [download] = await Promise.all([
    merchant.page.waitForEvent('download'),
    merchant.button('console.list.export').click(),
  ])
  const [, ...rows] = await textsOf(await fs.readFile(await download.path()))
  expect(rows.map(([name]) => name)).toEqual([wanted])
})

it('places and templates are for merchants alone', async () => {
  const agent = await visit('agent', 'en')
  for (const address of ['/place', '/goodstemp', '/goods/1']) {
    await agent.open(address)
    await expect.poll(() => agent.text('console.blocked.access').count()).toBeGreaterThan(0)
  }
})
