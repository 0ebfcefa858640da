import { endOfMonth } from '@chairside/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addOrganisation, startTestServer, testTimeZone, type TestServer } from '../testing/test-server.ts'
import { findOrders } from './order-list-sql.ts'
import { newOrderId } from './order-id.ts'

let server: TestServer
const merchants: Record<string, number> = {}
const year = 2025

/** Orders of a year at all hours, many of them around the beginnings of months; half of them are folded. */
async function addOrders(): Promise<void> {
  const often = Array.from({ length: 360 }, (_, day) => Date.UTC(year, 0, 1 + day, (day * 5) % 24, 0, 0, day))
  const borders = Array.from({ length: 13 }, (_, month) =>
    [-9, -8.5, -8, -7.5, -0.5, 0, 0.5].map((hours) => Date.UTC(year, month, 1) + hours * 3_600_000),
  )
  const times = { spa: [...often, ...borders.flat()], kiosk: [Date.UTC(year, 2, 3), Date.UTC(year, 9, 20)] }
  for (const [name, instants] of Object.entries(times)) {
    merchants[name] = await addOrganisation(server, 'merchant', name)
    for (const [index, instant] of instants.entries()) {
      await server.pool.query(
        `insert into orders (order_id, order_time, merchant_id, device_sid, fee_cents, status) values ($1, $2, $3, 'G1', 100, 3)`,
        [newOrderId('KT', new Date(instant)), new Date(instant), merchants[name]],
      )
      if (index === 200) await server.pool.query('select fold_order_counters()')
    }
  }
}

beforeAll(async () => {
  server = await startTestServer(() => [])
  await server.pool.query(`select ensure_month_partitions('orders', $1, $2)`, [
    `${year - 1}-12-01`,
    `${year + 1}-01-31`,
  ])
  await addOrders()
})
afterAll(() => server.stop())

async function plainly(merchantId: number, [from, to]: [string, string], skip: number, take: number) {
  const where = `merchant_id = $1 and (order_time at time zone '${testTimeZone}')::date between $2 and $3`
  const values = [merchantId, from, to]
  const [page, count] = await Promise.all([
    server.pool.query<{ order_id: string }>(
      `select order_id from orders where ${where} order by order_time desc, order_id desc offset ${skip} limit ${take}`,
      values,
    ),
    server.pool.query<{ total: number }>(`select count(*) as total from orders where ${where}`, values),
  ])
  return { ids: page.rows.map((row) => row.order_id), total: count.rows[0]?.total }
}

const anyMonth = fc
  .integer({ min: 1, max: 12 })
  .map((month) => `${year}-${String(month).padStart(2, '0')}-01`)

describe('the newest orders of a merchant', () => {
  it('are those of plain SQL, whatever the day is, and whichever months are asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('spa', 'kiosk'),
        fc.tuple(anyMonth, fc.oneof(fc.constant(`${year}-12-01`), anyMonth)),
        fc.date({ min: new Date(`${year}-01-01`), max: new Date(`${year + 2}-01-01`), noInvalidDate: true }),
        fc.constantFrom(10, 30, 50),
        fc.integer({ min: 1, max: 9 }),
        async (who, months, now, take, page) => {
          const [first = '', last = ''] = months.toSorted()
          const days: [string, string] = [first, endOfMonth(last)]
          const skip = (page - 1) * take
          const merchantId = merchants[who] ?? 0
          const filter = {
            startDate: days[0],
            endDate: days[1],
            status: undefined,
            channel: undefined,
            deviceSid: undefined,
            orderId: undefined,
            transactionId: undefined,
            payId: undefined,
          }
          const scope = { kind: 'merchant', merchantId } as const
          const found = await findOrders(server.db, scope, filter, {
            skip,
            take,
            timeZone: testTimeZone,
            now,
          })
          const plain = await plainly(merchantId, days, skip, take)
          expect({ ids: found.list.map(({ orderId }) => orderId), total: found.total }).toEqual(plain)
        },
      ),
      { numRuns: 300 },
    )
  })
})
