import type { Goods, PlaceRow } from '@chairside/contract'
import { expect, it } from 'vitest'
import { callAs } from './demo-calls.ts'
import { receiveVisitors } from './visitor.ts'
import { applyForRefund } from './waiting-refund.ts'

const { url, visit } = receiveVisitors()

it('an edit leaves what somebody else saved since its form was opened, and so does taking it back', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  const call = await callAs(url, 'merchant')
  const address = 'Hall of two clerks'
  const { id } = await call<PlaceRow>('POST', '/api/merchant/place', { address, phone: '' })
  const isNow = async () => {
    const { list } = await call<{ list: PlaceRow[] }>('GET', '/api/merchant/places?pagesize=0')
    const place = list.find((one) => one.id === id)
    return place && [place.address, place.phone]
  }
  await merchant.open(`/place?address=${encodeURIComponent(address)}`)
  await merchant.chooseMore(address, 'catalogue.place.edit')
  await merchant.dialog().locator('input').first().fill(`${address} moved`)
  await call('PUT', '/api/merchant/place', { id, address, phone: '021' })
  await page.keyboard.press('Enter')
  await merchant.row(`${address} moved`).waitFor()
  // Whoever points at the offer keeps it.
  await merchant.button('console.form.undo').hover()
  expect(await isNow()).toEqual([`${address} moved`, '021'])
  await call('PUT', '/api/merchant/place', { id, address: `${address} moved`, phone: '022' })
  await merchant.undo()
  expect(await isNow()).toEqual([address, '022'])
})

it('a device that had no name gets one, without an offer to take it away again that would be refused', async () => {
  const call = await callAs(url, 'admin')
  const models = await call<{ id: number; model: string }[]>('GET', '/api/device/models')
  const modelid = models.find(({ model }) => model === 'CS-Bridge')?.id
  await call('POST', '/api/devices/batch', { deviceid: 'N5500', amount: 1, modelid, typeid: '1' })
  const admin = await visit('admin', 'zh-CN')
  await admin.open('/devices?deviceid=N5500')
  await admin.chooseMore('N5500', 'devices.action.edit')
  const name = admin.field('devices.field.name', admin.dialog())
  await name.fill('窗边')
  await admin.page.keyboard.press('Enter')
  await admin.text('devices.form.updated').waitFor()
  expect(await admin.button('console.form.undo').count()).toBe(0)
  await admin.chooseMore('N5500', 'devices.action.edit')
  await name.fill('门边')
  await admin.page.keyboard.press('Enter')
  await admin.undo()
  await admin.row('N5500').getByText('窗边').waitFor()
})

it('what was changed of a merchant is taken back after its form is left', async () => {
  const call = await callAs(url, 'admin')
  const made = { userid: 'taken-back', name: 'Taken back', mobile: '13712345678', address: 'First floor' }
  const { id } = await call<{ id: number }>('POST', '/api/merchant', made)
  const admin = await visit('admin', 'en')
  await admin.open(`/editmerchant/${id}`)
  await admin.field('organisations.field.address').fill('Second floor')
  await admin.button('organisations.form.save').click()
  await admin.arrive('/merchants')
  const isNow = async () => (await call<{ address: string }>('GET', `/api/merchant/${id}`)).address
  expect(await isNow()).toBe('Second floor')
  await admin.undo()
  expect(await isNow()).toBe('First floor')
})

it('goods that two people edit at once keep the price of the one and the name of the other', async () => {
  const merchant = await visit('merchant', 'en')
  const call = await callAs(url, 'merchant')
  const template = await call<{ id: number }>('POST', '/api/template', { name: 'Of two', workmode: '0' })
  const made = { name: '二人', price: 500, duration: 10, templateid: template.id }
  const { id } = await call<Goods>('POST', '/api/goods', made)
  await merchant.open(`/goods/${id}`)
  await merchant.field('catalogue.goods.field.price').fill('8')
  await call('PUT', '/api/goods', { ...made, id, name: '两人', memberOnly: true })
  await merchant.button('catalogue.goods.save').click()
  await merchant.arrive('/goodstemp')
  const goods = await call<Goods>('GET', `/api/goods?id=${id}`)
  expect(goods).toMatchObject({ name: '两人', price: 800, memberOnly: true })
})

it('who comes second sees what became of it, and keeps what was typed', async () => {
  const orderId = await applyForRefund(url)
  const admin = await visit('admin', 'zh-CN')
  await admin.open(`/refunds?orderid=${orderId}`)
  await admin.button('console.refunds.audit').click()
  const remark = admin.field('console.refunds.remark', admin.dialog())
  await remark.fill('同意退款')
  const call = await callAs(url, 'admin')
  const { list } = await call<{ list: { id: number }[] }>('GET', `/api/orders/refunds?orderid=${orderId}`)
  await call('PUT', `/api/orders/auditrefund/${list[0]?.id}`, { audit: '0', remark: 'Decided elsewhere' })
  await admin.button('console.form.ok', admin.dialog()).click()
  await admin.page.getByRole('table').getByText(admin.say('refunds.status.2'), { exact: true }).waitFor()
  expect(await remark.inputValue()).toBe('同意退款')
})
