import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrderSteps, type OrderSteps } from '../testing/order-steps.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'

let shop: TestShop
let steps: OrderSteps

beforeAll(async () => {
  shop = await startTestShop()
  const tokens = { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') }
  steps = createOrderSteps(shop, tokens)
})
afterAll(() => shop.stop())

describe('a run', () => {
  it('that the customer stops is finished; what is left is not given back', async () => {
    const { orderId, sid, phone } = await steps.running()
    expect((await phone.order(orderId)).data.stopping).toBe(false)
    expect((await phone.press(orderId, 'stop')).data.stopping).toBe(true)
    await phone.press(orderId, 'stop')
    expect((await phone.order(orderId)).data.stopping).toBe(true)
    const stops = await shop.pool.query(
      `select id from device_commands where order_id = $1 and kind = 'stop'`,
      [orderId],
    )
    expect(stops.rows).toEqual([{ id: `${orderId}-S1` }])
    await shop.end(sid, orderId, 100)
    expect(await steps.rowOf(orderId)).toMatchObject({ status: 3, delivered_seconds: 100, refunded_cents: 0 })
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.message).toBe(
      'The time of this order has been delivered in full',
    )
  })

  it('goes on as far as the customer is told when the chair does not answer a stop, and can be stopped again', async () => {
    const { orderId, sid, phone } = await steps.running()
    await phone.press(orderId, 'stop')
    await shop.silence(`${orderId}-S1`)
    expect((await phone.order(orderId)).data).toMatchObject({ phase: 'running', stopping: false })
    expect((await phone.press(orderId, 'stop')).data.stopping).toBe(true)
    await shop.acknowledge(sid, `${orderId}-S2`)
    expect((await phone.order(orderId)).data.stopping).toBe(true)
    await shop.end(sid, orderId, 100)
    expect((await phone.order(orderId)).data).toMatchObject({ phase: 'ended', stopping: false })
  })

  it.each([
    ['is on its way back', 1, 'refunding'],
    ['was given back from the till', 2, 'refunded'],
  ] as const)('is shown and can be stopped while its money %s', async (_, decision, after) => {
    const { orderId, sid, phone } = await steps.running()
    await steps.audit(await steps.apply(orderId), decision)
    expect((await phone.order(orderId)).data.phase).toBe('running')
    expect((await phone.page<{ order: { phase: string } }>(sid)).data.order.phase).toBe('running')
    expect((await phone.press(orderId, 'stop')).data.stopping).toBe(true)
    await shop.pool.query(`delete from graphile_worker._private_jobs`)
    await shop.end(sid, orderId, 100)
    expect((await phone.order(orderId)).data.phase).toBe(after)
  })

  it('cannot be stopped before it began, nor on a chair that is away', async () => {
    const { orderId, sid, phone } = await steps.paid()
    expect((await phone.press(orderId, 'stop')).resultCode).toBe('105')
    await shop.acknowledge(sid, orderId)
    await shop.pool.query(
      'update device_states set status = 2 where device_id = (select id from devices where sid = $1)',
      [sid],
    )
    expect((await phone.press(orderId, 'stop')).message).toBe('The device is offline')
  })

  it('that a chair breaks off leaves the rest to be started', async () => {
    const { orderId, sid, phone } = await steps.running()
    await shop.end(sid, orderId, 200)
    expect(await steps.rowOf(orderId)).toMatchObject({ status: 3, delivered_seconds: 200, finished_at: null })
    const rest = { orderId, phase: 'brokenOff', remainingSeconds: 400, endsAt: null }
    expect((await phone.order(orderId)).data).toMatchObject(rest)
    expect((await phone.page(sid)).data).toMatchObject({ state: 'ready', order: rest })
    expect((await phone.press(orderId, 'stop')).resultCode).toBe('105')
    const started = await steps.asMerchant(`/api/orders/remote/${orderId}`)
    expect(started.body.data).toEqual({ orderId, commandId: `${orderId}-2` })
    expect((await steps.startsOf(orderId))[1]).toMatchObject({ payload: { durationSeconds: 400 } })
    await shop.acknowledge(sid, `${orderId}-2`)
    expect(await shop.statusOf(orderId)).toBe(4)
    expect((await phone.order(orderId)).data).toMatchObject({ phase: 'running', stopping: false })
    await shop.end(sid, `${orderId}-2`, 400)
    expect((await phone.order(orderId)).data.phase).toBe('ended')
    expect(await steps.rowOf(orderId)).toMatchObject({
      status: 3,
      delivered_seconds: 600,
      finished_at: expect.any(Date),
    })
  })

  it('whose end is never reported ends two minutes after its time', async () => {
    const { orderId, sid } = await steps.running()
    const overFor = async (seconds: number) => {
      await shop.pool.query(
        `update device_commands set acknowledged_at = now() - make_interval(secs => 600 + $2) where order_id = $1`,
        [orderId, seconds],
      )
      await shop.pool.query(`select graphile_worker.add_job('devices:end-silent-runs', '{}')`)
      await shop.work()
    }
    await overFor(60)
    expect(await shop.statusOf(orderId)).toBe(4)
    await overFor(121)
    expect(await steps.rowOf(orderId)).toMatchObject({
      status: 3,
      delivered_seconds: 600,
      finished_at: expect.any(Date),
    })
    expect(await steps.startsOf(orderId)).toMatchObject([{ state: 'ended' }])
    // A board that was away may tell it later.
    await shop.end(sid, orderId, 250)
    expect(await steps.rowOf(orderId)).toMatchObject({ status: 3, delivered_seconds: 250 })
  })

  it('counts once, though its end is told before its acknowledgement and again', async () => {
    const { orderId, sid } = await steps.paid()
    await shop.end(sid, orderId, 600)
    await shop.acknowledge(sid, orderId)
    await shop.end(sid, orderId, 600)
    expect(await steps.rowOf(orderId)).toMatchObject({
      status: 3,
      delivered_seconds: 600,
      finished_at: expect.any(Date),
    })
  })
})

describe('a start that no gateway is there to send', () => {
  const lookAfter = async (orderId: string, seconds: number) => {
    await shop.pool.query(
      `update device_commands set created_at = now() - make_interval(secs => $2) where order_id = $1`,
      [orderId, seconds],
    )
    await shop.pool.query(`select graphile_worker.add_job('devices:give-up-abandoned', '{}')`)
    await shop.work()
  }

  it('is given up some time after its last chance, and the money goes back', async () => {
    const { orderId, phone } = await steps.paid()
    await lookAfter(orderId, 150)
    expect(await shop.statusOf(orderId)).toBe(3)
    await lookAfter(orderId, 154)
    expect(await steps.startsOf(orderId)).toMatchObject([{ state: 'timedOut' }])
    await expect.poll(async () => (await shop.work(), shop.statusOf(orderId))).toBe(8)
    expect((await phone.order(orderId)).data.phase).toBe('refunded')
    expect(await steps.rowOf(orderId)).toMatchObject({ refunded_cents: 500 })
  })

  it('is left alone once the chair has acknowledged it', async () => {
    const { orderId } = await steps.running()
    await lookAfter(orderId, 500)
    expect(await shop.statusOf(orderId)).toBe(4)
  })
})

describe('a remote start', () => {
  it('of an unpaid order takes cash at its price, once', async () => {
    const income = await steps.incomeOf('other')
    const { orderId, sid } = await steps.placed()
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.data).toMatchObject({
      commandId: orderId,
    })
    expect(await steps.rowOf(orderId)).toMatchObject({ status: 3, pay_channel: 'manualStart' })
    expect(await steps.incomeOf('other')).toBe(income + 500)
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.message).toBe(
      'The device is in use',
    )
    await shop.acknowledge(sid, orderId, 'trouble')
    expect(await shop.statusOf(orderId)).toBe(3)
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.data).toMatchObject({
      commandId: `${orderId}-2`,
    })
    expect(await steps.incomeOf('other')).toBe(income + 500)
  })

  it.each(['is stopped by the customer', 'ends without a word'])(
    'that is acknowledged after it was given up runs like any other, and %s',
    async (how) => {
      const { orderId, sid, phone } = await steps.placed()
      await steps.asMerchant(`/api/orders/remote/${orderId}`)
      await shop.silence(orderId)
      expect(await shop.statusOf(orderId)).toBe(3)
      await shop.acknowledge(sid, orderId)
      expect(await shop.statusOf(orderId)).toBe(4)
      const command = () =>
        steps.first('select state, ended_at from device_commands where id = $1', [orderId])
      expect(await command()).toEqual({ state: 'accepted', ended_at: null })
      if (how === 'is stopped by the customer') {
        expect((await phone.press(orderId, 'stop')).data.stopping).toBe(true)
        await shop.end(sid, orderId, 100)
      } else {
        await shop.pool.query(
          `update device_commands set acknowledged_at = now() - interval '13 minutes' where id = $1`,
          [orderId],
        )
        await shop.pool.query(`select graphile_worker.add_job('devices:end-silent-runs', '{}')`)
        await shop.work()
      }
      expect(await command()).toEqual({ state: 'ended', ended_at: expect.any(Date) })
      expect(await steps.rowOf(orderId)).toMatchObject({ status: 3, finished_at: expect.any(Date) })
    },
  )

  it.each([
    [
      'offline',
      'update device_states set status = 2 where device_id = (select id from devices where sid = $1)',
      'The device is offline',
    ],
    [
      'in trouble',
      'update device_states set status = 3 where device_id = (select id from devices where sid = $1)',
      'The device is in trouble',
    ],
    ['locked', 'update devices set locked = 2 where sid = $1', 'The device is locked'],
    [
      'running',
      `update device_states set running_command_id = 'X', running_until = now() + interval '1 minute' where device_id = (select id from devices where sid = $1)`,
      'The device is in use',
    ],
  ])('of a chair that is %s is refused and books nothing', async (_, change, message) => {
    const { orderId, sid } = await steps.placed()
    await shop.pool.query(change, [sid])
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body).toMatchObject({
      resultCode: '105',
      message,
    })
    expect(await shop.statusOf(orderId)).toBe(1)
  })

  it('waits while somebody else is about to pay for the chair', async () => {
    const { orderId, sid, goodsId } = await steps.running()
    await shop.end(sid, orderId, 200)
    const other = shop.phone()
    const placed = await other.place(sid, goodsId)
    expect(placed.resultCode).toBe('000')
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.message).toBe(
      'The device is in use',
    )
    await other.press(placed.data.order.orderId, 'cancel')
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.resultCode).toBe('000')
  })

  it('delivers what is paid on a chair that sells nothing more, being unbound', async () => {
    const { orderId, sid } = await steps.running()
    await shop.end(sid, orderId, 200)
    await shop.pool.query('update devices set bound = false where sid = $1', [sid])
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.resultCode).toBe('000')
  })

  it('takes no cash for a chair that sells nothing more, being unbound', async () => {
    const { orderId, sid } = await steps.placed()
    await shop.pool.query('update devices set bound = false where sid = $1', [sid])
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.resultCode).toBe('105')
    expect(await shop.statusOf(orderId)).toBe(1)
  })

  it('does not reach a chair that went to another merchant', async () => {
    const { orderId, sid } = await steps.placed()
    await shop.pool.query('update devices set merchant_id = $2 where sid = $1', [sid, shop.otherMerchantId])
    expect((await steps.asMerchant(`/api/orders/remote/${orderId}`)).body.resultCode).toBe('105')
    expect(await steps.startsOf(orderId)).toHaveLength(0)
  })
})
