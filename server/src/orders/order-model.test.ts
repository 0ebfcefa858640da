import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeAcknowledgement, storeEnd } from '../devices/command-answers.ts'
import { chairEnded, commandAcknowledged, commandTimedOut } from '../devices/command-events.ts'
import { requestStop } from '../devices/device-commands.ts'
import { RefusedError } from '../kit/call.ts'
import { inTransaction, sql } from '../kit/database.ts'
import type { JobKind } from '../kit/jobs.ts'
import { customerOf, type Customer } from '../members/customers.ts'
import { transfersOfRecharge } from '../money/order-transfers.ts'
import { postTransfers } from '../money/post-transfers.ts'
import { settleLearnt } from '../payments/learn-payment.ts'
import { storeEnd as storePaymentEnd } from '../payments/payments-sql.ts'
import { learnRefund } from '../payments/provider-refunds.ts'
import {
  isTaken,
  liveStart,
  spentOf,
  memberParts,
  giveToMember,
  newOrder,
  chairFailed,
  type ModelOrder,
  type Model,
} from '../testing/order-model.ts'
import { startTestShop, type TestShop } from '../testing/test-shop.ts'
import { testTimeZone } from '../testing/test-server.ts'
import { chairEventJobs } from './chair-events.ts'
import { placeMemberOrder } from './place-member-order.ts'
import { placeOrder } from './place-order.ts'
import { paymentOutcomes } from './settle-payment.ts'

/*
 * Random commands against the real order domain, and against a model that is nothing but a few fields and rules. After
 * each command the answer, and at the end of each run every status and every cent, must be the model's.
 */

const price = 500
const boughtSeconds = 600
const settings = { timeZone: testTimeZone, paymentWindowSeconds: 300 }

let shop: TestShop
let sids: string[]
let deviceIds: number[]
let customers: Customer[]
let memberId: number
let limitedGoods: number
let freeGoods: number
let tokens: { merchant: string; admin: string }
let commandsRun = 0

const startStock = 8
const cash = 2200
const gift = 900

beforeAll(async () => {
  shop = await startTestShop()
  tokens = { merchant: await shop.signIn('spa'), admin: await shop.signIn('admin') }
  const { rows } = await shop.pool.query<{ id: number }>(
    `insert into members (merchant_id, mobile, name) values ($1, '13800000000', 'A member') returning id`,
    [shop.merchantId],
  )
  memberId = rows[0]?.id ?? 0
})
afterAll(async () => {
  await shop.stop()
})

let world = 0
/** Everything anew but the merchant; what is in the ledger stays there. */
async function newWorld(): Promise<Model> {
  world++
  sids = [0, 1, 2].map((index) => `K${world}X${index}`)
  deviceIds = []
  for (const sid of sids) deviceIds.push(await shop.addChair(sid))
  customers = await Promise.all([0, 1, 2].map((index) => customerOf(shop.db, `${world}-${index}`)))
  limitedGoods = await shop.addGoods({ name: 'limited', priceCents: price, minutes: 10, stock: startStock })
  freeGoods = await shop.addGoods({ name: 'free', priceCents: 0, minutes: 10 })
  const recharge = {
    orderId: `CZ26112100000000${String(world).padStart(5, '0')}`,
    orderTime: new Date(),
    merchantId: shop.merchantId,
    channel: 'wechatPay',
    heldByPlatform: true,
  } as const
  await postTransfers(shop.db, transfersOfRecharge(recharge, { memberId, cashCents: cash, giftCents: gift }))
  const member = await memberBalance()
  return { orders: [], stock: startStock, member, before: await books() }
}

async function memberBalance(): Promise<{ cash: number; gift: number }> {
  const { rows } = await shop.pool.query<{ kind: string; balance_cents: number }>(
    'select kind, balance_cents from ledger_accounts where member_id = $1',
    [memberId],
  )
  const of = (kind: string) => rows.find((row) => row.kind === kind)?.balance_cents ?? 0
  return { cash: of('memberCash'), gift: of('memberGift') }
}

/** Balances of the ledger by account, and income by kind. */
async function books(): Promise<Record<string, number>> {
  const { rows } = await shop.pool.query<{ name: string; cents: number }>(
    `select kind || channel as name, sum(balance_cents) as cents from ledger_accounts group by 1
     union all select 'income ' || kind, sum(amount_cents) from income_deltas group by 1`,
  )
  return Object.fromEntries(rows.map(({ name, cents }) => [name, cents]))
}

const runJob = (kind: JobKind, payload: unknown) =>
  chairEventJobs
    .find((job) => job.kind.name === kind.name)
    ?.work({ db: shop.db, log: shop.payments.log }, payload)

const asked = async (path: string, token: string, body: object = {}) =>
  (await shop.call<{ id: number; status: number; commandId: string }>('PUT', path, { token, body })).body

type Command = (model: Model) => Promise<void>

const refusalOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal
    throw error
  }
}

let requestKeys = 0

const place =
  (chair: number, customer: number, kind: number): Command =>
  async (model) => {
    const isFree = kind === 0
    let placedId = ''
    const placing = inTransaction(shop.db, async (trx) => {
      const placed = await placeOrder(
        trx,
        customers[customer] as Customer,
        {
          deviceId: sids[chair] ?? '',
          goodsId: isFree ? freeGoods : limitedGoods,
          payWay: 'native',
          requestKey: `key ${++requestKeys}`,
        },
        new Date(),
        settings,
      )
      placedId = placed.orderId
    })
    const refusal = await refusalOf(placing)
    if (isTaken(model, chair, customer)) return void expect(refusal).toBe('deviceBusy')
    const earlier = model.orders.find((o) => o.status === '1' && o.chair === chair && o.customer === customer)
    const stock = model.stock + (earlier?.fee ? 1 : 0)
    if (!isFree && stock === 0) return void expect(refusal).toBe('goodsSoldOut')
    expect(refusal).toBeUndefined()
    if (earlier) {
      earlier.status = '2'
      model.stock = stock
    }
    const order = newOrder(placedId, chair, customer, isFree ? 0 : price)
    if (isFree) Object.assign(order, { status: '3', starts: [{ id: placedId, state: 'live' }] })
    else {
      order.payment = 'open'
      model.stock--
    }
    model.orders.push(order)
  }

const placeAsMember =
  (chair: number): Command =>
  async (model) => {
    let placedId = ''
    const wanted = {
      memberId,
      deviceId: sids[chair] ?? '',
      goodsId: limitedGoods,
      requestKey: `key ${++requestKeys}`,
    }
    const refusal = await refusalOf(
      inTransaction(shop.db, async (trx) => {
        placedId = (await placeMemberOrder(trx, wanted, new Date(), settings)).orderId
      }),
    )
    if (isTaken(model, chair, 'member')) return void expect(refusal).toBe('deviceBusy')
    if (model.stock === 0) return void expect(refusal).toBe('goodsSoldOut')
    if (model.member.cash + model.member.gift < price) return void expect(refusal).toBe('balanceTooLow')
    expect(refusal).toBeUndefined()
    const spent = spentOf(model, price)
    memberParts.set(placedId, spent)
    model.member.cash -= spent.cash
    model.member.gift -= spent.gift
    model.stock--
    const order = newOrder(placedId, chair, 'member', price)
    Object.assign(order, { status: '3', paidBy: 'member', starts: [{ id: placedId, state: 'live' }] })
    model.orders.push(order)
  }

/** Commands on one of the orders there are. */
const onOrder =
  (pick: number, command: (order: ModelOrder, model: Model) => Promise<void>): Command =>
  async (model) => {
    const order = model.orders[pick % Math.max(1, model.orders.length)]
    if (order) await command(order, model)
  }

const pay = (pick: number, times: number) =>
  onOrder(pick, async (order) => {
    if (order.payment === 'none') return
    const learnt = {
      outTradeNo: `${order.id}01`,
      transactionId: `T${order.id}`,
      amountCents: price,
      payerId: null,
      paidAt: new Date(),
      channelId: shop.channelId,
      learntBy: 'notice' as const,
    }
    for (let time = 0; time < times; time++) await settleLearnt(shop.db, paymentOutcomes, [learnt])
    if (order.payment === 'paid') return
    order.payment = 'paid'
    if (order.status === '1') {
      Object.assign(order, { status: '3', paidBy: 'provider', starts: [{ id: order.id, state: 'live' }] })
    } else if (order.status === '2') {
      Object.assign(order, { status: '7', paidBy: 'provider', back: 'under way', backCents: price })
    } else Object.assign(order, { isSurplus: true, back: 'under way', backCents: price })
  })

const closePayment = (pick: number) =>
  onOrder(pick, async (order, model) => {
    await inTransaction(shop.db, async (trx) => {
      if (await storePaymentEnd(trx, `${order.id}01`, 'closed'))
        await paymentOutcomes.settleClosed(trx, { outTradeNo: `${order.id}01`, orderId: order.id })
    })
    if (order.payment !== 'open') return
    order.payment = 'ended'
    if (order.status !== '1') return
    order.status = '2'
    model.stock++
  })

const acknowledge = (pick: number, reason: '' | 'busy', times: number) =>
  onOrder(pick, async (order, model) => {
    // Also one that was given up before.
    const start = order.starts.at(-1)
    if (!start) return
    const event = {
      commandId: start.id,
      orderId: order.id,
      kind: 'start',
      accepted: reason === '',
      reason,
      at: new Date().toISOString(),
    }
    if (start.state !== 'live' && !(start.state === 'dead' && reason === '' && order.status === '8')) return
    const { commandId, accepted } = event
    await storeAcknowledgement(shop.db, {
      sid: sids[order.chair] ?? '',
      commandId,
      accepted,
      reason,
      at: new Date(),
    })
    for (let time = 0; time < times; time++) await runJob(commandAcknowledged, event)
    // One that came too late is stopped and changes nothing.
    if (start.state === 'dead') return
    if (!accepted) return chairFailed(order, start, model)
    start.state = 'accepted'
    if (order.status === '7' || order.status === '8') {
      order.wasStopped ||= !order.isRunning
      return
    }
    order.hasRun = true
    order.isRunning = true
    if (order.status === '3') order.status = '4'
  })

const timeOut = (pick: number) =>
  onOrder(pick, async (order, model) => {
    const start = liveStart(order)
    if (!start) return
    await sql`update device_commands set state = 'timedOut' where id = ${start.id}`.execute(shop.db)
    await runJob(commandTimedOut, {
      commandId: start.id,
      orderId: order.id,
      kind: 'start',
      at: new Date().toISOString(),
    })
    chairFailed(order, start, model)
  })

const stopChair = (pick: number) =>
  onOrder(pick, async (order) => {
    const start = order.starts.find(({ state }) => state === 'accepted')
    if (!start) return
    const stop = { commandId: `${start.id}-S1`, orderId: order.id, stops: start.id, requestedBy: 'customer' }
    await requestStop(shop.db, { ...stop, deviceId: deviceIds[order.chair] ?? 0 })
    order.wasStopped = true
  })

const endRun = (pick: number, seconds: number, times: number) =>
  onOrder(pick, async (order) => {
    const start = order.starts.find(({ state }) => state === 'accepted')
    if (!start) return
    const delivered = Math.min(seconds, boughtSeconds - order.delivered)
    const at = new Date()
    await storeEnd(shop.db, {
      sid: sids[order.chair] ?? '',
      commandId: start.id,
      deliveredSeconds: delivered,
      at,
    })
    const event = {
      commandId: start.id,
      orderId: order.id,
      deliveredSeconds: delivered,
      at: at.toISOString(),
    }
    for (let time = 0; time < times; time++) await runJob(chairEnded, event)
    start.state = 'ended'
    order.hasRun = true
    order.isRunning = false
    order.delivered += delivered
    order.isFinished ||= order.wasStopped || order.delivered >= boughtSeconds - 30
    if (order.status === '4') order.status = '3'
  })

const apply = (pick: number) =>
  onOrder(pick, async (order) => {
    const body = await asked(`/api/orders/refund/${order.id}`, tokens.merchant)
    if (!['3', '4'].includes(order.status) || order.fee === 0) return void expect(body.resultCode).toBe('105')
    expect(body.resultCode).toBe('000')
    order.status = '5'
    order.refund = { id: body.data.id, status: 5, price: order.fee }
  })

const audit = (pick: number, decision: 0 | 1 | 2, wanted: number | undefined) =>
  onOrder(pick, async (order, model) => {
    const { refund } = order
    if (!refund) return
    const body = await asked(`/api/orders/auditrefund/${refund.id}`, tokens.admin, {
      audit: decision,
      remark: 'seen',
      ...(wanted === undefined ? {} : { price: wanted }),
    })
    if (refund.status !== 5) return void expect(body.resultCode).toBe('105')
    if (decision === 0) {
      expect(body.data.status).toBe(2)
      refund.status = 2
      order.status = '6'
      return
    }
    const cents = wanted ?? refund.price
    const byHand = order.paidBy === 'member' ? (memberParts.get(order.id)?.cash ?? 0) : order.fee
    if (cents > (decision === 2 ? byHand : order.fee)) return void expect(body.message).toMatch(/More than/)
    if (decision === 1 && order.paidBy === 'manual')
      return void expect(body.message).toMatch(/only be refunded offline/)
    expect(body.resultCode).toBe('000')
    refund.price = cents
    if (decision === 1 && order.paidBy === 'provider') {
      refund.status = 6
      Object.assign(order, { status: '7', back: 'under way', backCents: cents })
      return
    }
    refund.status = decision === 2 ? 3 : 1
    order.status = '8'
    order.refunded = cents
    if (decision === 1) giveToMember(model, order, cents)
    else offline += cents
  })
/** Given back from the till in this world. */
let offline = 0

const providerAnswers = (pick: number, succeeded: boolean, times: number) =>
  onOrder(pick, async (order) => {
    const { rows } = await sql<{ outRefundNo: string; cents: number }>`
      select out_refund_no as "outRefundNo", amount_cents as cents from provider_refunds where order_id = ${order.id}`.execute(
      shop.db,
    )
    expect(rows).toHaveLength(order.back === 'none' ? 0 : 1)
    const [asking] = rows
    if (!asking) return
    expect(asking.cents).toBe(order.backCents)
    const told = {
      state: succeeded ? 'succeeded' : 'failed',
      outRefundNo: asking.outRefundNo,
      providerRefundId: 'P',
      refundCents: asking.cents,
      reason: succeeded ? '' : 'NOT_ENOUGH',
    } as const
    for (let time = 0; time < times; time++) await learnRefund(shop.payments, told, shop.channelId)
    if (order.back === 'done' || (order.back === 'failed' && !succeeded)) return
    order.back = succeeded ? 'done' : 'failed'
    if (order.isSurplus) return
    order.status = succeeded ? '8' : '9'
    if (succeeded) order.refunded = order.backCents
    if (order.refund) order.refund.status = succeeded ? 1 : 0
  })

const endFailed = (pick: number) =>
  onOrder(pick, async (order) => {
    if (!order.refund) return
    const body = await asked(`/api/orders/endfailedrefund/${order.refund.id}`, tokens.admin)
    expect(body.resultCode).toBe(order.refund.status === 0 ? '000' : '105')
    if (order.refund.status === 0) order.refund.status = 4
  })

const remoteStart = (pick: number) =>
  onOrder(pick, async (order, model) => {
    const body = await asked(`/api/orders/remote/${order.id}`, tokens.merchant)
    if (['2', '5', '7', '8'].includes(order.status)) return void expect(body.resultCode).toBe('105')
    if (order.isFinished) return void expect(body.message).toMatch(/delivered in full/)
    const isBusy = model.orders.some((other) => other.chair === order.chair && liveStart(other))
    if (isBusy) return void expect(body.message).toMatch(/in use/)
    expect(body.resultCode).toBe('000')
    if (order.status === '1') Object.assign(order, { status: '3', paidBy: 'manual' })
    const number = order.starts.length + 1
    const id = number === 1 ? order.id : `${order.id}-${number}`
    expect(body.data.commandId).toBe(id)
    // The run before it is over, though nobody said so.
    for (const start of order.starts) if (start.state === 'accepted') start.state = 'ended'
    order.starts.push({ id, state: 'live' })
  })

const picks = fc.nat({ max: 30 })
const chairs = fc.integer({ min: 0, max: 2 })
const times = fc.constantFrom(1, 1, 2)

/** A command with its words, for the story of a failure. */
const step =
  <Of extends unknown[]>(name: string, make: (...of: Of) => Command) =>
  (of: Of) => ({ run: make(...of), [fc.toStringMethod]: () => `${name}(${of.join(', ')})` })

const decisions = fc.constantFrom<(0 | 1 | 2)[]>(0, 1, 1, 2)
const reasons = fc.constantFrom<('' | 'busy')[]>('', '', '', 'busy')
const prices = fc.constantFrom(undefined, undefined, 1, 499, 500, 501)
const seconds = fc.constantFrom(600, 600, 569, 570, 100)

const commands = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(chairs, chairs, fc.nat({ max: 3 })).map(step('place', place)) },
  { weight: 2, arbitrary: fc.tuple(chairs).map(step('placeAsMember', placeAsMember)) },
  { weight: 7, arbitrary: fc.tuple(picks, times).map(step('pay', pay)) },
  { weight: 2, arbitrary: fc.tuple(picks).map(step('closePayment', closePayment)) },
  { weight: 8, arbitrary: fc.tuple(picks, reasons, times).map(step('acknowledge', acknowledge)) },
  { weight: 2, arbitrary: fc.tuple(picks).map(step('timeOut', timeOut)) },
  { weight: 1, arbitrary: fc.tuple(picks).map(step('stopChair', stopChair)) },
  { weight: 6, arbitrary: fc.tuple(picks, seconds, times).map(step('endRun', endRun)) },
  { weight: 4, arbitrary: fc.tuple(picks).map(step('apply', apply)) },
  { weight: 5, arbitrary: fc.tuple(picks, decisions, prices).map(step('audit', audit)) },
  {
    weight: 5,
    arbitrary: fc.tuple(picks, fc.boolean(), times).map(step('providerAnswers', providerAnswers)),
  },
  { weight: 1, arbitrary: fc.tuple(picks).map(step('endFailed', endFailed)) },
  { weight: 3, arbitrary: fc.tuple(picks).map(step('remoteStart', remoteStart)) },
)

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
      from orders where order_id = any(${ids}) order by order_id`.execute(shop.db)
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
    shop.db,
  )
  const refundsWanted = model.orders.flatMap(({ refund }) => (refund ? [refund] : []))
  expect(refunds.rows.toSorted((a, b) => a.id - b.id)).toEqual(refundsWanted.toSorted((a, b) => a.id - b.id))
  const stock = await sql<{ stock: number }>`select stock from goods where id = ${limitedGoods}`.execute(
    shop.db,
  )
  expect(stock.rows[0]?.stock).toBe(model.stock)
  expect(await memberBalance()).toEqual(model.member)
  await compareBooks(model)
}

async function compareBooks({ orders, before }: Model): Promise<void> {
  const now = await books()
  const change = (name: string) => (now[name] ?? 0) - (before[name] ?? 0)
  const sum = (of: (order: ModelOrder) => number) => orders.reduce((total, order) => total + of(order), 0)
  const isProviders = (order: ModelOrder) => order.paidBy === 'provider'
  const byProvider = sum((order) => (order.payment === 'paid' ? price : 0))
  const backByProvider = sum((order) => (order.back === 'done' ? order.backCents : 0))
  const byHand = sum((order) => (order.paidBy === 'manual' ? order.fee : 0))
  expect(change('wechatBalance')).toBe(byProvider - backByProvider)
  expect(change('outsidewechatPay')).toBe(backByProvider - byProvider)
  expect(change('merchantBalance')).toBe(byHand - offline)
  expect(change('outsidemanualStart')).toBe(offline - byHand)
  const net = (whose: (order: ModelOrder) => boolean) =>
    sum((order) => (whose(order) ? order.fee - order.refunded : 0))
  expect(change('income wechat')).toBe(net(isProviders))
  expect(change('income other')).toBe(net(({ paidBy }) => paidBy === 'manual'))
  expect(change('income member')).toBe(net(({ paidBy }) => paidBy === 'member'))
}

it('keeps every order and every cent as a simple model has it, whatever happens in which order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 90, maxLength: 110, size: 'max' }), async (run) => {
      const model = await newWorld()
      offline = 0
      for (const command of run) {
        commandsRun++
        await command.run(model)
      }
      await compare(model)
    }),
    {
      numRuns: 36,
      endOnFailure: true,
      ...(process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {}),
    },
  )
  expect(commandsRun).toBeGreaterThan(3000)
}, 120_000)
