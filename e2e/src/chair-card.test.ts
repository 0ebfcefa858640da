import { demoPassword } from '@chairside/server/demo/write-network'
import { beforeAll, expect, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { callAs, type DemoCall } from './demo-calls.ts'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, Visitor } from './visitor.ts'

const { openPhone, url, visit } = receiveVisitors()
let call: DemoCall
beforeAll(async () => {
  call = await callAs(url, 'merchant')
})

/** A chair of the merchant that had orders. */
async function chairWithOrders() {
  const { list } = await call<{ list: { deviceSid: string }[] }>(
    'GET',
    '/api/orders?pagesize=50&pagenum=1&status=3',
  )
  return list.find(({ deviceSid }) => deviceSid !== '')?.deviceSid ?? ''
}

it.each(['en', 'zh-CN'] as const)(
  'the sticker leads staff to the card of the chair, with what it brought and what can be done (%s)',
  async (language) => {
    const deviceId = await chairWithOrders()
    const phone = new Visitor(await openPhone(language), language, url)
    const { page } = phone
    const staffLink = page.locator('a.staff')
    await phone.open(`/d/${deviceId}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await staffLink.count()).toBe(0)

    await phone.signIn('merchant', demoPassword)
    await phone.arrive('/')
    await phone.open(`/d/${deviceId}`)
    await staffLink.waitFor()
    expect(await findViolations(page)).toEqual([])
    if (process.env['LOOK']) await page.screenshot({ path: `${process.env['LOOK']}/sticker-${language}.png` })
    await staffLink.click()

    await phone.arrive(`/devices/card/${deviceId}`)
    await page.getByRole('heading', { level: 1, name: new RegExp(deviceId) }).waitFor()
    await phone.text('orders.ofChair.incomeThisMonth').waitFor()
    await untilSettled(page)
    expect(await findViolations(page)).toEqual([])
    if (process.env['LOOK'])
      await page.screenshot({ path: `${process.env['LOOK']}/card-${language}-390.png`, fullPage: true })

    // Every number opens.
    await phone.text('orders.ofChair.incomeThisMonth').click()
    await page.waitForURL(new RegExp(`/orders\\?.*devicesid=${deviceId}`))
  },
)

it('a device is opened from the list by its id; one of somebody else is not there', async () => {
  const deviceId = await chairWithOrders()
  for (const user of ['merchant', 'agent', 'admin'] as const) {
    const visitor = await visit(user, 'en')
    const { page } = visitor
    await visitor.open(`/devices?deviceid=${deviceId}`)
    await page.getByRole('button', { name: deviceId, exact: true }).click()
    await visitor.arrive(`/devices/card/${deviceId}`)
    await visitor.text('orders.ofChair.last').waitFor()
    await untilSettled(page)
    if (process.env['LOOK']) await page.screenshot({ path: `${process.env['LOOK']}/card-${user}-1440.png` })
    await visitor.open('/devices/card/G9999999')
    await visitor.text('devices.card.unknown', { device: 'G9999999' }).waitFor()
    expect(await page.getByRole('toolbar').count()).toBe(0)
  }
})

it('a device is opened from its status history by its id', async () => {
  const merchant = await visit('merchant', 'en')
  await merchant.open('/api/device/status')
  const id = merchant.page.locator('.id-button').first()
  const deviceId = (await id.textContent()) ?? ''
  await id.click()
  await merchant.arrive(`/devices/card/${deviceId}`)
  await merchant.page.getByRole('heading', { name: deviceId }).waitFor()
  expect(deviceId).toMatch(/^[A-Z]\d+$/)
})
