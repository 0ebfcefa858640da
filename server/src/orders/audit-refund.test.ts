import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RefundRow } from '@chairside/contract'
import { inTransaction } from '../kit/database.ts'
import { transfersOfRecharge } from '../money/order-transfers.ts'
import { postTransfers } from '../money/post-transfers.ts'
import { createOrderSteps, type OrderSteps } from '../testing/order-steps.ts'
import { testTimeZone } from '../testing/test-server.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'
import { placeMemberOrder } from './place-member-order.ts'

let shop: TestShop
let steps: OrderSteps

beforeAll(async () => {
  shop = await startTestShop()
  const tokens = { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') }
  steps = createOrderSteps(shop, tokens)
})
afterAll(() => shop.stop())

describe('a refund', () => {
  it('is applied for by the merchant, approved in part, and paid back by the provider', async () => {
    const [income, balance] = [await steps.incomeOf('wechat'), await steps.balanceOf('wechatBalance')]
    const { orderId } = await steps.finished()
    const id = await steps.apply(orderId)
    expect(await shop.statusOf(orderId)).toBe(5)
    expect((await steps.audit(id, 1, { price: 501 })).body.message).toBe('More than can still be refunded')
    expect((await steps.audit(id, 1, { price: 200 })).body.data).toEqual({ id, status: 6 })
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await steps.first('select status, price_cents from refunds where id = $1', [id])).toEqual({
      status: 1,
      price_cents: 200,
    })
    expect(await steps.rowOf(orderId)).toMatchObject({ refunded_cents: 200 })
    expect(await steps.incomeOf('wechat')).toBe(income + 300)
    expect(await steps.balanceOf('wechatBalance')).toBe(balance + 300)
  })

  it('that the provider does not take for now says why, and is paid back when it does', async () => {
    shop.wechat.faults.refuseRefunds = 'NOT_ENOUGH'
    const { orderId } = await steps.finished()
    const id = await steps.apply(orderId)
    await steps.audit(id, 1)
    await shop.work()
    await shop.work()
    expect(await shop.statusOf(orderId)).toBe(7)
    expect(await steps.first('select status, reason from refunds where id = $1', [id])).toEqual({
      status: 6,
      reason: 'NOT_ENOUGH NOT_ENOUGH',
    })
    const { rows } = await shop.pool.query(
      'select detail from order_history where order_id = $1 and cause = $2',
      [orderId, 'the refund waits'],
    )
    expect(rows).toHaveLength(1)
    shop.wechat.faults.refuseRefunds = ''
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await steps.first('select status, reason from refunds where id = $1', [id])).toEqual({
      status: 1,
      reason: '',
    })
  })

  it('that waited gives no reason any more once the provider has taken it, though it is not paid back yet', async () => {
    onTestFinished(() => void Object.assign(shop.wechat.faults, { refuseRefunds: '', holdRefunds: false }))
    shop.wechat.faults.refuseRefunds = 'NOT_ENOUGH'
    const { orderId } = await steps.finished()
    const id = await steps.apply(orderId)
    await steps.audit(id, 1)
    await shop.work()
    const row = () => steps.first('select status, reason from refunds where id = $1', [id])
    expect(await row()).toEqual({ status: 6, reason: 'NOT_ENOUGH NOT_ENOUGH' })
    Object.assign(shop.wechat.faults, { refuseRefunds: '', holdRefunds: true })
    await shop.work()
    expect(await row()).toEqual({ status: 6, reason: '' })
  })

  it('that nobody can ask about for days can be ended by hand, and is told all the same when it went', async () => {
    const { orderId } = await steps.finished()
    const id = await steps.apply(orderId)
    await steps.audit(id, 1)
    shop.wechat.faults.loseAnswers = true
    await shop.work()
    shop.wechat.faults.loseAnswers = false
    const { merchant } = shop.wechat
    const { certSerialNumber } = merchant
    const mendKey = () => void (merchant.certSerialNumber = certSerialNumber)
    onTestFinished(mendKey)
    merchant.certSerialNumber = 'A NEWER CERTIFICATE'
    await shop.work()
    await shop.pool.query(`update provider_refunds set waits_since = waits_since - interval '3 days'`)
    await shop.work()
    expect(await shop.statusOf(orderId)).toBe(9)
    const end = `/api/orders/endfailedrefund/${id}`
    const ended = await shop.call<{ status: number }>('PUT', end, { token: await shop.signIn('admin') })
    expect(ended.body.data.status).toBe(4)
    mendKey()
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await steps.first('select status from refunds where id = $1', [id])).toEqual({ status: 1 })
    expect(await steps.rowOf(orderId)).toMatchObject({ refunded_cents: 500 })
    const { rows } = await shop.pool.query<{ cause: string }>(
      'select cause from order_history where order_id = $1 order by at offset 4',
      [orderId],
    )
    expect(rows.map(({ cause }) => cause)).toEqual([
      'refund applied',
      'refund approved',
      'the refund waits',
      'it is not known whether the refund went',
      'the failed refund was ended by hand',
      'refunded',
    ])
  })

  it('is decided by one of two auditors who press at once', async () => {
    const { orderId } = await steps.finished()
    const id = await steps.apply(orderId)
    const answers = await Promise.all([steps.audit(id, 1), steps.audit(id, 0), steps.audit(id, 2)])
    expect(answers.map(({ body }) => body.resultCode).toSorted()).toEqual(['000', '105', '105'])
  })

  it('is applied for once', async () => {
    const { orderId } = await steps.finished()
    const answers = await Promise.all([1, 2].map(() => steps.asMerchant(`/api/orders/refund/${orderId}`)))
    expect(answers.map(({ body }) => body.resultCode).toSorted()).toEqual(['000', '105'])
  })

  it('that is refused leaves the money where it is, for good', async () => {
    const { orderId } = await steps.finished()
    expect((await steps.audit(await steps.apply(orderId), 0)).body.data.status).toBe(2)
    expect(await steps.rowOf(orderId)).toMatchObject({ status: 6, refunded_cents: 0 })
    expect((await steps.asMerchant(`/api/orders/refund/${orderId}`)).body.resultCode).toBe('105')
  })

  it('that is refused while the chair is being started goes back all the same when the chair does not start', async () => {
    const { orderId, sid, phone } = await steps.paid()
    const id = await steps.apply(orderId)
    expect((await steps.audit(id, 0)).body.data.status).toBe(2)
    await shop.acknowledge(sid, orderId, 'trouble')
    expect((await phone.order(orderId)).data.phase).toBe('refunding')
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect(await steps.rowOf(orderId)).toMatchObject({ refunded_cents: 500 })
    expect(await steps.first('select status from refunds where id = $1', [id])).toEqual({ status: 2 })
  })

  it.each([1, 2] as const)(
    'of a part (decision %i) waits until the chair has started, since else all goes back',
    async (decision) => {
      const { orderId, sid } = await steps.paid()
      const id = await steps.apply(orderId)
      const part = await steps.audit(id, decision, { price: 200 })
      expect(part.body).toMatchObject({
        resultCode: '105',
        message: expect.stringMatching(/^The chair has not started/),
      })
      await shop.acknowledge(sid, orderId, 'trouble')
      await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
      expect(await steps.rowOf(orderId)).toMatchObject({ refunded_cents: 500 })
      expect(await steps.first('select status from refunds where id = $1', [id])).toEqual({ status: 1 })
    },
  )

  it('offline leaves what the platform holds for the merchant, who paid from the till', async () => {
    const { orderId } = await steps.finished()
    const [held, own] = [await steps.balanceOf('wechatBalance'), await steps.balanceOf('merchantBalance')]
    expect((await steps.audit(await steps.apply(orderId), 2)).body.data.status).toBe(3)
    expect(await steps.rowOf(orderId)).toMatchObject({ status: 8, refunded_cents: 500 })
    expect([await steps.balanceOf('wechatBalance'), await steps.balanceOf('merchantBalance')]).toEqual([
      held,
      own - 500,
    ])
  })

  it('of cash can only be offline', async () => {
    const { orderId, sid } = await steps.placed()
    await steps.asMerchant(`/api/orders/remote/${orderId}`)
    await shop.acknowledge(sid, orderId)
    const id = await steps.apply(orderId)
    expect((await steps.audit(id, 1)).body.message).toMatch(/only be refunded offline/)
    expect((await steps.audit(id, 2)).body.data.status).toBe(3)
    await shop.end(sid, orderId, 600)
    expect(await shop.statusOf(orderId)).toBe(8)
  })

  it('of a balance says how much of it may be paid back offline: what was a gift may not', async () => {
    const { merchantId } = shop
    const member = await steps.first<{ id: number }>(
      `insert into members (merchant_id, mobile, name) values ($1, '13800000000', 'A member') returning id`,
      [merchantId],
    )
    const recharged = { orderId: 'CZ261121000000000AAAA', orderTime: new Date(), merchantId } as const
    const money = { ...recharged, channel: 'wechatPay', heldByPlatform: true } as const
    const parts = { memberId: member.id, cashCents: 300, giftCents: 900 }
    await postTransfers(shop.db, transfersOfRecharge(money, parts))
    const sid = await steps.newChair()
    const goodsId = await shop.addGoods({ name: 'ten minutes' })
    const wanted = { memberId: member.id, deviceId: sid, goodsId, requestKey: 'press' }
    const settings = { timeZone: testTimeZone, paymentWindowSeconds: 300 }
    const { orderId } = await inTransaction(shop.db, (trx) =>
      placeMemberOrder(trx, wanted, new Date(), settings),
    )
    await shop.acknowledge(sid, orderId)
    const id = await steps.apply(orderId)
    const { body } = await shop.call<{ list: RefundRow[] }>('GET', `/api/orders/refunds?orderid=${orderId}`, {
      token: await shop.signIn('admin'),
    })
    const [row] = body.data.list
    expect([row?.refundableCents, row?.refundableByHandCents]).toEqual([500, 300])
    expect((await steps.audit(id, 2, { price: 301 })).body.success).toBe(false)
    expect((await steps.audit(id, 2, { price: 300 })).body.data.status).toBe(3)
  })

  it.each([
    [{ refundid: 999_999 }, 'refundid'],
    [{ auditflag: 0 }, 'auditflag'],
    [{ remark: ' ' }, 'remark', 'The audit remark is empty'],
    [{ remark: undefined }, 'remark', 'The audit remark is empty'],
    [{ remark: 'x'.repeat(201) }, 'remark', 'At most 200 characters'],
    [{ price: 0 }, 'price'],
  ])('with %j is not accepted and changes nothing', async (wrong, field, words?: string) => {
    const { orderId } = await steps.finished()
    const id = await steps.apply(orderId)
    const { body } = await steps.audit(id, 1, wrong)
    expect(body).toMatchObject({
      resultCode: '100',
      data: { fields: { [field]: words ?? expect.any(String) } },
    })
    expect(await shop.statusOf(orderId)).toBe(5)
  })

  it('is not possible where the merchant does not allow it', async () => {
    const { orderId } = await steps.finished()
    await shop.pool.query('insert into pay_routers (merchant_id, refund_allowed) values ($1, false)', [
      shop.merchantId,
    ])
    try {
      expect((await steps.asMerchant(`/api/orders/refund/${orderId}`)).body.message).toBe(
        'This merchant does not allow refunds',
      )
    } finally {
      await shop.pool.query('delete from pay_routers')
    }
  })

  it('of somebody else does not exist', async () => {
    const { orderId } = await steps.finished()
    const [gym, south] = [await shop.signIn('gym'), await shop.signIn('south')]
    for (const path of [`/api/orders/refund/${orderId}`, `/api/orders/remote/${orderId}`])
      expect((await shop.call('PUT', path, { token: gym })).body.resultCode).toBe('104')
    const id = await steps.apply(orderId)
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
    ['unpaid', () => steps.placed()],
    [
      'closed',
      async () => {
        const order = await steps.placed()
        await order.phone.press(order.orderId, 'cancel')
        return order
      },
    ],
  ])('of an %s order is refused', async (_, make) => {
    const { orderId } = await make()
    expect((await steps.asMerchant(`/api/orders/refund/${orderId}`)).body.resultCode).toBe('105')
  })
})
