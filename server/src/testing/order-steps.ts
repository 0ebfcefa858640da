import { expect } from 'vitest'
import type { TestPhone, TestShop } from './test-shop.ts'
import { untilBlocked } from './until-blocked.ts'

/** Orders taken to a point of their life, and what tests look at in them. */
export function createOrderSteps(shop: TestShop, tokens: { merchant: string; admin: string }) {
  let chairs = 0
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

  const asMerchant = (path: string) => shop.call('PUT', path, { token: tokens.merchant })
  async function apply(orderId: string): Promise<number> {
    const { body } = await shop.call<{ id: number }>('PUT', `/api/orders/refund/${orderId}?remark=broken`, {
      token: tokens.merchant,
    })
    expect(body.resultCode).toBe('000')
    return body.data.id
  }
  const audit = (id: number, decision: 0 | 1 | 2, more: object = {}) =>
    shop.call<{ status: number }>('PUT', `/api/orders/auditrefund/${id}`, {
      token: tokens.admin,
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
    first<Record<string, number | string | Date | null>>('select * from orders where order_id = $1', [
      orderId,
    ])
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

  /** Does what waits for a chair that somebody holds, who changes it before it is let go. */
  async function changedMeanwhile<Result>(
    sid: string,
    change: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const holder = await shop.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select 1 from devices where sid = $1 for no key update', [sid])
      const working = work()
      await untilBlocked(shop.pool)
      await holder.query(change, [sid])
      await holder.query('commit')
      return await working
    } finally {
      holder.release()
    }
  }

  return {
    newChair,
    placed,
    paid,
    running,
    finished,
    asMerchant,
    apply,
    audit,
    first,
    stockOf,
    rowOf,
    startsOf,
    incomeOf,
    balanceOf,
    changedMeanwhile,
  }
}

export type OrderSteps = ReturnType<typeof createOrderSteps>
