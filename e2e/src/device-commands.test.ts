import { listDevices, type DeviceRow, type Envelope, type SessionUser } from '@chairside/contract'
import { translate, type TextKey } from '@chairside/contract/locales/texts'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest'
import { findViolations } from './accessibility.ts'
import { launchBrowser } from './browser.ts'
import { openConsole, untilSettled } from './open-screen.ts'

const demo = inject('demo')
let browser: Browser
let token: string
beforeAll(async () => {
  browser = await launchBrowser()
  const body = { username: 'merchant', password: 'demo1234' }
  token = (await call<SessionUser>('POST', '/api/sessions/login', body)).token
}, 120_000)
afterAll(async () => {
  await browser?.close()
})

async function call<Data>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Data> {
  const answer = await fetch(demo.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { 'x-access-token': token } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { success, message, data } = (await answer.json()) as Envelope<Data>
  if (!success) throw new Error(message)
  return data
}

/** A chair that is online and that no customer takes: it is unbound until the test is over. */
async function takeChair(): Promise<DeviceRow> {
  const { list } = await call<{ list: DeviceRow[] }>(
    'GET',
    '/api/devices?status=1&locked=0&associated=1&pagesize=50',
  )
  const chair = list.find(({ running }) => !running)
  if (!chair) throw new Error('no chair of the demo is free')
  await call('PUT', '/api/device/associate', { id: chair.id, option: '0' })
  onTestFinished(async () => {
    await call('PUT', '/api/device/associate', { id: chair.id, option: '1' })
  })
  return chair
}

it.each(['en', 'zh-CN'] as const)(
  'a chair is started, stopped and told its WiFi from the list, which changes by itself (%s)',
  async (language) => {
    const { deviceId } = await takeChair()
    const { context, page } = await openConsole(browser, demo.url, 'merchant', {
      language,
      width: 1440,
      appearance: 'light',
    })
    onTestFinished(() => context.close())
    const say = (key: TextKey, values: Record<string, string | number> = {}) =>
      translate(language, key, values)
    const button = (key: TextKey, within: Locator) =>
      within.getByRole('button', { name: say(key), exact: true })
    const dialog = page.getByRole('dialog').last()
    const row = page.getByRole('row', { name: new RegExp(`${deviceId} `) })
    const runs = row.getByText(say('console.devices.running'), { exact: true })
    const choose = async (key: TextKey) => {
      await untilSettled(page)
      await page
        .getByRole('button', { name: say('console.list.more', { row: deviceId }), exact: true })
        .click()
      await page.getByRole('menuitem', { name: say(key), exact: true }).click()
      await dialog.waitFor()
    }
    await page.goto(`${demo.url}/devices?deviceid=${deviceId}`)
    await row.waitFor()
    await page.getByText(say('devices.live.open'), { exact: true }).waitFor()

    await choose('devices.action.start')
    await button('devices.action.start', dialog).click()
    await dialog.getByText(say('devices.work.minutesNeeded')).waitFor()
    await dialog.getByRole('textbox', { name: say('devices.work.minutes') }).fill('45')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText(say('devices.work.started', { count: 1 })).waitFor()
    await runs.waitFor()

    // From elsewhere: the row changes though the page does not read its list again.
    await untilSettled(page)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(`${listDevices.path}?`)) asked.push(request.url())
    })
    await call('POST', '/api/device/work', { deviceid: deviceId, operation: '2', duration: 0 })
    await runs.waitFor({ state: 'detached' })
    await call('POST', '/api/device/work', { deviceid: deviceId, operation: '1', duration: 45 })
    await runs.waitFor()
    expect(asked).toEqual([])

    await choose('devices.action.stop')
    await button('devices.action.stop', dialog).click()
    await page.getByText(say('devices.work.stopped', { count: 1 })).waitFor()
    await runs.waitFor({ state: 'detached' })

    await choose('devices.action.wifi')
    await dialog.getByRole('textbox', { name: say('devices.wifi.wifissid') }).fill(`hall ${language}`)
    await dialog.getByRole('textbox', { name: say('devices.wifi.wifipass') }).fill('spring 2026')
    await button('devices.wifi.send', dialog).click()
    await page.getByText(say('devices.wifi.done', { count: 1 })).waitFor()

    await choose('devices.logDialog.open')
    await dialog.getByText(say('devices.log.wifiSet', { ssid: `hall ${language}` })).waitFor()
    await vi.waitFor(async () =>
      expect(await dialog.getByText(say('devices.log.stopped'), { exact: true }).count()).toBe(2),
    )
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')

    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      (async () => {
        await untilSettled(page)
        await page
          .getByRole('button', { name: say('console.list.more', { row: deviceId }), exact: true })
          .click()
        await page.getByRole('menuitem', { name: say('devices.viewGoods.open'), exact: true }).click()
      })(),
    ])
    await popup.waitForURL(`**/d/${deviceId}`)
  },
  60_000,
)
