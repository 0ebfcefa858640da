import type { DataOf, getOrder } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrderSteps, type OrderSteps } from '../testing/order-steps.ts'
import { textsOf } from '../testing/test-sheets.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'

type Detail = DataOf<typeof getOrder>

let shop: TestShop
beforeAll(async () => {
  shop = await startTestShop()
})
afterAll(() => shop.stop())

/** The id of an order that ran to its end on a new chair. */
async function finishedOn(sid: string, { placed }: Pick<OrderSteps, 'placed'>): Promise<string> {
  await shop.addChair(sid)
  const { orderId } = await placed({ sid })
  await shop.pay(orderId)
  await shop.acknowledge(sid, orderId)
  await shop.end(sid, orderId, 600)
  return orderId
}

describe('the detail of an order', () => {
  it('tells its whole story in order, to who may see it', async () => {
    await shop.addChair('G900')
    const goodsId = await shop.addGoods({ name: 'ten minutes', priceCents: 500, minutes: 10 })
    const placed = await shop.phone().place('G900', goodsId)
    const { orderId } = placed.data.order
    await shop.pay(orderId)
    await shop.acknowledge('G900', orderId)
    await shop.end('G900', orderId, 600)
    const spa = await shop.signIn('spa')
    await shop.call('PUT', `/api/orders/refund/${orderId}?remark=too%20hard`, { token: spa })

    const { body } = await shop.call<Detail>('GET', `/api/orders/detail/${orderId}`, { token: spa })
    expect(body.data).toMatchObject({
      orderId,
      deviceSid: 'G900',
      merchantName: 'spa',
      merchantUserId: 'spa',
      goodsName: 'ten minutes',
      address: 'the hall',
      orderFee: 500,
      actualFee: 500,
      status: '5',
      payChannel: 'wechatPay',
    })
    const { timeline } = body.data
    expect(timeline.filter(({ kind }) => kind === 'status').map(({ what }) => what)).toEqual([
      '1',
      '3',
      '4',
      '3',
      '5',
    ])
    expect(timeline.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'status 1',
      'payment paid',
      'status 3',
      'command sent start',
      'command ended',
      'status 4',
      'status 3',
      'status 5',
    ])
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted())
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: 'payment', what: 'paid', detail: `${orderId}01`, cents: 500 }),
    )
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'command', what: 'sent start' }))
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'command', by: 'device' }))
    expect(timeline.at(-1)).toMatchObject({ by: 'spa', detail: 'refund applied · too hard' })

    for (const who of ['gym', 'south']) {
      const token = await shop.signIn(who)
      expect((await shop.call('GET', `/api/orders/detail/${orderId}`, { token })).body.resultCode).toBe('104')
    }
    for (const who of ['north', 'admin']) {
      const token = await shop.signIn(who)
      expect((await shop.call('GET', `/api/orders/detail/${orderId}`, { token })).body.success).toBe(true)
    }
  })

  it('tells what was written with a decision, and who ended a refund that failed', async () => {
    const [merchant, admin] = [await shop.signIn('spa'), await shop.signIn('admin')]
    const { finished, apply, audit } = createOrderSteps(shop, { merchant, admin })
    const { orderId, phone, sid } = await finished()
    const id = await apply(orderId)
    shop.wechat.faults.refuseRefunds = 'USER_ACCOUNT_ABNORMAL'
    await audit(id, 1, { remark: 'the motor was loud' })
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(9)
    shop.wechat.faults.refuseRefunds = ''
    // Whoever waits for the money and scans again is told.
    const { data: scanned } = await phone.page<{ order: { phase: string } }>(sid)
    expect(scanned.order.phase).toBe('refundFailed')
    await shop.call('PUT', `/api/orders/endfailedrefund/${id}`, { token: admin })
    expect((await phone.page<{ order: unknown }>(sid)).data.order).toBeNull()

    const { body } = await shop.call<Detail>('GET', `/api/orders/detail/${orderId}`, { token: admin })
    expect(body.data.timeline).toContainEqual(
      expect.objectContaining({ what: '7', by: 'admin', detail: 'refund approved · the motor was loud' }),
    )
    expect(body.data.timeline.at(-1)).toMatchObject({
      what: '9',
      by: 'admin',
      detail: 'the failed refund was ended by hand',
    })
  })

  it('tells how much a decision gives back, also when it is a part, or was given by hand', async () => {
    const [merchant, admin] = [await shop.signIn('spa'), await shop.signIn('admin')]
    const steps = createOrderSteps(shop, { merchant, admin })
    const { apply, audit } = steps
    const amountsOf = async (orderId: string) => {
      const { body } = await shop.call<Detail>('GET', `/api/orders/detail/${orderId}`, { token: admin })
      return body.data.timeline
        .filter(({ kind, what }) => kind === 'refund' || ['5', '7', '8'].includes(what))
        .map(({ kind, what, cents }) => `${kind} ${what} ${cents}`)
    }
    const [back, byHand] = [await finishedOn('W921', steps), await finishedOn('W922', steps)]
    await audit(await apply(back), 1, { price: 120 })
    await expect.poll(async () => (await shop.work(), shop.statusOf(back))).toBe(8)
    await audit(await apply(byHand), 2, { price: 200 })
    expect((await amountsOf(back)).toSorted()).toEqual([
      'refund succeeded 120',
      'status 5 null',
      'status 7 120',
      'status 8 null',
    ])
    expect(await amountsOf(byHand)).toEqual(['status 5 null', 'status 7 200', 'status 8 null'])
  })

  it('tells that money went back after it was decided, also when the provider tells whole seconds', async () => {
    const admin = await shop.signIn('admin')
    const sid = 'W901'
    await shop.addChair(sid)
    const { placed } = createOrderSteps(shop, { merchant: await shop.signIn('spa'), admin })
    const { orderId } = await placed({ sid })
    await shop.pay(orderId)
    await shop.acknowledge(sid, orderId, 'busy')
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    const { body } = await shop.call<Detail>('GET', `/api/orders/detail/${orderId}`, { token: admin })
    expect(body.data.timeline.slice(-4).map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'command refused',
      'status 7',
      'refund succeeded',
      'status 8',
    ])
  })

  it('still says that a use ran to its end when its money is asked back, refused or gone back', async () => {
    const [merchant, admin] = [await shop.signIn('spa'), await shop.signIn('admin')]
    const steps = createOrderSteps(shop, { merchant, admin })
    const { apply, audit } = steps
    const factsOf = async (orderId: string) => {
      const { body } = await shop.call<Detail>('GET', `/api/orders/detail/${orderId}`, { token: admin })
      return { status: body.data.status, finished: body.data.finished }
    }
    const [refused, paidBack] = [await finishedOn('W911', steps), await finishedOn('W912', steps)]
    const [first, second] = [await apply(refused), await apply(paidBack)]
    expect(await factsOf(refused)).toEqual({ status: '5', finished: true })
    await audit(first, 0, { remark: 'it ran' })
    expect(await factsOf(refused)).toEqual({ status: '6', finished: true })
    await audit(second, 1)
    await expect.poll(async () => (await shop.work(), shop.statusOf(paidBack))).toBe(8)
    expect(await factsOf(paidBack)).toEqual({ status: '8', finished: true })
  })

  it('knows no order by an id that is nobody’s', async () => {
    const token = await shop.signIn('admin')
    for (const id of ['KT260101000000000AAAA', 'KT991399000000000AAAA', 'XX123456'])
      expect((await shop.call('GET', `/api/orders/detail/${id}`, { token })).body.resultCode).toBe('104')
  })
})

describe('the sheet of orders', () => {
  let chairs = 0
  const addChair = async () => {
    const sid = `W${++chairs}`
    await shop.addChair(sid)
    return sid
  }

  it.each([
    ['en', ['Ended', 'Merchant’s user name'], ['Yes', 'No']],
    ['zh-CN', ['使用结束', '商户用户名'], ['是', '否']],
  ])('says whose they are and which have ended, in %s', async (language, titles, words) => {
    const [merchant, admin] = [await shop.signIn('spa'), await shop.signIn('admin')]
    const { placed } = createOrderSteps(shop, { merchant, admin })
    const one = await placed({ sid: await addChair() })
    const orders = [one, await placed({ sid: await addChair() })]
    const { sid, orderId: ended } = one
    await shop.pay(ended)
    await shop.acknowledge(sid, ended)
    await shop.end(sid, ended, 600)
    const told = await Promise.all(
      orders.map(async ({ orderId }) => {
        const file = await shop.app.inject({
          url: `/api/orders?orderid=${orderId}`,
          headers: {
            'x-access-token': admin,
            'accept-language': language,
            accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          },
        })
        const [head = [], row = []] = await textsOf(file.rawPayload)
        return titles.map((title) => row[head.indexOf(title)])
      }),
    )
    expect(told).toEqual(words.map((word) => [word, 'spa']))
  })
})
