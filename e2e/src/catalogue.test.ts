import { translate, type TextKey } from '@chairside/contract/locales/texts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { findViolations } from './accessibility.ts'
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

async function visit(user: 'merchant' | 'agent', language: Look['language']) {
  const { context, page } = await openConsole(browser, demo.url, user, {
    language,
    width: 1440,
    appearance: 'light',
  })
  onTestFinished(() => context.close())
  const say = (key: TextKey, values: Record<string, string | number> = {}) => translate(language, key, values)
  const button = (key: TextKey, within: Page | Locator = page) =>
    within.getByRole('button', { name: say(key), exact: true })
  const field = (key: TextKey) => page.getByRole('textbox', { name: say(key) })
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`${name} `) })
  const dialog = () => page.getByRole('dialog').last()
  const chooseMore = async (name: string, key: TextKey) => {
    await page.getByRole('button', { name: say('console.list.more', { row: name }), exact: true }).click()
    await page.getByRole('menuitem', { name: say(key), exact: true }).click()
  }
  const open = (address: string) => page.goto(demo.url + address)
  return { page, say, button, field, row, dialog, chooseMore, open }
}

/** Calls of the demo's merchant beside the browser. */
async function merchantCalls() {
  const login = await fetch(`${demo.url}/api/sessions/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'merchant', password: 'demo1234' }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  return async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const answer = await fetch(demo.url + path, {
      method,
      headers: { 'x-access-token': data.token, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return ((await answer.json()) as { data: Data }).data
  }
}

/** A chair that can be bought, from the end of the list: the tests of orders take theirs from the beginning. */
async function chairForSale(call: Awaited<ReturnType<typeof merchantCalls>>): Promise<string> {
  const { list } = await call<{ list: { deviceId: string; id: number }[] }>(
    'GET',
    '/api/devices?pagesize=0&status=1&associated=1&locked=0',
  )
  for (const { deviceId } of list.toReversed()) {
    const { state } = await call<{ state: string }>('GET', `/api/pay/devices/${deviceId}`)
    if (state === 'ready') return deviceId
  }
  throw new Error('no chair of the merchant can be bought')
}

describe.each(['en', 'zh-CN'] as const)('places and goods in %s', (language) => {
  it('a place gets hours and a sub-account, which is not bound twice, and goes again', async () => {
    const { page, say, button, field, row, dialog, chooseMore, open } = await visit('merchant', language)
    const name = `Harbour hall ${language}`
    await open('/place')
    await button('catalogue.place.add').click()
    await button('catalogue.place.add', dialog()).click()
    await page.getByText(say('validation.placeNameEmpty')).waitFor()
    await dialog().locator('input').first().fill(name)
    await page.keyboard.press('Enter')
    await row(name).getByText(say('catalogue.allDay')).waitFor()

    await button('catalogue.place.hours', row(name)).click()
    await dialog().getByRole('combobox').first().click()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByText(say('catalogue.place.hoursAcross', { open: '01:00', close: '00:00' })).waitFor()
    expect(await findViolations(page)).toEqual([])
    await button('catalogue.place.save', dialog()).click()
    await row(name).getByText('01:00–00:00').waitFor()

    await chooseMore(name, 'catalogue.place.bind')
    const clerk = dialog().getByRole('checkbox', { name: /merchant-sub/ })
    await clerk.check()
    await button('catalogue.place.save', dialog()).click()
    await page.getByText(say('catalogue.place.bound', { bound: 1, released: 0 })).waitFor()
    const sent: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
    await chooseMore(name, 'catalogue.place.bind')
    await expect.poll(() => clerk.isChecked()).toBe(true)
    await button('catalogue.place.save', dialog()).click()
    await page.getByText(say('catalogue.place.notChanged')).waitFor()
    expect(sent).toEqual([])

    await open(`/place?address=${encodeURIComponent(name.toLowerCase())}`)
    await row(name).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    expect(await field('catalogue.place.field.address').inputValue()).toBe(name.toLowerCase())
    await chooseMore(name, 'catalogue.place.delete')
    await dialog().getByText(say('catalogue.place.deleteNoDevices'), { exact: false }).waitFor()
    await button('catalogue.place.delete', dialog()).click()
    await row(name).waitFor({ state: 'detached' })
  }, 90_000)

  it('goods show in the preview while they are typed, and on the chair as soon as they are saved', async () => {
    const { page, say, button, row, dialog, open } = await visit('merchant', language)
    const call = await merchantCalls()
    const name = `Festival ${language}`
    await open('/goodstemp')
    await button('catalogue.template.add').click()
    await dialog().locator('input').first().fill(name)
    await page.keyboard.press('Enter')
    await row(name).getByText(say('catalogue.template.noGoods')).waitFor()

    await button('catalogue.goods.add', row(name)).click()
    const typed = (label: TextKey) => dialog().getByLabel(say(label))
    await typed('catalogue.goods.field.name').first().fill('灯会 8 分钟')
    await typed('catalogue.goods.field.nameEn').fill('Lanterns 8 min')
    await typed('catalogue.goods.field.price').fill('0.295')
    await typed('catalogue.goods.field.duration').fill('1.5')
    await page.keyboard.press('Enter')
    await page.getByText(say('console.form.notAnAmount')).waitFor()
    await page.getByText(say('validation.notAnInteger')).waitFor()
    await typed('catalogue.goods.field.price').fill('0.29')
    await typed('catalogue.goods.field.duration').fill('8')
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })

    await page.getByRole('button', { name: say('console.list.expand', { row: name }), exact: true }).click()
    const goods = page.getByRole('row', { name: /Lanterns/ })
    await goods.getByText('¥0.29').waitFor()
    await button('catalogue.goods.edit', goods).click()
    const preview = page.frameLocator('iframe')
    const shownName = language === 'en' ? 'Lanterns 8 min' : '灯会 8 分钟'
    await preview.getByText(shownName, { exact: true }).waitFor()
    await page.getByLabel(say('catalogue.goods.field.price')).fill('12.30')
    await preview.getByText('¥12.30').first().waitFor()
    await page.getByLabel(say('catalogue.goods.field.instock')).fill('7')
    await preview.getByText(language === 'en' ? '7 left' : '剩余 7 份').waitFor()
    expect(await findViolations(page)).toEqual([])
    await button('catalogue.goods.save').click()
    await page.waitForURL(`${demo.url}/goodstemp`)

    const sid = await chairForSale(call)
    const { list } = await call<{ list: { id: number; name: string }[] }>(
      'GET',
      '/api/goodstemplateList?pagesize=1000',
    )
    const { list: chairs } = await call<{ list: { id: number }[] }>('GET', `/api/devices?deviceid=${sid}`)
    await call('POST', '/api/devices/template', {
      deviceIds: [chairs[0]?.id],
      templateId: list.find((one) => one.name === name)?.id,
    })
    const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: language })
    onTestFinished(() => phone.close())
    const pay = await phone.newPage()
    await pay.goto(`${demo.url}/d/${sid}`)
    await pay.getByText(shownName, { exact: true }).waitFor()
    await pay.getByRole('button', { name: '¥12.30' }).waitFor()
  }, 90_000)
})

it('places and templates are for merchants alone', async () => {
  const { page, say, open } = await visit('agent', 'en')
  for (const address of ['/place', '/goodstemp', '/goods/1']) {
    await open(address)
    await expect.poll(() => page.getByText(say('console.blocked.access')).count()).toBeGreaterThan(0)
  }
}, 60_000)
