import { RefusedError } from '../../kit/call.ts'
import type { Envelope } from '@chairside/contract'
import type { JobKind } from '../../kit/jobs.ts'
import { customerOf, type Customer } from '../../members/customers.ts'
import { transfersOfRecharge } from '../../money/order-transfers.ts'
import { postTransfers } from '../../money/post-transfers.ts'
import { chairEventJobs } from '../../orders/chair-events.ts'
import { testTimeZone } from '../test-server.ts'
import { startTestShop, type TestShop } from '../test-shop.ts'
import type { Model, ModelOrder } from './model.ts'

export const price = 500
export const boughtSeconds = 600
export const settings = { timeZone: testTimeZone, paymentWindowSeconds: 300 }

const startStock = 8
const cash = 2200
const gift = 900

type Asked = Envelope<{ id: number; status: number; commandId: string }>

/** What the commands of the model work on: a real shop with three chairs, three customers and a member. */
export interface OrderWorld {
  shop: TestShop
  sids: string[]
  deviceIds: number[]
  customers: Customer[]
  memberId: number
  limitedGoods: number
  freeGoods: number
  tokens: { merchant: string; admin: string }
  /** Given back from the till. */
  offlineCents: number
  /** Everything anew but the merchant; what is in the ledger stays there. */
  begin(): Promise<Model>
  memberBalance(): Promise<{ cash: number; gift: number }>
  /** Balances of the ledger by account, and income by kind. */
  books(): Promise<Record<string, number>>
  runJob(kind: JobKind, payload: unknown): Promise<unknown> | undefined
  asked(path: string, token: string, body?: object): Promise<Asked>
}

export type Command = (model: Model) => Promise<void>

export const refusalOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal
    throw error
  }
}

/** Commands on one of the orders there are. */
export const onOrder =
  (pick: number, command: (order: ModelOrder, model: Model) => Promise<void>): Command =>
  async (model) => {
    const order = model.orders[pick % Math.max(1, model.orders.length)]
    if (order) await command(order, model)
  }

export async function startOrderWorld(): Promise<OrderWorld> {
  const shop = await startTestShop()
  const tokens = { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') }
  const { rows } = await shop.pool.query<{ id: number }>(
    `insert into members (merchant_id, mobile, name) values ($1, '13800000000', 'A member') returning id`,
    [shop.merchantId],
  )

  let worlds = 0
  const world: OrderWorld = {
    shop,
    sids: [],
    deviceIds: [],
    customers: [],
    memberId: rows[0]?.id ?? 0,
    limitedGoods: 0,
    freeGoods: 0,
    tokens,
    offlineCents: 0,
    async begin() {
      worlds++
      world.offlineCents = 0
      world.sids = [0, 1, 2].map((index) => `K${worlds}X${index}`)
      world.deviceIds = []
      for (const sid of world.sids) world.deviceIds.push(await shop.addChair(sid))
      world.customers = await Promise.all([0, 1, 2].map((index) => customerOf(shop.db, `${worlds}-${index}`)))
      world.limitedGoods = await shop.addGoods({
        name: 'limited',
        priceCents: price,
        minutes: 10,
        stock: startStock,
      })
      world.freeGoods = await shop.addGoods({ name: 'free', priceCents: 0, minutes: 10 })
      const recharge = {
        orderId: `CZ26112100000000${String(worlds).padStart(5, '0')}`,
        orderTime: new Date(),
        merchantId: shop.merchantId,
        channel: 'wechatPay',
        heldByPlatform: true,
      } as const
      await postTransfers(
        shop.db,
        transfersOfRecharge(recharge, { memberId: world.memberId, cashCents: cash, giftCents: gift }),
      )
      const member = await world.memberBalance()
      return { orders: [], stock: startStock, member, before: await world.books() }
    },
    async memberBalance() {
      const { rows } = await shop.pool.query<{ kind: string; balance_cents: number }>(
        'select kind, balance_cents from ledger_accounts where member_id = $1',
        [world.memberId],
      )
      const of = (kind: string) => rows.find((row) => row.kind === kind)?.balance_cents ?? 0
      return { cash: of('memberCash'), gift: of('memberGift') }
    },
    async books() {
      const { rows } = await shop.pool.query<{ name: string; cents: number }>(
        `select kind || channel as name, sum(balance_cents) as cents from ledger_accounts group by 1
     union all select 'income ' || kind, sum(amount_cents) from income_deltas group by 1`,
      )
      return Object.fromEntries(rows.map(({ name, cents }) => [name, cents]))
    },
    runJob: (kind, payload) =>
      chairEventJobs
        .find((job) => job.kind.name === kind.name)
        ?.work({ db: shop.db, log: shop.payments.log }, payload),
    asked: async (path, token, body = {}) =>
      (await shop.call<Asked['data']>('PUT', path, { token, body })).body,
  }
  return world
}
