import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createOrderSteps, type OrderSteps } from '../testing/order-steps.ts'
import { startTestShop, type TestPhone, type TestShop } from '../testing/test-shop.ts'

let shop: TestShop
let steps: OrderSteps

beforeAll(async () => {
  shop = await startTestShop()
  const tokens = { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') }
  steps = createOrderSteps(shop, tokens)
})
afterAll(() => shop.stop())

describe('an order that goes well', () => {
  it('is placed, paid, acknowledged, run and finished, each step told once in its history', async () => {
    const [income, balance] = [await steps.incomeOf('wechat'), await steps.balanceOf('wechatBalance')]
    const { orderId, sid, phone, answer } = await steps.placed()
    expect(answer).toMatchObject({ order: { phase: 'paying', priceCents: 500 }, pay: { kind: 'native' } })
    await shop.pay(orderId)
    expect((await phone.order(orderId)).data.phase).toBe('starting')
    expect(await steps.startsOf(orderId)).toMatchObject([{ id: orderId, payload: { durationSeconds: 600 } }])
    await shop.acknowledge(sid, orderId)
    const shown = (await phone.order(orderId)).data
    expect(shown.phase).toBe('running')
    expect(shown.remainingSeconds).toBeGreaterThan(540)
    expect(shown.remainingSeconds).toBeLessThanOrEqual(600)
    await shop.end(sid, orderId, 600)
    expect((await phone.order(orderId)).data.phase).toBe('ended')
    expect(await steps.rowOf(orderId)).toMatchObject({
      status: 3,
      delivered_seconds: 600,
      finished_at: expect.any(Date),
    })
    const history = await shop.pool.query(
      'select from_status, to_status from order_history where order_id = $1 order by at',
      [orderId],
    )
    expect(history.rows.map((row) => `${row.from_status}→${row.to_status}`)).toEqual([
      'null→1',
      '1→3',
      '3→4',
      '4→3',
    ])
    expect(await steps.incomeOf('wechat')).toBe(income + 500)
    expect(await steps.balanceOf('wechatBalance')).toBe(balance + 500)
  })

  it('is shown to nobody but the customer who placed it', async () => {
    const { orderId } = await steps.placed()
    const stranger = shop.phone()
    await stranger.page('G100')
    expect((await stranger.order(orderId)).resultCode).toBe('104')
    expect((await stranger.press(orderId, 'cancel')).resultCode).toBe('104')
    expect((await shop.phone().order(orderId)).resultCode).toBe('104')
  })

  it('is one order however often the same press comes, also at once', async () => {
    const [sid, goodsId] = [await steps.newChair(), await shop.addGoods({ name: 'twice', stock: 5 })]
    const phone = shop.phone()
    await phone.page(sid)
    const answers = await Promise.all(Array.from({ length: 4 }, () => phone.place(sid, goodsId, 'one press')))
    expect(new Set(answers.map(({ data }) => data.order.orderId)).size).toBe(1)
    expect(await steps.stockOf(goodsId)).toBe(4)
  })
})

describe('an order whose payment the provider refuses', () => {
  it.each(['the payer', 'our key'])(
    'because of %s has ended, says so to each repeat, and leaves the chair to the next press',
    async (what) => {
      const { merchant } = shop.wechat
      const { certSerialNumber } = merchant
      const mendKey = () => void (merchant.certSerialNumber = certSerialNumber)
      onTestFinished(mendKey)
      if (what === 'our key') merchant.certSerialNumber = 'A NEWER CERTIFICATE'
      const [sid, goodsId] = [await steps.newChair(), await shop.addGoods({ name: 'one', stock: 1 })]
      const phone = shop.phone()
      await phone.page(sid)
      // WeChat refuses a payment inside its own browser whose payer nobody knows.
      const press = async (requestKey: string) =>
        (
          await shop.app.inject({
            method: 'POST',
            url: '/api/pay/orders',
            headers: { cookie: phone.cookie },
            payload: { deviceId: sid, goodsId, payWay: 'jsapi', requestKey },
          })
        ).json<unknown>()
      const ended = { success: false, resultCode: '109', data: { ended: true } }
      expect(await press('one press')).toMatchObject(ended)
      expect(await press('one press')).toMatchObject(ended)
      expect(await steps.stockOf(goodsId)).toBe(1)
      mendKey()
      expect((await phone.place(sid, goodsId, 'another press')).resultCode).toBe('000')
    },
  )
})

describe('a chair', () => {
  it('is held for one customer, and free again when the payment is given up', async () => {
    const { sid, goodsId, orderId, phone } = await steps.placed()
    const other = shop.phone()
    expect((await other.place(sid, goodsId)).resultCode).toBe('105')
    expect((await other.page(sid)).data).toMatchObject({ state: 'busy' })
    expect((await phone.press(orderId, 'cancel')).data.phase).toBe('closed')
    expect((await other.place(sid, goodsId)).resultCode).toBe('000')
  })

  it('is kept for whoever gives it up while the provider does not answer, who is told so', async () => {
    const { orderId, phone } = await steps.placed()
    shop.wechat.faults.systemError = true
    expect((await phone.press(orderId, 'cancel')).resultCode).toBe('109')
    shop.wechat.faults.systemError = false
    expect((await phone.order(orderId)).data.phase).toBe('paying')
    expect((await phone.press(orderId, 'cancel')).data.phase).toBe('closed')
  })

  it('that is removed in that moment is not sold', async () => {
    const sid = await steps.newChair()
    const goodsId = await shop.addGoods({ name: 'a moment' })
    const removal = 'update devices set removed_at = now(), merchant_id = null, bound = false where sid = $1'
    const placed = await steps.changedMeanwhile(sid, removal, () => shop.phone().place(sid, goodsId))
    expect(placed.resultCode).toBe('104')
  })

  it('is held no longer than the time to pay', async () => {
    const { sid, goodsId, orderId } = await steps.placed()
    const other = shop.phone()
    await shop.pool.query(
      `update orders set order_time = order_time - interval '240 seconds' where order_id = $1`,
      [orderId],
    )
    expect((await other.place(sid, goodsId)).resultCode).toBe('105')
    await shop.pool.query(
      `update orders set order_time = order_time - interval '61 seconds' where order_id = $1`,
      [orderId],
    )
    expect((await other.place(sid, goodsId)).resultCode).toBe('000')
  })

  it.each(['waits for its audit', 'was refused', 'is on its way back'] as const)(
    'is not sold while a start is on its way to it, though the refund of that order %s',
    async (state) => {
      const { orderId, sid, goodsId } = await steps.paid()
      const id = await steps.apply(orderId)
      if (state !== 'waits for its audit') await steps.audit(id, state === 'was refused' ? 0 : 1)
      const other = shop.phone()
      expect((await other.page<{ state: string }>(sid)).data.state).toBe('busy')
      expect((await other.place(sid, goodsId)).message).toBe('The device is in use')
      await shop.silence(orderId)
      expect((await other.place(sid, goodsId)).resultCode).toBe('000')
    },
  )

  it('is held as long as the longest use, also when that was paid a while after it was ordered', async () => {
    const { orderId, sid, phone } = await steps.running()
    await shop.pool.query(
      `update orders set order_time = order_time - interval '1 day 4 minutes', ends_at = now() + interval '1 minute' where order_id = $1`,
      [orderId],
    )
    await shop.pool.query(
      "update device_states set status = 1, running_command_id = '', running_until = null",
    )
    expect((await shop.phone().page(sid)).data).toMatchObject({ state: 'busy' })
    expect((await phone.page(sid)).data).toMatchObject({ state: 'running', order: { orderId } })
  })

  it('goes to the customer who chooses anew, and the choice before is closed', async () => {
    const { sid, phone, orderId, goodsId } = await steps.placed()
    const again = await phone.place(sid, goodsId)
    expect(again.data.order.orderId).not.toBe(orderId)
    expect(await shop.statusOf(orderId)).toBe(2)
  })

  it('is sold to one of many who press in the same moment', async () => {
    const [sid, goodsId] = [await steps.newChair(), await shop.addGoods({ name: 'rush' })]
    const answers = await Promise.all(Array.from({ length: 6 }, () => shop.phone().place(sid, goodsId)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.filter(({ resultCode }) => resultCode === '105')).toHaveLength(5)
  })

  const states: [string, string, string][] = [
    ['offline', 'update device_states set status = 2 where device_id = $1', 'The device is offline'],
    [
      'trouble',
      'update device_states set status = 3 where device_id = $1',
      'The device is not ready for sale',
    ],
    ['locked', 'update devices set locked = 1 where id = $1', 'The device is locked'],
    ['cannotSell', 'update devices set place_id = null where id = $1', 'The device is not ready for sale'],
    [
      'busy',
      `update device_states set running_command_id = 'X', running_until = now() + interval '1 minute' where device_id = $1`,
      'The device is in use',
    ],
  ]
  it.each(states)('that is %s says so and is not sold', async (state, change, message) => {
    const sid = await steps.newChair()
    const { id } = await steps.first<{ id: number }>('select id from devices where sid = $1', [sid])
    await shop.pool.query(change, [id])
    const phone = shop.phone()
    expect((await phone.page(sid)).data).toMatchObject({ state })
    const refused = await phone.place(sid, await shop.addGoods({ name: 'none' }))
    expect(refused).toMatchObject({ resultCode: '105', message })
  })

  it('that was not heard of for five minutes is not sold, though no gateway is there to note it', async () => {
    const sid = await steps.newChair()
    const goodsId = await shop.addGoods({ name: 'ten minutes' })
    const heard = (seconds: number) =>
      shop.pool.query(
        `update device_states set last_seen_at = now() - make_interval(secs => $2)
          where device_id = (select id from devices where sid = $1)`,
        [sid, seconds],
      )
    await heard(302)
    expect((await shop.phone().page<{ state: string }>(sid)).data.state).toBe('offline')
    expect((await shop.phone().place(sid, goodsId)).message).toBe('The device is offline')
    await heard(290)
    expect((await shop.phone().place(sid, goodsId)).resultCode).toBe('000')
  })

  it('of a locked merchant is blocked', async () => {
    const sid = await steps.newChair()
    await shop.pool.query('update organisations set status = 2 where id = $1', [shop.merchantId])
    try {
      expect((await shop.phone().page(sid)).data).toMatchObject({ state: 'blocked' })
    } finally {
      await shop.pool.query('update organisations set status = 1 where id = $1', [shop.merchantId])
    }
  })
})

describe('the goods', () => {
  it('are sold out when the last one is taken, and come back with an order that is closed', async () => {
    const goodsId = await shop.addGoods({ name: 'last', stock: 1 })
    const [sidA, sidB] = [await steps.newChair(), await steps.newChair()]
    const [one, two] = [shop.phone(), shop.phone()]
    const answers = await Promise.all([one.place(sidA, goodsId), two.place(sidB, goodsId)])
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.find(({ success }) => !success)?.message).toBe('This item is sold out')
    const [winner, answer] = answers[0].success ? [one, answers[0]] : [two, answers[1]]
    await winner.press(answer.data.order.orderId, 'cancel')
    expect(await steps.stockOf(goodsId)).toBe(1)
  })

  it('never come to more than what was set: what had no limit when it was sold does not come back', async () => {
    const goodsId = await shop.addGoods({ name: 'counted later' })
    const { orderId, phone } = await steps.placed({ goodsId })
    await shop.pool.query('update goods set stock = 1 where id = $1', [goodsId])
    expect((await phone.press(orderId, 'cancel')).data.phase).toBe('closed')
    expect(await steps.stockOf(goodsId)).toBe(1)
  })

  it('are not sold dearer or shorter than the customer saw them, and cheaper or longer at once', async () => {
    const goodsId = await shop.addGoods({ name: 'changed', stock: 3 })
    const [sid, phone] = [await steps.newChair(), shop.phone()]
    await phone.page(sid)
    const seen = { priceCents: 500, durationMinutes: 10 }
    const changeTo = (cents: number, minutes: number) =>
      shop.pool.query('update goods set price_cents = $2, duration_minutes = $3 where id = $1', [
        goodsId,
        cents,
        minutes,
      ])
    const changed = {
      resultCode: '105',
      message: 'The price or the time of this item has just changed. Please look at it again.',
    }
    await changeTo(501, 10)
    expect(await phone.place(sid, goodsId, 'dearer', seen)).toMatchObject(changed)
    await changeTo(500, 9)
    expect(await phone.place(sid, goodsId, 'shorter', seen)).toMatchObject(changed)
    expect(await steps.stockOf(goodsId)).toBe(3)
    await changeTo(400, 11)
    const placed = await phone.place(sid, goodsId, 'better', seen)
    expect(placed).toMatchObject({ resultCode: '000', data: { order: { priceCents: 400 } } })
  })

  it('that were free when they were seen are not sold for money unasked', async () => {
    const goodsId = await shop.addGoods({ name: 'free before', priceCents: 0 })
    const [sid, phone] = [await steps.newChair(), shop.phone()]
    await phone.page(sid)
    await shop.pool.query('update goods set price_cents = 900 where id = $1', [goodsId])
    const refused = await phone.place(sid, goodsId, 'free', { priceCents: 0, durationMinutes: 10 })
    expect(refused.resultCode).toBe('105')
  })

  it('that many choose instead of each other at once stop nobody, whatever became of the payments before', async () => {
    const both = [
      await shop.addGoods({ name: 'one', stock: 99 }),
      await shop.addGoods({ name: 'other', stock: 99 }),
    ]
    const people: { sid: string; phone: TestPhone }[] = []
    for (let count = 0; count < 8; count++) people.push({ sid: await steps.newChair(), phone: shop.phone() })
    for (let round = 0; round < 12; round++) {
      const answers = await Promise.all(
        people.map(({ sid, phone }, place) => phone.place(sid, both[(place + round) % 2] ?? 0)),
      )
      expect(answers.map(({ message }) => message)).toEqual(people.map(() => 'Success'))
      // The order before is given up together with the next one when its payment is nothing to close any more.
      await shop.pool.query(`update payments set state = 'closed'`)
    }
    const [one = 0, other = 0] = await Promise.all(both.map((id) => steps.stockOf(id)))
    expect(one + other).toBe(2 * 99 - people.length)
  })

  it('for members are refused to others', async () => {
    const goodsId = await shop.addGoods({ name: 'club', memberOnly: true })
    expect((await shop.phone().place(await steps.newChair(), goodsId)).message).toBe(
      'This item is for members only',
    )
  })

  it('of another template are not on offer', async () => {
    const { rows } = await shop.pool.query<{ id: number }>(
      `insert into goods_templates (merchant_id, name, work_mode) values ($1, 'other', 0) returning id`,
      [shop.merchantId],
    )
    const goodsId = await shop.addGoods({ name: 'foreign', templateId: rows[0]?.id ?? 0 })
    expect((await shop.phone().place(await steps.newChair(), goodsId)).message).toBe(
      'This item is not on offer now',
    )
  })

  it('that cost nothing start at once, without payment or income', async () => {
    const before = await shop.pool.query('select count(*) as count from income_deltas')
    const { orderId, answer } = await steps.placed({
      goodsId: await shop.addGoods({ name: 'gift', priceCents: 0 }),
    })
    expect(answer).toMatchObject({ order: { phase: 'starting', priceCents: 0 }, pay: { kind: 'none' } })
    expect(await steps.rowOf(orderId)).toMatchObject({ status: 3, pay_channel: null, fee_cents: 0 })
    expect(await steps.startsOf(orderId)).toHaveLength(1)
    expect((await shop.pool.query('select count(*) as count from income_deltas')).rows).toEqual(before.rows)
  })

  it('are free the first time to whom WeChat knows, once, whatever browser', async () => {
    const goodsId = await shop.addGoods({ name: 'welcome', freeFirst: true, priceCents: 700 })
    const sid = await steps.newChair()
    const phone = shop.phone()
    await phone.page(sid)
    await phone.signInAs('oNew')
    const price = (await phone.page<{ goods: { id: number; priceCents: number }[] }>(sid)).data.goods.find(
      ({ id }) => id === goodsId,
    )?.priceCents
    expect(price).toBe(0)
    const free = await phone.place(sid, goodsId)
    expect(free.data.pay.kind).toBe('none')
    await shop.acknowledge(sid, free.data.order.orderId)
    const otherBrowser = shop.phone()
    const secondSid = await steps.newChair()
    await otherBrowser.page(secondSid)
    await otherBrowser.signInAs('oNew')
    expect((await otherBrowser.place(secondSid, goodsId)).data.order.priceCents).toBe(700)
  })

  it('are not free again when the browser of the first time is somebody else’s since', async () => {
    const goodsId = await shop.addGoods({ name: 'hello', freeFirst: true, priceCents: 700 })
    const firstBrowser = shop.phone()
    const sid = await steps.newChair()
    await firstBrowser.page(sid)
    await firstBrowser.signInAs('oCunning')
    const free = await firstBrowser.place(sid, goodsId)
    expect(free.data.pay.kind).toBe('none')
    await shop.acknowledge(sid, free.data.order.orderId)
    for (const [openId, appId] of [
      ['oAccomplice'],
      ['oCunningElsewhere', 'wx-of-another-merchant'],
    ] as const) {
      await firstBrowser.signInAs(openId, appId)
      const freshBrowser = shop.phone()
      const freshSid = await steps.newChair()
      await freshBrowser.page(freshSid)
      await freshBrowser.signInAs('oCunning')
      expect((await freshBrowser.place(freshSid, goodsId)).data.order.priceCents, openId).toBe(700)
    }
  })

  it('are not free to whom only the app of another merchant knows, who is asked to sign in here', async () => {
    const goodsId = await shop.addGoods({ name: 'good day', freeFirst: true, priceCents: 700 })
    const phone = shop.phone()
    const sid = await steps.newChair()
    const page = async () =>
      (await phone.page<{ wechatSignInUrl: string; goods: { id: number; priceCents: number }[] }>(sid)).data
    await page()
    await phone.signInAs('oStranger', 'wx-of-another-merchant')
    const { wechatSignInUrl, goods } = await page()
    expect(wechatSignInUrl).not.toBe('')
    expect(goods.find(({ id }) => id === goodsId)?.priceCents).toBe(700)
    expect((await phone.place(sid, goodsId)).data.order.priceCents).toBe(700)
    await phone.signInAs('oStranger')
    expect((await page()).wechatSignInUrl).toBe('')
  })
})
