import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createOrderSteps, type OrderSteps } from '../testing/order-steps.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'

/* What the model of a chair says of it, on the customer's page and for orders. */

let shop: TestShop
let steps: OrderSteps

beforeAll(async () => {
  shop = await startTestShop()
  const tokens = { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') }
  steps = createOrderSteps(shop, tokens)
})
afterAll(() => shop.stop())
afterEach(() => shop.pool.query('update device_models set reset_seconds = 0, controllable = true'))

const stateOf = async (sid: string) => (await shop.phone().page<{ state: string }>(sid)).data.state

describe('a chair that goes back to its beginning after a run', () => {
  const resetFor = (seconds: number) =>
    shop.pool.query('update device_models set reset_seconds = $1', [seconds])
  const passed = (seconds: number) =>
    shop.pool.query(
      `update device_commands set acknowledged_at = acknowledged_at - make_interval(secs => $1), ended_at = ended_at - make_interval(secs => $1)`,
      [seconds],
    )

  it('is not sold for as long as its model says, and then again', async () => {
    await resetFor(600)
    const { orderId, sid } = await steps.running()
    await shop.end(sid, orderId, 600)
    expect(await steps.rowOf(orderId)).toMatchObject({ finished_at: expect.any(Date) })
    expect(await stateOf(sid)).toBe('busy')
    const goodsId = await shop.addGoods({ name: 'once more' })
    expect((await shop.phone().place(sid, goodsId)).message).toBe('The device is in use')
    await passed(540)
    expect(await stateOf(sid)).toBe('busy')
    await passed(60)
    expect(await stateOf(sid)).toBe('ready')
  })

  it('is not started for the rest of an order either', async () => {
    const { orderId, sid } = await steps.running()
    await shop.end(sid, orderId, 200)
    await resetFor(60)
    const remote = () => steps.asMerchant(`/api/orders/remote/${orderId}`)
    expect((await remote()).body.message).toBe(
      'The chair is returning to its starting position after a run; try again in a moment',
    )
    await passed(60)
    expect((await remote()).body.resultCode).toBe('000')
  })

  it('counts from the time that was bought when it did not tell its end', async () => {
    await resetFor(600)
    const { orderId, sid } = await steps.running()
    await shop.pool.query(`update orders set finished_at = now(), status = 3 where order_id = $1`, [orderId])
    await passed(10 * 60 + 540)
    expect(await stateOf(sid)).toBe('busy')
    await passed(60)
    expect(await stateOf(sid)).toBe('ready')
  })

  it('that was refused by the board had no run to go back from', async () => {
    await resetFor(60)
    const { orderId, sid } = await steps.paid()
    await shop.acknowledge(sid, orderId, 'busy')
    expect(await stateOf(sid)).toBe('ready')
  })
})

describe('a chair whose model cannot be stopped', () => {
  it('is not offered to be stopped, and says so to who asks all the same', async () => {
    const { orderId, phone } = await steps.running()
    expect((await phone.order(orderId)).data.stoppable).toBe(true)
    await shop.pool.query('update device_models set controllable = false')
    expect((await phone.order(orderId)).data).toMatchObject({ phase: 'running', stoppable: false })
    expect(await phone.press(orderId, 'stop')).toMatchObject({
      resultCode: '105',
      message: 'Chairs of this model cannot be stopped before their time',
    })
    const { rows } = await shop.pool.query(
      `select 1 from device_commands where order_id = $1 and kind = 'stop'`,
      [orderId],
    )
    expect(rows).toEqual([])
  })
})
