import type { DataOf, reportOrderDays } from '@chairside/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../kit/database.ts'
import { commandsOf } from '../testing/order-model/commands.ts'
import type { Model, ModelOrder } from '../testing/order-model/model.ts'
import { price, startOrderWorld, type OrderWorld } from '../testing/order-model/world.ts'

/*
 * Random commands against the real order domain, and against a model that is nothing but a few fields and rules. After
 * each command the answer, and at the end of each run every status and every cent, must be the model's.
 */

let world: OrderWorld
let commandsRun = 0
beforeAll(async () => {
  world = await startOrderWorld()
})
afterAll(() => world.shop.stop())

async function compare(model: Model): Promise<void> {
  const ids = model.orders.map(({ id }) => id)
  const { rows } = await sql<{
    id: string
    status: string
    refunded: number
    delivered: number
    isFinished: boolean
  }>`
    select order_id as id, status::text, refunded_cents as refunded, delivered_seconds as delivered, finished_at is not null as "isFinished"
      from orders where order_id = any(${ids}) order by order_id`.execute(world.shop.db)
  const shown = ({
    id,
    status,
    refunded,
    delivered,
    isFinished,
  }: Pick<ModelOrder, 'id' | 'refunded' | 'delivered' | 'isFinished'> & { status: string }) =>
    `${id} ${status} refunded ${refunded} delivered ${delivered} ${isFinished}`
  expect(rows.map(shown)).toEqual(model.orders.map(shown).toSorted())
  const refunds = await sql<{ id: number; status: number; price: number }>`
    select id, status, price_cents as price from refunds where order_id = any(${ids}) and created_by <> 'system'`.execute(
    world.shop.db,
  )
  const refundsWanted = model.orders.flatMap(({ refund }) => (refund ? [refund] : []))
  expect(refunds.rows.toSorted((a, b) => a.id - b.id)).toEqual(refundsWanted.toSorted((a, b) => a.id - b.id))
  const stock = await sql<{
    stock: number
  }>`select stock from goods where id = ${world.limitedGoods}`.execute(world.shop.db)
  expect(stock.rows[0]?.stock).toBe(model.stock)
  expect(await world.memberBalance()).toEqual(model.member)
  await compareBooks(model)
}

async function compareBooks({ orders, before }: Model): Promise<void> {
  const now = await world.books()
  const change = (name: string) => (now[name] ?? 0) - (before[name] ?? 0)
  const sum = (of: (order: ModelOrder) => number) => orders.reduce((total, order) => total + of(order), 0)
  const isProviders = (order: ModelOrder) => order.paidBy === 'provider'
  const byProvider = sum((order) => (order.payment === 'paid' ? price : 0))
  const backByProvider = sum((order) => (order.back === 'done' ? order.backCents : 0))
  const byHand = sum((order) => (order.paidBy === 'manual' ? order.fee : 0))
  expect(change('wechatBalance')).toBe(byProvider - backByProvider)
  expect(change('outsidewechatPay')).toBe(backByProvider - byProvider)
  expect(change('merchantBalance')).toBe(byHand - world.offlineCents)
  expect(change('outsidemanualStart')).toBe(world.offlineCents - byHand)
  const net = (whose: (order: ModelOrder) => boolean) =>
    sum((order) => (whose(order) ? order.fee - order.refunded : 0))
  expect(change('income wechat')).toBe(net(isProviders))
  expect(change('income other')).toBe(net(({ paidBy }) => paidBy === 'manual'))
  expect(change('income member')).toBe(net(({ paidBy }) => paidBy === 'member'))
  await compareLines()
}

/** What the income of today sums up, line by line, is that income. */
async function compareLines(): Promise<void> {
  const { shop, tokens } = world
  const token = tokens.merchant
  const path = '/api/accounting/merchantdays/day'
  const report = await shop.call<DataOf<typeof reportOrderDays>>('GET', `${path}?datetype=2`, { token })
  const { startDate: day, total } = report.body.data
  const lines = await shop.call<number>('GET', `${path}/lines/sum?day=${day}`, { token })
  expect(lines.body.data).toBe(total.totalIncome)
}

it('keeps every order and every cent as a simple model has it, whatever happens in which order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(commandsOf(world), { minLength: 90, maxLength: 110, size: 'max' }),
      async (run) => {
        const model = await world.begin()
        for (const command of run) {
          commandsRun++
          await command.run(model)
        }
        await compare(model)
      },
    ),
    {
      numRuns: 36,
      endOnFailure: true,
      ...(process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {}),
    },
  )
  expect(commandsRun).toBeGreaterThan(3000)
})
