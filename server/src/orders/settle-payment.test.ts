import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleLearnt } from '../payments/learn-payment.ts'
import { createOrderSteps, type OrderSteps } from '../testing/order-steps.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'

let shop: TestShop
let steps: OrderSteps
let tokens: { merchant: string; admin: string }

beforeAll(async () => {
  shop = await startTestShop()
  tokens = { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') }
  steps = createOrderSteps(shop, tokens)
})
afterAll(() => shop.stop())

describe('a payment', () => {
  it('that is told again changes nothing', async () => {
    const { orderId } = await steps.paid()
    const payment = await steps.first<{ transaction_id: string; channel_id: number }>(
      'select * from payments where order_id = $1',
      [orderId],
    )
    const balance = await steps.balanceOf('wechatBalance')
    await shop.payments.outcomes.settlePaid(shop.db, [
      {
        outTradeNo: `${orderId}01`,
        orderId,
        merchantId: shop.merchantId,
        amountCents: 500,
        transactionId: payment.transaction_id,
        payerId: null,
        paidAt: new Date(),
        expiresAt: new Date(),
        channelId: payment.channel_id,
        channelName: 'wechatPay',
        channelAccount: '',
        channelOwnerId: 1,
        learntBy: 'notice',
      },
    ])
    expect(await steps.balanceOf('wechatBalance')).toBe(balance)
    expect(await steps.startsOf(orderId)).toHaveLength(1)
    const refunds = await shop.pool.query('select 1 from provider_refunds where order_id = $1', [orderId])
    expect(refunds.rows).toHaveLength(0)
  })

  it('for a closed order is booked and goes back by itself', async () => {
    const [income, balance] = [await steps.incomeOf('wechat'), await steps.balanceOf('wechatBalance')]
    const { orderId, phone } = await steps.placed()
    await shop.payments.outcomes.settleClosed(shop.db, { orderId, outTradeNo: `${orderId}01` })
    expect(await shop.statusOf(orderId)).toBe(2)
    await shop.pay(orderId)
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect((await phone.order(orderId)).data).toMatchObject({
      phase: 'refunded',
      hasStarted: false,
      refundedCents: 500,
    })
    expect(await steps.startsOf(orderId)).toHaveLength(0)
    expect(await steps.incomeOf('wechat')).toBe(income)
    expect(await steps.balanceOf('wechatBalance')).toBe(balance)
  })

  it('that comes after the merchant took cash goes back, and the cash stays', async () => {
    const other = await steps.incomeOf('other')
    const balance = await steps.balanceOf('wechatBalance')
    const { orderId } = await steps.placed()
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.resultCode).toBe('000')
    await shop.pay(orderId)
    await expect
      .poll(
        async () => (
          await shop.work(),
          (
            await steps.first<{ state: string }>('select state from provider_refunds where order_id = $1', [
              orderId,
            ])
          ).state
        ),
      )
      .toBe('succeeded')
    expect(await steps.rowOf(orderId)).toMatchObject({
      status: 3,
      pay_channel: 'manualStart',
      refunded_cents: 0,
    })
    expect(await steps.incomeOf('other')).toBe(other + 500)
    expect(await steps.balanceOf('wechatBalance')).toBe(balance)
  })
})

const causesOf = async (orderId: string) =>
  (
    await shop.pool.query<{ cause: string }>(
      'select cause from order_history where order_id = $1 order by at',
      [orderId],
    )
  ).rows.map(({ cause }) => cause)

describe('a payment that was made in time and is learnt of later', () => {
  /** The time to pay ended so long ago. */
  const endedSince = (orderId: string, seconds: number) =>
    shop.pool.query(
      'update payments set expires_at = now() - make_interval(secs => $2) where order_id = $1',
      [orderId, seconds],
    )

  it('starts the chair when that is a little later', async () => {
    const { orderId } = await steps.placed()
    await endedSince(orderId, 120)
    await shop.pay(orderId)
    expect(await shop.statusOf(orderId)).toBe(3)
    expect(await steps.startsOf(orderId)).toHaveLength(1)
  })

  it('starts nothing hours later, and goes back by itself', async () => {
    const [income, balance] = [await steps.incomeOf('wechat'), await steps.balanceOf('wechatBalance')]
    const goodsId = await shop.addGoods({ name: 'a few', stock: 3 })
    const { orderId, phone } = await steps.placed({ goodsId })
    await endedSince(orderId, 3 * 3600)
    await shop.pay(orderId)
    expect((await phone.order(orderId)).data.phase).toMatch(/^refund(ing|ed)$/)
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await steps.startsOf(orderId)).toHaveLength(0)
    expect(await causesOf(orderId)).toEqual([
      'placed',
      'paid',
      'its payment was learnt of too late',
      'refunded',
    ])
    expect(await steps.incomeOf('wechat')).toBe(income)
    expect(await steps.balanceOf('wechatBalance')).toBe(balance)
    expect(await steps.stockOf(goodsId)).toBe(3)
  })

  it('goes back by itself alone, when others are learnt of with it', async () => {
    const [late, fresh] = [await steps.placed(), await steps.placed()]
    const { channel_id } = await steps.first<{ channel_id: number }>(
      'select channel_id from payments where order_id = $1',
      [late.orderId],
    )
    await endedSince(late.orderId, 3600)
    await settleLearnt(
      shop.db,
      shop.payments.outcomes,
      [late, fresh].map(({ orderId }) => ({
        outTradeNo: `${orderId}01`,
        transactionId: `T${orderId}`,
        amountCents: 500,
        payerId: null,
        paidAt: new Date(),
        channelId: channel_id,
        learntBy: 'notice' as const,
      })),
    )
    expect([await shop.statusOf(late.orderId), await shop.statusOf(fresh.orderId)]).toEqual([7, 3])
    expect(await steps.startsOf(late.orderId)).toHaveLength(0)
    expect(await steps.startsOf(fresh.orderId)).toHaveLength(1)
  })
})

describe('a payment for a chair that the merchant has no more', () => {
  const changes = {
    'went to another merchant': () =>
      `update devices set merchant_id = ${shop.otherMerchantId}, place_id = null, template_id = null where sid = $1`,
    'was removed': () =>
      'update devices set removed_at = now(), merchant_id = null, bound = false where sid = $1',
  }
  const goneCause = 'the chair is no longer with this merchant'

  it.each(Object.entries(changes))(
    'since it %s starts nothing and goes back by itself',
    async (_how, change) => {
      const [income, balance] = [await steps.incomeOf('wechat'), await steps.balanceOf('wechatBalance')]
      const goodsId = await shop.addGoods({ name: 'a few', stock: 3 })
      const { orderId, sid } = await steps.placed({ goodsId })
      await shop.pool.query(change(), [sid])
      await shop.pay(orderId)
      await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
      expect(await steps.startsOf(orderId)).toHaveLength(0)
      expect(await causesOf(orderId)).toEqual(['placed', 'paid', goneCause, 'refunded'])
      expect(await steps.incomeOf('wechat')).toBe(income)
      expect(await steps.balanceOf('wechatBalance')).toBe(balance)
      expect(await steps.stockOf(goodsId)).toBe(3)
      expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.resultCode).toBe('105')
    },
  )

  it('waits for whoever moves the chair in that moment', async () => {
    const { orderId, sid } = await steps.placed()
    await steps.changedMeanwhile(sid, changes['went to another merchant'](), () => shop.pay(orderId))
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await steps.startsOf(orderId)).toHaveLength(0)
  })
})

describe('a chair that does not start', () => {
  it.each(['refuses', 'is silent'])('and %s costs nothing: the money goes back by itself', async (how) => {
    const [income, balance] = [await steps.incomeOf('wechat'), await steps.balanceOf('wechatBalance')]
    const { orderId, sid } = await steps.paid()
    if (how === 'refuses') await shop.acknowledge(sid, orderId, 'busy')
    else await shop.silence(orderId)
    const why = await steps.first(
      'select cause, detail from order_history where order_id = $1 and to_status = 7',
      [orderId],
    )
    expect(why).toEqual(
      how === 'refuses'
        ? { cause: 'the chair refused', detail: 'busy' }
        : { cause: 'the chair did not acknowledge', detail: '' },
    )
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await steps.incomeOf('wechat')).toBe(income)
    expect(await steps.balanceOf('wechatBalance')).toBe(balance)
    const { rows } = await shop.pool.query('select 1 from refunds where order_id = $1', [orderId])
    expect(rows).toHaveLength(0)
  })

  it('is stopped when it acknowledges after the money went back', async () => {
    const { orderId, sid } = await steps.paid()
    await shop.silence(orderId)
    await shop.acknowledge(sid, orderId)
    const stop = await steps.first('select * from device_commands where order_id = $1 and kind = $2', [
      orderId,
      'stop',
    ])
    expect(stop).toMatchObject({ payload: { stops: orderId } })
    expect(await shop.statusOf(orderId)).toBeGreaterThan(6)
    const note = await steps.first<{ cause: string }>(
      `select cause from order_history where order_id = $1 order by at desc offset 0 limit 1`,
      [orderId],
    )
    expect(note.cause).toMatch(/too late|refunded/)
  })

  it.each(['refuses', 'is silent'])(
    'and %s gives the money back by itself, though the refund was applied for and waits for its audit',
    async (how) => {
      const { orderId, sid } = await steps.paid()
      const id = await steps.apply(orderId)
      if (how === 'refuses') await shop.acknowledge(sid, orderId, 'trouble')
      else await shop.silence(orderId)
      await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
      expect(
        await steps.first('select status, price_cents from refunds where order_id = $1', [orderId]),
      ).toEqual({
        status: 1,
        price_cents: 500,
      })
      expect(await steps.rowOf(orderId)).toMatchObject({ refunded_cents: 500 })
      expect((await steps.audit(id, 0)).body.resultCode).toBe('105')
    },
  )

  it('shows what goes back by itself while the provider does not take it for now', async () => {
    shop.wechat.faults.refuseRefunds = 'NOT_ENOUGH'
    const { orderId, sid } = await steps.paid()
    await shop.acknowledge(sid, orderId, 'trouble')
    await shop.work()
    const row = () => steps.first('select status, reason from refunds where order_id = $1', [orderId])
    expect(await row()).toEqual({ status: 6, reason: 'NOT_ENOUGH NOT_ENOUGH' })
    shop.wechat.faults.refuseRefunds = ''
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await row()).toEqual({ status: 1, reason: '' })
  })

  it('lets somebody see to a refund that the provider refuses', async () => {
    shop.wechat.faults.refuseRefunds = 'USER_ACCOUNT_ABNORMAL'
    const { orderId, sid } = await steps.paid()
    await shop.acknowledge(sid, orderId, 'trouble')
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(9)
    shop.wechat.faults.refuseRefunds = ''
    const refund = await steps.first<{ id: number; status: number }>(
      'select * from refunds where order_id = $1',
      [orderId],
    )
    expect(refund.status).toBe(0)
    const ended = await shop.call<{ status: number }>('PUT', `/api/orders/endfailedrefund/${refund.id}`, {
      token: tokens.admin,
    })
    expect(ended.body.data.status).toBe(4)
    const again = await shop.call('PUT', `/api/orders/endfailedrefund/${refund.id}`, { token: tokens.admin })
    expect(again.body.resultCode).toBe('105')
  })
})
