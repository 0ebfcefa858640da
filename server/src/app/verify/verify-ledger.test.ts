import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction, openDatabase, type DatabasePool } from '../../kit/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { recordIncome } from '../../money/income.ts'
import { transferOfPayment, transferOfRefund, transfersOfRecharge } from '../../money/order-transfers.ts'
import { postTransfers } from '../../money/post-transfers.ts'
import { verifyLedger } from './verify-ledger.ts'

let testDatabase: TestDatabase
let database: DatabasePool
const spa = 2002
const dayMs = 86_400_000

/** Twelve paid orders of a merchant below an agent, every third refunded in part; the first half is folded. */
async function addBook(): Promise<void> {
  const { db, pool } = database
  await pool.query(`insert into organisations (id, parent_id, kind, path, name)
    values (2001, 1, 'agent', '1.2001', 'north'), (2002, 2001, 'merchant', '1.2001.2002', 'spa')`)
  await pool.query(`insert into places (id, merchant_id, address) values (31, 2002, 'hall')`)
  for (let index = 0; index < 12; index++) {
    const orderTime = new Date(Date.UTC(2026, 4, 31, 14, 50) + index * (dayMs / 24))
    const orderId = `KT${orderTime.toISOString().replace(/\D/g, '').slice(2, 17)}0001`
    const refundedCents = index % 3 === 0 ? 40 : 0
    await inTransaction(db, async (trx) => {
      await pool.query(
        `insert into orders (order_id, order_time, merchant_id, place_id, fee_cents, refunded_cents, status, pay_channel, paid_at)
         values ($1, $2, $3, 31, 500, $4, $5, 'wechatPay', $2)`,
        [orderId, orderTime, spa, refundedCents, refundedCents ? 8 : 3],
      )
      const order = {
        orderId,
        orderTime,
        merchantId: spa,
        channel: 'wechatPay',
        heldByPlatform: true,
      } as const
      const income = { merchantId: spa, placeId: 31, deviceId: null, kind: 'wechat' } as const
      await postTransfers(trx, [transferOfPayment(order, `${orderId}01`, 500)])
      await recordIncome(trx, [{ ...income, at: orderTime, amountCents: 500, count: 1 }])
      if (refundedCents === 0) return
      await postTransfers(trx, [transferOfRefund(order, `TK${orderId}01A`, refundedCents)])
      await recordIncome(trx, [{ ...income, at: new Date(), amountCents: -refundedCents, count: 0 }])
    })
    if (index === 6) await pool.query('select fold_order_counters(), fold_income()')
  }
  const orderTime = new Date('2026-05-05T05:05:05.005Z')
  const recharge = {
    orderId: 'CZ2605050505050050001',
    orderTime,
    merchantId: spa,
    channel: 'wechatPay',
    heldByPlatform: true,
  } as const
  await postTransfers(db, transfersOfRecharge(recharge, { memberId: 7, cashCents: 900, giftCents: 90 }))
}

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase(testDatabase.url)
  await addBook()
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

const broken = async () =>
  (await verifyLedger(database.db)).filter(({ differing }) => differing > 0).map(({ claim }) => claim)

const command = () =>
  spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'verify-ledger-command.ts'), testDatabase.url],
    {
      encoding: 'utf8',
    },
  )

/** Does what no program of ours does: past every trigger. */
async function tamper(statement: string): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query(`set session_replication_role = replica; ${statement}; reset session_replication_role`)
  } finally {
    client.release()
  }
}

describe('verifying the ledger', () => {
  it('finds nothing wrong with a book that was kept by its rules, folded or not', async () => {
    const results = await verifyLedger(database.db)
    expect(results.filter(({ differing }) => differing > 0)).toEqual([])
    expect(results.every(({ examined }) => examined > 0)).toBe(true)
  })

  const first = '(select id from ledger_transfers order by id limit 1)'
  it.each([
    [
      'Each transfer has its two entries',
      `delete from ledger_entries where transfer_id = ${first} and amount_cents > 0`,
    ],
    ['Each transfer has its two entries', `delete from ledger_transfers where id = ${first}`],
    [
      'Each balance equals its entries',
      `update ledger_accounts set balance_cents = balance_cents + 1 where kind = 'wechatBalance'`,
    ],
    [
      'Each entry continues the balance',
      `update ledger_entries set balance_before_cents = balance_before_cents + 1, balance_after_cents = balance_after_cents + 1 where transfer_id = ${first}`,
    ],
    [
      'Balances of members are owed',
      `update ledger_accounts set balance_cents = balance_cents + 1 where kind = 'memberGift'`,
    ],
    [
      'Refunds of an order never exceed',
      `update ledger_transfers set amount_cents = 600 where cause like 'refund:%'`,
    ],
    [
      'Each order holds what the ledger took',
      `update orders set refunded_cents = 1 where refunded_cents = 0`,
    ],
    ['Each order holds what the ledger took', `update orders set paid_at = null where refunded_cents = 0`],
    ['Day counters of every scope', `update orders set status = 5 where status = 3`],
    ['Day counters of every scope', `delete from order_counter_deltas`],
    [
      'Month counters equal their days',
      `update order_month_counters set actual_cents = actual_cents - 1 where scope_id = 2001`,
    ],
    ['Totals of months and days', `update order_month_totals set orders = orders + 1 where scope_id = 2001`],
    ['Totals of months and days', `update order_day_totals set orders = orders - 1 where scope_id = 2001`],
    [
      'Income of each merchant and day',
      `update income_days set wechat_income_cents = wechat_income_cents + 1`,
    ],
    ['Income of each merchant and day', `update income_deltas set count = 0`],
    [
      'Income of each place and day',
      `update income_place_days set day = day - 1 where day = (select min(day) from income_place_days)`,
    ],
    [
      'Income of agents and the platform',
      `update income_scope_days set qrcode_count = qrcode_count + 1 where scope_id = 2001`,
    ],
  ])('says that “%s…” fails after: %s', async (claim, statement) => {
    // A copy keeps the book itself as it is.
    const tables = [
      'ledger_accounts',
      'ledger_transfers',
      'ledger_entries',
      'orders',
      'order_counter_deltas',
      'order_month_counters',
      'order_month_totals',
      'order_day_totals',
      'income_days',
      'income_deltas',
      'income_place_days',
      'income_scope_days',
    ]
    await tamper(tables.map((table) => `create table kept_${table} as table ${table}`).join('; '))
    try {
      await tamper(statement)
      expect((await broken()).filter((one) => one.startsWith(claim))).toHaveLength(1)
    } finally {
      await tamper(
        tables
          .map(
            (table) =>
              `delete from ${table}; insert into ${table} overriding system value table kept_${table}; drop table kept_${table}`,
          )
          .join('; '),
      )
    }
    expect(await broken()).toEqual([])
  })

  it('prints a line for each claim and ends with 0, or with 1 and the first differences', async () => {
    const fine = command()
    expect([fine.status, fine.stderr]).toEqual([0, ''])
    expect(fine.stdout.trim().split('\n')).toHaveLength(12)
    await tamper(`update ledger_accounts set balance_cents = balance_cents + 1 where kind = 'memberCash'`)
    const differing = command()
    expect(differing.status).toBe(1)
    expect(differing.stdout).toMatch(/DIFFERS Each balance equals its entries/)
    expect(differing.stdout).toMatch(/account \d+: expected 900, found 901/)
    await tamper(`update ledger_accounts set balance_cents = balance_cents - 1 where kind = 'memberCash'`)
  })
})
