import { listDevices } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { findViolations } from './accessibility.ts'
import { callAs, type DemoCall } from './demo-calls.ts'
import { chairForSale } from './demo-chairs.ts'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors } from './visitor.ts'

const { url, visit } = receiveVisitors()
let call: DemoCall
beforeAll(async () => {
  call = await callAs(url, 'merchant')
})

/** A chair that is online and that no customer takes: it is unbound until the test is over. */
async function takeChair(): Promise<string> {
  const { id, deviceId } = await chairForSale(call, 'commands')
  await call('PUT', '/api/device/associate', { id, option: '0' })
  onTestFinished(async () => {
    await call('PUT', '/api/device/associate', { id, option: '1' })
  })
  return deviceId
}

it.each(['en', 'zh-CN'] as const)(
  'a chair is started, stopped and told its WiFi from the list, which changes by itself (%s)',
  async (language) => {
    const deviceId = await takeChair()
    const merchant = await visit('merchant', language)
    const { page } = merchant
    const dialog = merchant.dialog()
    const row = merchant.row(deviceId)
    const runs = row.getByText(merchant.say('console.devices.running'), { exact: true })
    const choose = async (key: TextKey) => {
      await merchant.chooseMore(deviceId, key)
      await dialog.waitFor()
    }
    await merchant.open(`/devices?deviceid=${deviceId}`)
    await row.waitFor()
    await page.getByText(merchant.say('devices.live.open'), { exact: true }).waitFor()

    // Ticked while nothing runs on it; what can be done is told by how it is now.
    await row.getByRole('checkbox').check()
    const toolbar = page.getByRole('toolbar', { name: merchant.say('devices.action.withChosen') })
    const cannotStop = () => merchant.button('devices.action.stop', toolbar).getAttribute('aria-disabled')
    await expect.poll(cannotStop).toBe('true')
    await choose('devices.action.start')
    await merchant.button('devices.action.start', dialog).click()
    await dialog.getByText(merchant.say('devices.work.minutesNeeded')).waitFor()
    await merchant.field('devices.work.minutes', dialog).fill('45')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await merchant.text('devices.work.started', { count: 1 }).waitFor()
    await runs.waitFor()
    await expect.poll(cannotStop).toBe('false')

    // From elsewhere: the row changes though the page cannot read its list again, which stays said.
    const list = `**${listDevices.path}?**`
    await page.route(list, (route) => route.abort())
    await merchant.button('console.list.refresh').click()
    const again = merchant.button('console.list.retry')
    await again.waitFor()
    await untilSettled(page)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(`${listDevices.path}?`)) asked.push(request.url())
    })
    await call('POST', '/api/device/work', { deviceid: deviceId, operation: '2', duration: 0 })
    await runs.waitFor({ state: 'detached' })
    // Not before the chair is back at its beginning.
    await vi.waitFor(
      () => call('POST', '/api/device/work', { deviceid: deviceId, operation: '1', duration: 45 }),
      { timeout: 60_000, interval: 500 },
    )
    await runs.waitFor()
    expect(asked).toEqual([])
    expect(await again.count()).toBe(1)
    await page.unroute(list)
    await again.click()
    await again.waitFor({ state: 'detached' })

    await choose('devices.action.stop')
    await merchant.button('devices.action.stop', dialog).click()
    await merchant.text('devices.work.stopped', { count: 1 }).waitFor()
    await runs.waitFor({ state: 'detached' })

    await choose('devices.action.wifi')
    await merchant.field('devices.wifi.wifissid', dialog).fill(`hall ${language}`)
    await merchant.field('devices.wifi.wifipass', dialog).fill('spring 2026')
    await merchant.button('devices.wifi.send', dialog).click()
    await merchant.text('devices.wifi.done', { count: 1 }).waitFor()

    await choose('devices.logDialog.open')
    await dialog.getByText(merchant.say('devices.log.wifiSet', { ssid: `hall ${language}` })).waitFor()
    const stops = dialog.getByText(merchant.say('devices.log.stopped'), { exact: true })
    await expect.poll(() => stops.count()).toBe(2)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')

    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      merchant.chooseMore(deviceId, 'devices.viewGoods.open'),
    ])
    await popup.waitForURL(`**/d/${deviceId}`)
  },
)
