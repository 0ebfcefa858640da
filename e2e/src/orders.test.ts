import { describe, expect, it, onTestFinished } from 'vitest'
import { callAs } from './demo-calls.ts'
import { chairForSale } from './demo-chairs.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'
import { applyForRefund } from './waiting-refund.ts'

const { url, visit } = receiveVisitors()
const { visit: visitInNewBrowser } = receiveVisitors({ inNewBrowsers: true })

/** What a call was asked for last; the first call is waited for. */
function lastCallTo(path: string, { page }: Visitor): () => URLSearchParams | undefined {
  let last: URLSearchParams | undefined
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === path) last = searchParams
  })
  return () => last
}

const phone = { width: 390, height: 844 }

describe('the orders', () => {
  it('are those of the new year after New Year, on a page that was opened before', async () => {
    const merchant = await visitInNewBrowser('merchant', 'en')
    const { page } = merchant
    const asked = lastCallTo('/api/orders', merchant)
    const oldYear = new Date().getFullYear()
    await page.clock.setFixedTime(`${oldYear}-12-31T12:00:00Z`)
    await merchant.open('/orders')
    await expect.poll(() => asked()?.get('year')).toBe(String(oldYear))
    await page.clock.setFixedTime(`${oldYear + 1}-01-01T12:00:00Z`)
    for (const title of ['console.refunds.title', 'console.orders.title'] as const) {
      await page.getByRole('link', { name: merchant.say(title), exact: true }).click()
      await page.getByRole('heading', { level: 1, name: merchant.say(title), exact: true }).waitFor()
    }
    await expect.poll(() => asked()?.get('year')).toBe(String(oldYear + 1))
    await merchant.open('/historyorder')
    const askedBefore = lastCallTo('/api/history/orders', merchant)
    await merchant.button('console.list.refresh').click()
    await expect.poll(() => askedBefore()?.get('year')).toBe(String(oldYear))
  })

  it('tell in their details whom to ask for at the merchant', async () => {
    const admin = await visit('admin', 'zh-CN')
    const { list } = await (
      await callAs(url, 'admin')
    )<{ list: { orderId: string; merchantUserId: string }[] }>('GET', '/api/orders?pagesize=1&pagenum=1')
    const [order = { orderId: '', merchantUserId: '' }] = list
    await admin.open(`/agentorder?orderid=${order.orderId}`)
    await admin.page.getByRole('button', { name: order.orderId, exact: true }).click()
    const fact = admin.dialog().locator('.facts > div', { hasText: admin.say('orders.field.merchantUserId') })
    await fact.waitFor()
    expect(await fact.innerText()).toContain(order.merchantUserId)
  })

  it('tell of a recharge nothing that only the use of a chair has', async () => {
    const call = await callAs(url, 'merchant')
    const { list } = await call<{ list: { orderId: string }[] }>('GET', '/api/history/orders?pagesize=0')
    const { orderId = '' } = list.find((order) => order.orderId.startsWith('CZ')) ?? {}
    const merchant = await visit('merchant', 'en')
    await merchant.open(`/historyorder?orderid=${orderId}`)
    await merchant.page.getByRole('button', { name: orderId, exact: true }).click()
    const names = merchant.dialog().locator('.facts dt')
    await names.first().waitFor()
    const shown = await names.allInnerTexts()
    expect(shown).toContain(merchant.say('orders.field.orderFee'))
    expect(shown).not.toContain(merchant.say('orders.field.duration'))
    expect(shown).not.toContain(merchant.say('orders.field.finished'))
  })

  it('are looked for by an id that is seen whole', async () => {
    const merchant = await visit('merchant', 'en')
    await merchant.open(`/orders?orderid=KT${'0'.repeat(15)}WWWW`)
    const box = merchant.page.getByRole('textbox', { name: merchant.say('orders.field.orderId') })
    await box.waitFor()
    const hidden = () => box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    await expect.poll(hidden).toBe(0)
  })

  it('lead from their details to their chair', async () => {
    const merchant = await visit('merchant', 'en')
    const call = await callAs(url, 'merchant')
    const { list } = await call<{ list: { orderId: string; deviceSid: string }[] }>(
      'GET',
      '/api/orders?pagesize=10&pagenum=1&paychannel=wechatPay',
    )
    const order = list.find(({ deviceSid }) => deviceSid !== '')
    if (!order) throw new Error('no order of a chair')
    await merchant.open(`/orders?orderid=${order.orderId}`)
    await merchant.page.getByRole('button', { name: order.orderId, exact: true }).click()
    await merchant.dialog().getByRole('button', { name: order.deviceSid, exact: true }).click()
    await merchant.arrive(`/devices/card/${order.deviceSid}`)
    await expect.poll(() => merchant.dialog().count()).toBe(0)
  })
})

describe('the number of orders', () => {
  it.each(['en', 'zh-CN'] as const)(
    'says at home that it counts those placed, and in the report those paid, in %s',
    async (language) => {
      const merchant = await visit('merchant', language)
      await merchant.open('/')
      await expect.poll(() => merchant.text('console.home.ordersArePlaced').count()).toBe(1)
      await merchant.open('/reportorderday')
      await expect.poll(() => merchant.text('console.reports.ordersArePaid').count()).toBe(1)
    },
  )
})

describe('an order that cost nothing', () => {
  it('offers no refund, and says why', async () => {
    const [call, merchant] = [await callAs(url, 'merchant'), await visit('merchant', 'en')]
    const { deviceId } = await chairForSale(call, 'orders')
    await call('POST', '/api/device/work', { deviceid: deviceId, operation: '1', duration: 1 })
    await merchant.open(`/orders?devicesid=${deviceId}&paychannel=manualStart`)
    const refund = merchant.button('console.orders.refund').first()
    await refund.focus()
    const reason = merchant.page.getByText(merchant.say('console.orders.nothingToRefund'))
    await expect.poll(() => reason.count()).toBe(1)
  })
})

describe('an order whose chair runs for it', () => {
  it.each(['en', 'zh-CN'] as const)('offers no start, and says why, in %s', async (language) => {
    const [call, merchant] = [await callAs(url, 'merchant'), await visit('merchant', language)]
    const { deviceId } = await chairForSale(call, 'orders')
    await call('POST', '/api/device/work', { deviceid: deviceId, operation: '1', duration: 5 })
    onTestFinished(() => call('POST', '/api/device/work', { deviceid: deviceId, operation: '2' }))
    const orders = `/api/orders?pagesize=1&pagenum=1&devicesid=${deviceId}`
    const newest = async () => (await call<{ list: { status: string }[] }>('GET', orders)).list[0]?.status
    await expect.poll(newest, { timeout: 10_000 }).toBe('4')
    await merchant.open(`/orders?devicesid=${deviceId}&status=4`)
    await merchant.button('console.orders.start').first().focus()
    const reason = merchant.page.getByText(merchant.say('console.orders.startRuns'))
    await expect.poll(() => reason.count()).toBe(1)
  })
})

describe('a refund that waits', () => {
  it.each(['en', 'zh-CN'] as const)('leads to the story of its order, in %s', async (language) => {
    const orderId = await applyForRefund(url)
    const admin = await visit('admin', language)
    await admin.open(`/refunds?status=1&orderid=${orderId.toLowerCase()}`)
    await admin.page.getByRole('button', { name: orderId, exact: true }).click()
    const applied = admin.dialog().getByText(admin.say('console.story.refundApplied'), { exact: true })
    await expect.poll(() => applied.count()).toBeGreaterThan(0)
  })

  it('is only recorded when no provider was paid, and says so', async () => {
    const orderId = await applyForRefund(url, 'manualStart')
    const admin = await visit('admin', 'zh-CN')
    await admin.open(`/refunds?orderid=${orderId}`)
    await admin.button('console.refunds.audit').click()
    await admin.dialog().getByText(admin.say('refusals.onlyOfflineRefund')).waitFor()
    const approve = admin.dialog().getByRole('radio', { name: admin.say('console.refunds.approve') })
    expect(await approve.isDisabled()).toBe(true)
  })

  it('is shown as paid back soon after it was approved, without anybody asking again', async () => {
    const orderId = await applyForRefund(url)
    const admin = await visit('admin', 'en')
    await admin.open(`/refunds?orderid=${orderId}`)
    await admin.button('console.refunds.audit').click()
    // What the decision is about stands beside it.
    await admin.dialog().getByText('The chair was too loud', { exact: true }).waitFor()
    await admin
      .dialog()
      .getByRole('textbox', { name: admin.say('console.refunds.remark') })
      .fill('Too loud')
    await admin.button('console.form.ok', admin.dialog()).click()
    await admin.row(orderId).getByText(admin.say('refunds.status.1'), { exact: true }).waitFor()
    await expect.poll(() => admin.dialog().count()).toBe(0)
  })
})

describe('an address of orders that was sent by another kind of user', () => {
  it('opens one’s own list, without the agent and merchant that one cannot choose', async () => {
    const merchant = await visit('merchant', 'en')
    const asked = lastCallTo('/api/orders', merchant)
    await merchant.open('/agentorder?agentid=2&merchantid=999999&status=3')
    await merchant.arrive('/orders?agentid=2&merchantid=999999&status=3')
    await merchant.page.getByRole('row').nth(1).waitFor()
    expect(asked()?.has('agentid')).toBe(false)
    expect(asked()?.get('status')).toBe('3')
    await merchant.open('/refunds?merchantid=999999')
    await merchant.page.getByRole('row').nth(1).waitFor()
  })

  it('opens the list of agents for them', async () => {
    const agent = await visit('agent', 'zh-CN')
    await agent.open('/orders?status=3')
    await agent.page.getByRole('row').nth(1).waitFor()
    await expect.poll(() => agent.page.url()).toBe(`${url}/agentorder?status=3`)
  })
})

describe('what is being written about an order', () => {
  it('stays when its row becomes a card, for a refund', async () => {
    const merchant = await visit('merchant', 'en')
    await merchant.open('/orders?status=3&paychannel=wechatPay')
    await merchant.button('console.orders.refund').first().click()
    const remark = merchant.dialog().getByRole('textbox')
    await remark.fill('It hums')
    await merchant.page.setViewportSize(phone)
    await merchant.page.locator('.card').first().waitFor()
    expect(await remark.inputValue()).toBe('It hums')
  })

  it('stays when somebody else decides and its row goes, for an audit', async () => {
    const orderId = await applyForRefund(url)
    const admin = await visit('admin', 'en')
    const { page } = admin
    const call = await callAs(url, 'admin')
    const ofTheOrder = `status=1&orderid=${orderId}`
    const { list } = await call<{ list: { id: number }[] }>('GET', `/api/orders/refunds?${ofTheOrder}`)
    await admin.open(`/refunds?${ofTheOrder}`)
    await admin.button('console.refunds.audit').click()
    const remark = admin.dialog().getByRole('textbox', { name: admin.say('console.refunds.remark') })
    await remark.fill('Seen on site')
    await call('PUT', `/api/orders/auditrefund/${list[0]?.id}`, { audit: '0', remark: 'Decided elsewhere' })
    // Coming back to the window reads the list again when it is some seconds old.
    const rowsAfterComingBack = async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      return page.getByRole('row').count()
    }
    await expect.poll(rowsAfterComingBack).toBe(0)
    expect(await remark.inputValue()).toBe('Seen on site')
  })
})
