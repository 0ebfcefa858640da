import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction, openDatabase, type DatabasePool } from '../kit/database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import {
  transferOfPayment,
  transferOfRefund,
  transfersOfMemberRefund,
  transfersOfMemberSpend,
  transfersOfRecharge,
  type OrderMoney,
} from './order-transfers.ts'
import { BalanceTooLowError, postTransfers, type Posting } from './post-transfers.ts'
import { verifyLedger } from '../app/verify/verify-ledger.ts'

let testDatabase: TestDatabase
let database: DatabasePool
let merchants: number[]

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url)
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organisations (id, parent_id, kind, path, name)
     values (2001, 1, 'merchant', '1.2001', 'spa'), (2002, 1, 'merchant', '1.2002', 'gym') returning id`,
  )
  merchants = rows.map(({ id }) => id)
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

const [spa, gym] = [0, 1]
const orderTime = new Date('2026-05-05T05:05:05.005Z')
let orders = 0
/** Each call is another order. */
const orderOf = (merchant: number, channel: OrderMoney['channel'] = 'wechatPay'): OrderMoney => ({
  orderId: `KT260505050505005${String(++orders).padStart(4, '0')}`,
  orderTime,
  merchantId: merchants[merchant] ?? 0,
  channel,
  heldByPlatform: true,
})

async function balance(merchant: number, kind: string, memberId = 0): Promise<number> {
  const { rows } = await database.pool.query<{ cents: number }>(
    `select coalesce(sum(balance_cents), 0) as cents from ledger_accounts where merchant_id = $1 and kind = $2 and coalesce(member_id, 0) = $3`,
    [merchants[merchant], kind, memberId],
  )
  return rows[0]?.cents ?? 0
}

/** Claims of the verifier that don't hold; orders and rollups are not part of these books. */
const brokenClaims = async () => {
  const results = await verifyLedger(database.db)
  return results
    .filter(({ claim, differing }) => differing > 0 && !claim.startsWith('Each order holds'))
    .map(({ claim }) => claim)
}

const post = (...postings: Posting[]) => inTransaction(database.db, (trx) => postTransfers(trx, postings))
const paymentOf = (order: OrderMoney, amountCents: number) =>
  transferOfPayment(order, `${order.orderId}01`, amountCents)

describe('posting transfers', () => {
  it('books a cause once, however often and however many at a time say it', async () => {
    const before = await balance(spa, 'wechatBalance')
    const payment = paymentOf(orderOf(spa), 700)
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(payment)))
    expect(answers.filter(({ posted }) => posted === 1)).toHaveLength(1)
    expect(answers.filter(({ repeated }) => repeated === 1)).toHaveLength(49)
    expect(await balance(spa, 'wechatBalance')).toBe(before + 700)
  })

  it('books a cause that stands twice in one batch once', async () => {
    const before = await balance(spa, 'wechatBalance')
    const payment = paymentOf(orderOf(spa), 300)
    expect(await post(payment, payment, paymentOf(orderOf(spa), 5))).toEqual({ posted: 2, repeated: 1 })
    expect(await balance(spa, 'wechatBalance')).toBe(before + 305)
  })

  it('refuses a booked cause that comes with another amount or another account', async () => {
    const order = orderOf(spa)
    await post(paymentOf(order, 100))
    await expect(post(paymentOf(order, 101))).rejects.toThrow('other contents')
    await expect(post(paymentOf({ ...order, heldByPlatform: false }, 100))).rejects.toThrow('other contents')
    await expect(post(paymentOf({ ...order, merchantId: merchants[gym] ?? 0 }, 100))).rejects.toThrow(
      'other contents',
    )
  })

  it('keeps nothing of a transaction that fails', async () => {
    const before = await balance(spa, 'wechatBalance')
    const payment = paymentOf(orderOf(spa), 900)
    await expect(
      inTransaction(database.db, async (trx) => {
        await postTransfers(trx, [payment])
        throw new Error('the chair is gone')
      }),
    ).rejects.toThrow('the chair is gone')
    expect(await balance(spa, 'wechatBalance')).toBe(before)
    expect(await post(payment)).toEqual({ posted: 1, repeated: 0 })
  })

  it('lets no member spend more than there is, and books nothing of the batch that tries', async () => {
    const order = orderOf(spa, 'custAccount')
    await post(...transfersOfRecharge(orderOf(spa), { memberId: 7, cashCents: 500, giftCents: 100 }))
    await expect(
      post(
        paymentOf(orderOf(spa), 1),
        ...transfersOfMemberSpend(order, { memberId: 7, cashCents: 501, giftCents: 0 }),
      ),
    ).rejects.toThrow(BalanceTooLowError)
    expect([await balance(spa, 'memberCash', 7), await balance(spa, 'memberGift', 7)]).toEqual([500, 100])
    const spends = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        post(
          ...transfersOfMemberSpend(orderOf(spa, 'custAccount'), {
            memberId: 7,
            cashCents: 200,
            giftCents: 0,
          }),
        ),
      ),
    )
    expect(spends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await balance(spa, 'memberCash', 7)).toBe(100)
  })

  it('ends when many transactions take the accounts of two merchants in opposite orders', async () => {
    const before = [await balance(spa, 'alipayBalance'), await balance(gym, 'alipayBalance')]
    const pair = (first: number, second: number) => [
      paymentOf(orderOf(first, 'aliPay'), 10),
      paymentOf(orderOf(second, 'aliPay'), 10),
    ]
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => post(...(index % 2 ? pair(spa, gym) : pair(gym, spa)))),
    )
    expect(answers.every(({ posted }) => posted === 2)).toBe(true)
    expect([await balance(spa, 'alipayBalance'), await balance(gym, 'alipayBalance')]).toEqual([
      (before[0] ?? 0) + 600,
      (before[1] ?? 0) + 600,
    ])
  })

  it('lets nobody change or remove what is booked', async () => {
    await post(paymentOf(orderOf(spa), 50))
    for (const statement of [
      'update ledger_transfers set amount_cents = 1',
      'delete from ledger_transfers',
      'update ledger_entries set booked_at = now()',
      'delete from ledger_entries',
    ])
      await expect(database.pool.query(statement)).rejects.toThrow('append-only')
  })
})

/** A step of the model: who does what with how much; `pick` chooses among what there is. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('pay', 'refund', 'recharge', 'spend', 'giveBack', 'repeat'),
    merchant: fc.constantFrom(spa, gym),
    member: fc.integer({ min: 100, max: 102 }),
    cents: fc.integer({ min: 1, max: 2000 }),
    gift: fc.integer({ min: 0, max: 300 }),
    pick: fc.nat(),
  }),
  { maxLength: 25 },
)

describe('a book of random facts', () => {
  it('has the balances of a model that only adds and subtracts, and passes the verifier', async () => {
    const held = new Map<string, number>()
    const add = (name: string, cents: number) => held.set(name, (held.get(name) ?? 0) + cents)
    const paid: { order: OrderMoney; merchant: number; leftCents: number; refunds: number }[] = []
    const spent: {
      order: OrderMoney
      merchant: number
      memberId: number
      cashCents: number
      giftCents: number
    }[] = []
    const said: Posting[][] = []
    for (const [merchant] of merchants.entries())
      add(`${merchant} wechat`, await balance(merchant, 'wechatBalance'))

    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        for (const { kind, merchant, member, cents, gift, pick } of run) {
          const cashName = `${merchant} cash ${member}`
          const giftName = `${merchant} gift ${member}`
          const say = async (postings: Posting[]) => {
            if (postings.length > 0) expect(await post(...postings)).toMatchObject({ repeated: 0 })
            said.push(postings)
          }
          if (kind === 'pay') {
            const order = orderOf(merchant)
            await say([paymentOf(order, cents)])
            add(`${merchant} wechat`, cents)
            paid.push({ order, merchant, leftCents: cents, refunds: 0 })
          }
          if (kind === 'refund' && paid.length > 0) {
            const one = paid[pick % paid.length]
            if (!one || one.leftCents === 0) continue
            const amountCents = 1 + (cents % one.leftCents)
            await say([transferOfRefund(one.order, `TK${one.order.orderId}01R${++one.refunds}`, amountCents)])
            one.leftCents -= amountCents
            add(`${one.merchant} wechat`, -amountCents)
          }
          if (kind === 'recharge') {
            await say(
              transfersOfRecharge(orderOf(merchant), {
                memberId: member,
                cashCents: cents,
                giftCents: gift,
              }),
            )
            add(cashName, cents)
            add(giftName, gift)
          }
          if (kind === 'spend') {
            const [cash, gifts] = [held.get(cashName) ?? 0, held.get(giftName) ?? 0]
            const cashCents = Math.min(cash, cents)
            const parts = { memberId: member, cashCents, giftCents: cents - cashCents }
            const order = orderOf(merchant, 'custAccount')
            const spending = transfersOfMemberSpend(order, parts)
            if (cash + gifts < cents) {
              await expect(post(...spending)).rejects.toThrow(BalanceTooLowError)
              continue
            }
            await say(spending)
            add(cashName, -parts.cashCents)
            add(giftName, -parts.giftCents)
            spent.push({ order, merchant, ...parts })
          }
          if (kind === 'giveBack' && spent.length > 0) {
            const [one] = spent.splice(pick % spent.length, 1)
            if (!one) continue
            await say(transfersOfMemberRefund(one.order, `${one.order.orderId}:A`, one))
            add(`${one.merchant} cash ${one.memberId}`, one.cashCents)
            add(`${one.merchant} gift ${one.memberId}`, one.giftCents)
          }
          if (kind === 'repeat' && said.length > 0) {
            const again = said[pick % said.length] ?? []
            expect(await post(...again)).toEqual({ posted: 0, repeated: again.length })
          }
        }
        for (const merchant of [spa, gym]) {
          expect(await balance(merchant, 'wechatBalance')).toBe(held.get(`${merchant} wechat`))
          for (const member of [100, 101, 102]) {
            expect(await balance(merchant, 'memberCash', member)).toBe(
              held.get(`${merchant} cash ${member}`) ?? 0,
            )
            expect(await balance(merchant, 'memberGift', member)).toBe(
              held.get(`${merchant} gift ${member}`) ?? 0,
            )
          }
        }
      }),
      { numRuns: 25 },
    )
    expect(await brokenClaims()).toEqual([])
  })

  it('keeps the running balances of a batch of a hundred over the same accounts', async () => {
    const before = await balance(gym, 'wechatBalance')
    const batch = Array.from({ length: 50 }, (_, index) => {
      const order = orderOf(gym)
      return [
        paymentOf(order, 10 + index),
        transferOfRefund(order, `TK${order.orderId}01A`, index === 0 ? 10 : index),
      ]
    }).flat()
    expect(await post(...batch)).toEqual({ posted: 100, repeated: 0 })
    expect(await balance(gym, 'wechatBalance')).toBe(before + 49 * 10)
    expect(await brokenClaims()).toEqual([])
  })
})
