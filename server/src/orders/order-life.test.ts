import type { PayPageOrder } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestShop, type TestPhone, type TestShop } from '../testing/test-shop.ts'

let shop: TestShop
let merchantToken: string
let adminToken: string
let chairs = 0

beforeAll(async () => {
  shop = await startTestShop()
  merchantToken = await shop.signIn('spa')
  adminToken = await shop.signIn('admin')
})
afterAll(() => shop.stop())

const newChair = async () => {
  const sid = `G${100 + chairs++}`
  await shop.addChair(sid)
  return sid
}

/** Somebody at a new chair with an order for ten minutes at five yuan. */
async function placed(options: { phone?: TestPhone; sid?: string; goodsId?: number } = {}) {
  const sid = options.sid ?? (await newChair())
  const phone = options.phone ?? shop.phone()
  const goodsId = options.goodsId ?? (await shop.addGoods({ name: 'ten minutes' }))
  const { data, resultCode } = await phone.place(sid, goodsId)
  expect(resultCode).toBe('000')
  return { sid, phone, goodsId, orderId: data.order.orderId, answer: data }
}
async function paid() {
  const order = await placed()
  await shop.pay(order.orderId)
  return order
}
async function running() {
  const order = await paid()
  await shop.acknowledge(order.sid, order.orderId)
  return order
}
async function finished() {
  const order = await running()
  await shop.end(order.sid, order.orderId, 600)
  return order
}

const asMerchant = (path: string) => shop.call('PUT', path, { token: merchantToken })
async function apply(orderId: string): Promise<number> {
  const { body } = await shop.call<{ id: number }>('PUT', `/api/orders/refund/${orderId}?remark=broken`, {
    token: merchantToken,
  })
  expect(body.resultCode).toBe('000')
  return body.data.id
}
const audit = (id: number, decision: 0 | 1 | 2, more: object = {}) =>
  shop.call<{ status: number }>('PUT', `/api/orders/auditrefund/${id}`, {
    token: adminToken,
    body: { audit: decision, remark: 'seen', ...more },
  })

const first = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row> => {
  const { rows } = await shop.pool.query<Row>(text, values)
  if (!rows[0]) throw new Error(`nothing found: ${text}`)
  return rows[0]
}
const stockOf = async (id: number) =>
  (await first<{ stock: number }>('select stock from goods where id = $1', [id])).stock
const rowOf = (orderId: string) =>
  first<Record<string, number | string | Date | null>>('select * from orders where order_id = $1', [orderId])
const startsOf = async (orderId: string) =>
  (
    await shop.pool.query<{ id: string; payload: { durationSeconds: number }; state: string }>(
      `select id, payload, state from device_commands where order_id = $1 and kind = 'start' order by created_at`,
      [orderId],
    )
  ).rows
const incomeOf = async (kind: string) =>
  (
    await first<{ sum: number }>(
      'select coalesce(sum(amount_cents), 0) as sum from income_deltas where kind = $1',
      [kind],
    )
  ).sum
const balanceOf = async (kind: string) =>
  (
    await first<{ sum: number }>(
      'select coalesce(sum(balance_cents), 0) as sum from ledger_accounts where kind = $1',
      [kind],
    )
  ).sum

describe('an order that goes well', () => {
  it('is placed, paid, acknowledged, run and finished, each step told once in its history', async () => {
    const [income, balance] = [await incomeOf('wechat'), await balanceOf('wechatBalance')]
    const { orderId, sid, phone, answer } = await placed()
    expect(answer).toMatchObject({ order: { phase: 'paying', priceCents: 500 }, pay: { kind: 'native' } })
    await shop.pay(orderId)
    expect((await phone.order(orderId)).data.phase).toBe('starting')
    expect(await startsOf(orderId)).toMatchObject([{ id: orderId, payload: { durationSeconds: 600 } }])
    await shop.acknowledge(sid, orderId)
    const shown = (await phone.order(orderId)).data
    expect(shown.phase).toBe('running')
    expect(shown.remainingSeconds).toBeGreaterThan(590)
    expect(shown.remainingSeconds).toBeLessThanOrEqual(600)
    await shop.end(sid, orderId, 600)
    expect((await phone.order(orderId)).data.phase).toBe('ended')
    expect(await rowOf(orderId)).toMatchObject({
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
    expect(await incomeOf('wechat')).toBe(income + 500)
    expect(await balanceOf('wechatBalance')).toBe(balance + 500)
  })

  it('is shown to nobody but the customer who placed it', async () => {
    const { orderId } = await placed()
    const stranger = shop.phone()
    await stranger.page('G100')
    expect((await stranger.order(orderId)).resultCode).toBe('104')
    expect((await stranger.press(orderId, 'cancel')).resultCode).toBe('104')
    expect((await shop.phone().order(orderId)).resultCode).toBe('104')
  })

  it('is one order however often the same press comes, also at once', async () => {
    const [sid, goodsId] = [await newChair(), await shop.addGoods({ name: 'twice', stock: 5 })]
    const phone = shop.phone()
    await phone.page(sid)
    const answers = await Promise.all(Array.from({ length: 4 }, () => phone.place(sid, goodsId, 'one press')))
    expect(new Set(answers.map(({ data }) => data.order.orderId)).size).toBe(1)
    expect(await stockOf(goodsId)).toBe(4)
  })
})

describe('a chair', () => {
  it('is held for one customer, and free again when the payment is given up', async () => {
    const { sid, goodsId, orderId, phone } = await placed()
    const other = shop.phone()
    expect((await other.place(sid, goodsId)).resultCode).toBe('105')
    expect((await other.page(sid)).data).toMatchObject({ state: 'busy' })
    expect((await phone.press(orderId, 'cancel')).data.phase).toBe('closed')
    expect((await other.place(sid, goodsId)).resultCode).toBe('000')
  })

  it('is held no longer than the time to pay', async () => {
    const { sid, goodsId, orderId } = await placed()
    const other = shop.phone()
    await shop.pool.query(
      `update orders set order_time = order_time - interval '299 seconds' where order_id = $1`,
      [orderId],
    )
    expect((await other.place(sid, goodsId)).resultCode).toBe('105')
    await shop.pool.query(
      `update orders set order_time = order_time - interval '2 seconds' where order_id = $1`,
      [orderId],
    )
    expect((await other.place(sid, goodsId)).resultCode).toBe('000')
  })

  it('goes to the customer who chooses anew, and the choice before is closed', async () => {
    const { sid, phone, orderId, goodsId } = await placed()
    const again = await phone.place(sid, goodsId)
    expect(again.data.order.orderId).not.toBe(orderId)
    expect(await shop.statusOf(orderId)).toBe(2)
  })

  it('is sold to one of many who press in the same moment', async () => {
    const [sid, goodsId] = [await newChair(), await shop.addGoods({ name: 'rush' })]
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
    const sid = await newChair()
    const { id } = await first<{ id: number }>('select id from devices where sid = $1', [sid])
    await shop.pool.query(change, [id])
    const phone = shop.phone()
    expect((await phone.page(sid)).data).toMatchObject({ state })
    const refused = await phone.place(sid, await shop.addGoods({ name: 'none' }))
    expect(refused).toMatchObject({ resultCode: '105', message })
  })

  it('of a locked merchant is blocked', async () => {
    const sid = await newChair()
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
    const [sidA, sidB] = [await newChair(), await newChair()]
    const [one, two] = [shop.phone(), shop.phone()]
    const answers = await Promise.all([one.place(sidA, goodsId), two.place(sidB, goodsId)])
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.find(({ success }) => !success)?.message).toBe('This item is sold out')
    const [winner, answer] = answers[0].success ? [one, answers[0]] : [two, answers[1]]
    await winner.press(answer.data.order.orderId, 'cancel')
    expect(await stockOf(goodsId)).toBe(1)
  })

  it('for members are refused to others', async () => {
    const goodsId = await shop.addGoods({ name: 'club', memberOnly: true })
    expect((await shop.phone().place(await newChair(), goodsId)).message).toBe(
      'This item is for members only',
    )
  })

  it('of another template are not on offer', async () => {
    const { rows } = await shop.pool.query<{ id: number }>(
      `insert into goods_templates (merchant_id, name, work_mode) values ($1, 'other', 0) returning id`,
      [shop.merchantId],
    )
    const goodsId = await shop.addGoods({ name: 'foreign', templateId: rows[0]?.id ?? 0 })
    expect((await shop.phone().place(await newChair(), goodsId)).message).toBe(
      'This item is not on offer now',
    )
  })

  it('that cost nothing start at once, without payment or income', async () => {
    const before = await shop.pool.query('select count(*) as count from income_deltas')
    const { orderId, answer } = await placed({
      goodsId: await shop.addGoods({ name: 'gift', priceCents: 0 }),
    })
    expect(answer).toMatchObject({ order: { phase: 'starting', priceCents: 0 }, pay: { kind: 'none' } })
    expect(await rowOf(orderId)).toMatchObject({ status: 3, pay_channel: null, fee_cents: 0 })
    expect(await startsOf(orderId)).toHaveLength(1)
    expect((await shop.pool.query('select count(*) as count from income_deltas')).rows).toEqual(before.rows)
  })

  it('are free the first time to whom WeChat knows, once, whatever browser', async () => {
    const goodsId = await shop.addGoods({ name: 'welcome', freeFirst: true, priceCents: 700 })
    const sid = await newChair()
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
    const secondSid = await newChair()
    await otherBrowser.page(secondSid)
    await otherBrowser.signInAs('oNew')
    expect((await otherBrowser.place(secondSid, goodsId)).data.order.priceCents).toBe(700)
  })
})

describe('a payment', () => {
  it('that is told again changes nothing', async () => {
    const { orderId } = await paid()
    const payment = await first<{ transaction_id: string; channel_id: number }>(
      'select * from payments where order_id = $1',
      [orderId],
    )
    const balance = await balanceOf('wechatBalance')
    await shop.payments.outcomes.settlePaid(shop.db, [
      {
        outTradeNo: `${orderId}01`,
        orderId,
        merchantId: shop.merchantId,
        amountCents: 500,
        transactionId: payment.transaction_id,
        payerId: null,
        paidAt: new Date(),
        channelId: payment.channel_id,
        channelName: 'wechatPay',
        channelAccount: '',
        channelOwnerId: 1,
        learntBy: 'notice',
      },
    ])
    expect(await balanceOf('wechatBalance')).toBe(balance)
    expect(await startsOf(orderId)).toHaveLength(1)
    const refunds = await shop.pool.query('select 1 from provider_refunds where order_id = $1', [orderId])
    expect(refunds.rows).toHaveLength(0)
  })

  it('for a closed order is booked and goes back by itself', async () => {
    const [income, balance] = [await incomeOf('wechat'), await balanceOf('wechatBalance')]
    const { orderId, phone } = await placed()
    await shop.payments.outcomes.settleClosed(shop.db, { orderId, outTradeNo: `${orderId}01` })
    expect(await shop.statusOf(orderId)).toBe(2)
    await shop.pay(orderId)
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect((await phone.order(orderId)).data).toMatchObject({ phase: 'refunded', refundedCents: 500 })
    expect(await startsOf(orderId)).toHaveLength(0)
    expect(await incomeOf('wechat')).toBe(income)
    expect(await balanceOf('wechatBalance')).toBe(balance)
  })

  it('that comes after the merchant took cash goes back, and the cash stays', async () => {
    const other = await incomeOf('other')
    const balance = await balanceOf('wechatBalance')
    const { orderId } = await placed()
    expect((await asMerchant(`/api/orders/remote/${orderId}`)).body.resultCode).toBe('000')
    await shop.pay(orderId)
    await expect
      .poll(
        async () => (
          await shop.work(),
          (
            await first<{ state: string }>('select state from provider_refunds where order_id = $1', [
              orderId,
            ])
          ).state
        ),
      )
      .toBe('succeeded')
    expect(await rowOf(orderId)).toMatchObject({ status: 3, pay_channel: 'manualStart', refunded_cents: 0 })
    expect(await incomeOf('other')).toBe(other + 500)
    expect(await balanceOf('wechatBalance')).toBe(balance)
  })
})

describe('a chair that does not start', () => {
  it.each(['refuses', 'is silent'])('and %s costs nothing: the money goes back by itself', async (how) => {
    const [income, balance] = [await incomeOf('wechat'), await balanceOf('wechatBalance')]
    const { orderId, sid } = await paid()
    if (how === 'refuses') await shop.acknowledge(sid, orderId, 'busy')
    else await shop.silence(orderId)
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await incomeOf('wechat')).toBe(income)
    expect(await balanceOf('wechatBalance')).toBe(balance)
    const { rows } = await shop.pool.query('select 1 from refunds where order_id = $1', [orderId])
    expect(rows).toHaveLength(0)
  })

  it('is stopped when it acknowledges after the money went back', async () => {
    const { orderId, sid } = await paid()
    await shop.silence(orderId)
    await shop.acknowledge(sid, orderId)
    const stop = await first('select * from device_commands where order_id = $1 and kind = $2', [
      orderId,
      'stop',
    ])
    expect(stop).toMatchObject({ payload: { stops: orderId } })
    expect(await shop.statusOf(orderId)).toBeGreaterThan(6)
    const note = await first<{ cause: string }>(
      `select cause from order_history where order_id = $1 order by at desc offset 0 limit 1`,
      [orderId],
    )
    expect(note.cause).toMatch(/too late|refunded/)
  })

  it('lets somebody see to a refund that the provider refuses', async () => {
    shop.wechat.faults.refuseRefunds = 'NOT_ENOUGH'
    const { orderId, sid } = await paid()
    await shop.acknowledge(sid, orderId, 'trouble')
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(9)
    shop.wechat.faults.refuseRefunds = ''
    const refund = await first<{ id: number; status: number }>('select * from refunds where order_id = $1', [
      orderId,
    ])
    expect(refund.status).toBe(0)
    const ended = await shop.call<{ status: number }>('PUT', `/api/orders/endfailedrefund/${refund.id}`, {
      token: adminToken,
    })
    expect(ended.body.data.status).toBe(4)
    const again = await shop.call('PUT', `/api/orders/endfailedrefund/${refund.id}`, { token: adminToken })
    expect(again.body.resultCode).toBe('105')
  })
})

describe('a run', () => {
  it('that the customer stops is finished; what is left is not given back', async () => {
    const { orderId, sid, phone } = await running()
    expect((await phone.press(orderId, 'stop')).resultCode).toBe('000')
    await phone.press(orderId, 'stop')
    const stops = await shop.pool.query(
      `select id from device_commands where order_id = $1 and kind = 'stop'`,
      [orderId],
    )
    expect(stops.rows).toEqual([{ id: `${orderId}-S1` }])
    await shop.end(sid, orderId, 100)
    expect(await rowOf(orderId)).toMatchObject({ status: 3, delivered_seconds: 100, refunded_cents: 0 })
    expect((await asMerchant(`/api/orders/remote/${orderId}`)).body.message).toBe(
      'The time of this order has been delivered in full',
    )
  })

  it('cannot be stopped before it began, nor on a chair that is away', async () => {
    const { orderId, sid, phone } = await paid()
    expect((await phone.press(orderId, 'stop')).resultCode).toBe('105')
    await shop.acknowledge(sid, orderId)
    await shop.pool.query(
      'update device_states set status = 2 where device_id = (select id from devices where sid = $1)',
      [sid],
    )
    expect((await phone.press(orderId, 'stop')).message).toBe('The device is offline')
  })

  it('that a chair breaks off leaves the rest to be started', async () => {
    const { orderId, sid } = await running()
    await shop.end(sid, orderId, 200)
    expect(await rowOf(orderId)).toMatchObject({ status: 3, delivered_seconds: 200, finished_at: null })
    const started = await asMerchant(`/api/orders/remote/${orderId}`)
    expect(started.body.data).toEqual({ orderId, commandId: `${orderId}-2` })
    expect((await startsOf(orderId))[1]).toMatchObject({ payload: { durationSeconds: 400 } })
    await shop.acknowledge(sid, `${orderId}-2`)
    expect(await shop.statusOf(orderId)).toBe(4)
    await shop.end(sid, `${orderId}-2`, 400)
    expect(await rowOf(orderId)).toMatchObject({
      status: 3,
      delivered_seconds: 600,
      finished_at: expect.any(Date),
    })
  })

  it('whose end is never reported ends two minutes after its time', async () => {
    const { orderId } = await running()
    const endOf = (seconds: number) =>
      shop.pool.query(`update orders set ends_at = now() - make_interval(secs => $2) where order_id = $1`, [
        orderId,
        seconds,
      ])
    const watch = async () => {
      await shop.pool.query(`select graphile_worker.add_job('orders:end-overdue', '{}')`)
      await shop.work()
    }
    await endOf(115)
    await watch()
    expect(await shop.statusOf(orderId)).toBe(4)
    await endOf(121)
    await watch()
    expect(await rowOf(orderId)).toMatchObject({
      status: 3,
      delivered_seconds: 600,
      finished_at: expect.any(Date),
    })
  })

  it('counts once, though its end is told before its acknowledgement and again', async () => {
    const { orderId, sid } = await paid()
    await shop.end(sid, orderId, 600)
    await shop.acknowledge(sid, orderId)
    await shop.end(sid, orderId, 600)
    expect(await rowOf(orderId)).toMatchObject({
      status: 3,
      delivered_seconds: 600,
      finished_at: expect.any(Date),
    })
  })
})

describe('a remote start', () => {
  it('of an unpaid order takes cash at its price, once', async () => {
    const income = await incomeOf('other')
    const { orderId, sid } = await placed()
    expect((await asMerchant(`/api/orders/remote/${orderId}`)).body.data).toMatchObject({
      commandId: orderId,
    })
    expect(await rowOf(orderId)).toMatchObject({ status: 3, pay_channel: 'manualStart' })
    expect(await incomeOf('other')).toBe(income + 500)
    expect((await asMerchant(`/api/orders/remote/${orderId}`)).body.message).toBe('The device is in use')
    await shop.acknowledge(sid, orderId, 'trouble')
    expect(await shop.statusOf(orderId)).toBe(3)
    expect((await asMerchant(`/api/orders/remote/${orderId}`)).body.data).toMatchObject({
      commandId: `${orderId}-2`,
    })
    expect(await incomeOf('other')).toBe(income + 500)
  })

  it.each([
    [
      'offline',
      'update device_states set status = 2 where device_id = (select id from devices where sid = $1)',
      'The device is offline',
    ],
    ['locked', 'update devices set locked = 2 where sid = $1', 'The device is locked'],
    [
      'running',
      `update device_states set running_command_id = 'X', running_until = now() + interval '1 minute' where device_id = (select id from devices where sid = $1)`,
      'The device is in use',
    ],
  ])('of a chair that is %s is refused and books nothing', async (_, change, message) => {
    const { orderId, sid } = await placed()
    await shop.pool.query(change, [sid])
    expect((await asMerchant(`/api/orders/remote/${orderId}`)).body).toMatchObject({
      resultCode: '105',
      message,
    })
    expect(await shop.statusOf(orderId)).toBe(1)
  })

  it('does not reach a chair that went to another merchant', async () => {
    const { orderId, sid } = await placed()
    await shop.pool.query('update devices set merchant_id = $2 where sid = $1', [sid, shop.otherMerchantId])
    expect((await asMerchant(`/api/orders/remote/${orderId}`)).body.resultCode).toBe('105')
    expect(await startsOf(orderId)).toHaveLength(0)
  })
})

describe('a refund', () => {
  it('is applied for by the merchant, approved in part, and paid back by the provider', async () => {
    const [income, balance] = [await incomeOf('wechat'), await balanceOf('wechatBalance')]
    const { orderId } = await finished()
    const id = await apply(orderId)
    expect(await shop.statusOf(orderId)).toBe(5)
    expect((await audit(id, 1, { price: 501 })).body.message).toBe('More than what can still be refunded')
    expect((await audit(id, 1, { price: 200 })).body.data).toEqual({ id, status: 6 })
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await first('select status, price_cents from refunds where id = $1', [id])).toEqual({
      status: 1,
      price_cents: 200,
    })
    expect(await rowOf(orderId)).toMatchObject({ refunded_cents: 200 })
    expect(await incomeOf('wechat')).toBe(income + 300)
    expect(await balanceOf('wechatBalance')).toBe(balance + 300)
  })

  it('is decided by one of two auditors who press at once', async () => {
    const { orderId } = await finished()
    const id = await apply(orderId)
    const answers = await Promise.all([audit(id, 1), audit(id, 0), audit(id, 2)])
    expect(answers.map(({ body }) => body.resultCode).toSorted()).toEqual(['000', '105', '105'])
  })

  it('is applied for once', async () => {
    const { orderId } = await finished()
    const answers = await Promise.all([1, 2].map(() => asMerchant(`/api/orders/refund/${orderId}`)))
    expect(answers.map(({ body }) => body.resultCode).toSorted()).toEqual(['000', '105'])
  })

  it('that is refused leaves the money where it is, for good', async () => {
    const { orderId } = await finished()
    expect((await audit(await apply(orderId), 0)).body.data.status).toBe(2)
    expect(await rowOf(orderId)).toMatchObject({ status: 6, refunded_cents: 0 })
    expect((await asMerchant(`/api/orders/refund/${orderId}`)).body.resultCode).toBe('105')
  })

  it('offline leaves what the platform holds for the merchant, who paid from the till', async () => {
    const { orderId } = await finished()
    const [held, own] = [await balanceOf('wechatBalance'), await balanceOf('merchantBalance')]
    expect((await audit(await apply(orderId), 2)).body.data.status).toBe(3)
    expect(await rowOf(orderId)).toMatchObject({ status: 8, refunded_cents: 500 })
    expect([await balanceOf('wechatBalance'), await balanceOf('merchantBalance')]).toEqual([held, own - 500])
  })

  it('of cash can only be offline', async () => {
    const { orderId, sid } = await placed()
    await asMerchant(`/api/orders/remote/${orderId}`)
    await shop.acknowledge(sid, orderId)
    const id = await apply(orderId)
    expect((await audit(id, 1)).body.message).toMatch(/only be refunded offline/)
    expect((await audit(id, 2)).body.data.status).toBe(3)
    await shop.end(sid, orderId, 600)
    expect(await shop.statusOf(orderId)).toBe(8)
  })

  it.each([
    [{ refundid: 999_999 }, 'refundid'],
    [{ auditflag: 0 }, 'auditflag'],
    [{ remark: '' }, 'remark'],
    [{ remark: 'x'.repeat(201) }, 'remark'],
    [{ price: 0 }, 'price'],
  ])('with %j is not accepted and changes nothing', async (wrong, field) => {
    const { orderId } = await finished()
    const id = await apply(orderId)
    const { body } = await audit(id, 1, wrong)
    expect(body).toMatchObject({ resultCode: '100', data: { fields: { [field]: expect.any(String) } } })
    expect(await shop.statusOf(orderId)).toBe(5)
  })

  it('is not possible where the merchant does not allow it', async () => {
    const { orderId } = await finished()
    await shop.pool.query('insert into pay_routers (merchant_id, refund_allowed) values ($1, false)', [
      shop.merchantId,
    ])
    try {
      expect((await asMerchant(`/api/orders/refund/${orderId}`)).body.message).toBe(
        'This merchant does not allow refunds',
      )
    } finally {
      await shop.pool.query('delete from pay_routers')
    }
  })

  it('of somebody else does not exist', async () => {
    const { orderId } = await finished()
    const [gym, south] = [await shop.signIn('gym'), await shop.signIn('south')]
    for (const path of [`/api/orders/refund/${orderId}`, `/api/orders/remote/${orderId}`])
      expect((await shop.call('PUT', path, { token: gym })).body.resultCode).toBe('104')
    const id = await apply(orderId)
    const body = { audit: 1, remark: 'mine' }
    const foreign = await shop.call('PUT', `/api/orders/auditrefund/${id}`, { token: south, body })
    expect(foreign.body.resultCode).toBe('104')
    const north = await shop.call('PUT', `/api/orders/auditrefund/${id}`, {
      token: await shop.signIn('north'),
      body,
    })
    expect(north.body.resultCode).toBe('000')
  })

  it.each([
    ['unpaid', placed],
    [
      'closed',
      async () => {
        const order = await placed()
        await order.phone.press(order.orderId, 'cancel')
        return order
      },
    ],
  ])('of an %s order is refused', async (_, make) => {
    const { orderId } = await make()
    expect((await asMerchant(`/api/orders/refund/${orderId}`)).body.resultCode).toBe('105')
  })
})

describe('the page', () => {
  it('shows the order that is under way, and the chair as running', async () => {
    const { sid, phone, orderId } = await running()
    const page = await phone.page<{ state: string; order: PayPageOrder | null }>(sid)
    expect(page.data).toMatchObject({ state: 'running', order: { orderId, phase: 'running' } })
    expect((await shop.phone().page(sid)).data).toMatchObject({ state: 'busy', order: null })
  })

  it('does not know a chair that is not there', async () => {
    expect((await shop.phone().page('G999999')).resultCode).toBe('104')
  })
})
