import type { OrderRow } from '@chairside/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { newOrderId } from './order-id.ts'
import { createOrderListCalls } from './order-list-api.ts'

let server: TestServer
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}
let placeIds: number[]
const year = new Date().getUTCFullYear()

/** Some hundred orders over two years; `fold` folds the first half, so that the rest is still in deltas. */
async function addOrders(): Promise<void> {
  let seed = 1
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  const merchants = [ids['spa'], ids['gym'], ids['mall']]
  for (let index = 0; index < 600; index++) {
    const time = new Date(
      Date.UTC(
        year - (index % 4 === 0 ? 1 : 0),
        Math.floor(random() * 11),
        1 + Math.floor(random() * 28),
        Math.floor(random() * 24),
        0,
        0,
        index,
      ),
    )
    const status = 1 + Math.floor(random() * 9)
    const paid = status > 2
    const merchant = merchants[index % 3]
    await server.pool.query(
      `insert into orders (order_id, order_time, merchant_id, place_id, device_sid, fee_cents, refunded_cents, status, pay_channel, transaction_id, paid_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        newOrderId('KT', time),
        time,
        merchant,
        merchant === ids['spa'] ? placeIds[index % 2] : null,
        `G${index % 7}`,
        100 + index,
        status === 8 ? 50 : 0,
        status,
        paid ? (index % 5 ? 'wechatPay' : 'manualStart') : null,
        paid ? `42${index}` : null,
        paid ? time : null,
      ],
    )
    if (index === 300) await server.pool.query('select fold_order_counters()')
  }
}

beforeAll(async () => {
  server = await startTestServer(() => createOrderListCalls(testTimeZone))
  await server.pool.query(`select ensure_month_partitions('orders', $1, $2)`, [
    `${year - 1}-01-01`,
    `${year}-12-31`,
  ])
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  ids['north'] = await addOrganisation(server, 'agent', 'north')
  ids['south'] = await addOrganisation(server, 'agent', 'south')
  ids['spa'] = await addOrganisation(server, 'merchant', 'spa', ids['north'])
  ids['gym'] = await addOrganisation(server, 'merchant', 'gym', ids['north'])
  ids['mall'] = await addOrganisation(server, 'merchant', 'mall', ids['south'])
  const places = await server.pool.query<{ id: number }>(
    `insert into places (merchant_id, address) values ($1, 'hall'), ($1, 'roof') returning id`,
    [ids['spa']],
  )
  placeIds = places.rows.map(({ id }) => id)
  const clerk = await addAccount(server, {
    organisationId: ids['spa'],
    userName: 'clerk',
    isOwner: false,
    tree: 'merchant',
  })
  await addAccount(server, {
    organisationId: ids['spa'],
    userName: 'unbound',
    isOwner: false,
    tree: 'merchant',
  })
  await server.pool.query('insert into account_places values ($1, $2)', [clerk, placeIds[0]])
  await addOrders()
  for (const name of ['admin', 'north', 'south', 'spa', 'gym', 'mall', 'clerk', 'unbound'])
    tokens[name] = await server.signIn(name)
})
afterAll(() => server.stop())

/** What everybody may see, told the plain way. */
const within: Record<string, string> = {
  admin: 'true',
  north: `merchant_id in (select id from organisations where name in ('spa', 'gym'))`,
  south: `merchant_id in (select id from organisations where name = 'mall')`,
  spa: `merchant_id in (select id from organisations where name = 'spa')`,
  gym: `merchant_id in (select id from organisations where name = 'gym')`,
  clerk: `place_id in (select id from places where address = 'hall')`,
  unbound: 'false',
}

const filters = fc.record(
  {
    status: fc.integer({ min: 1, max: 9 }).map(String),
    paychannel: fc.constantFrom('wechatPay', 'manualStart'),
    startdate: fc
      .integer({ min: 1, max: 300 })
      .map((day) => new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10)),
    enddate: fc
      .integer({ min: 1, max: 300 })
      .map((day) => new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10)),
    devicesid: fc.constantFrom('G0', 'G3', 'g5'),
  },
  { requiredKeys: [] },
)

describe('a list of orders', () => {
  it('answers any page of any role as plain SQL would, before and after folding', async () => {
    let asked = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(within)),
        filters,
        fc.constantFrom(10, 30, 7),
        fc.integer({ min: 1, max: 9 }),
        async (who, filter, pagesize, pagenum) => {
          if (++asked === 150) await server.pool.query('select fold_order_counters()')
          fc.pre(!(filter.startdate && filter.enddate) || filter.startdate <= filter.enddate)
          const query = new URLSearchParams({
            ...filter,
            pagesize: String(pagesize),
            pagenum: String(pagenum),
          })
          const token = tokens[who] ?? ''
          const { body } = await server.call<{ list: OrderRow[]; total: number }>(
            'GET',
            `/api/orders?${query}`,
            { token },
          )
          const where = `${within[who]} and (order_time at time zone '${testTimeZone}')::date between $1 and $2
          and ($3::int is null or status = $3) and ($4::text is null or pay_channel = $4) and ($5::text is null or device_sid = $5)`
          const values = [
            filter.startdate ?? `${year}-01-01`,
            filter.enddate ?? `${year}-12-31`,
            filter.status ?? null,
            filter.paychannel ?? null,
            filter.devicesid?.toUpperCase() ?? null,
          ]
          const list = await server.pool.query(
            `select order_id from orders where ${where} order by order_time desc, order_id desc offset $6 limit $7`,
            [...values, (pagenum - 1) * pagesize, pagesize],
          )
          const sums = await server.pool.query(
            `select count(*) as total, coalesce(sum(case when paid_at is null then 0 else fee_cents - refunded_cents end), 0) as income from orders where ${where}`,
            values,
          )
          expect(body.data.list.map(({ orderId }) => orderId)).toEqual(list.rows.map((row) => row.order_id))
          expect(body.data.total).toBe(sums.rows[0].total)
          const sum = await server.call('GET', `/api/orders/sum?${new URLSearchParams(filter)}`, { token })
          expect(sum.body.data).toBe(sums.rows[0].income)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('shows earlier years under history only, and refuses days of another year', async () => {
    const token = tokens['admin'] ?? ''
    const { body } = await server.call<{ total: number }>('GET', '/api/history/orders', { token })
    expect(body.data.total).toBe(
      (
        await server.pool.query(
          `select count(*) as n from orders where order_time < '${year - 1}-12-31T16:00Z'`,
        )
      ).rows[0].n,
    )
    const refused = await server.call('GET', `/api/history/orders?year=${year - 1}&startdate=${year}-02-01`, {
      token,
    })
    expect(refused.body).toMatchObject({
      resultCode: '100',
      data: { fields: { startdate: 'The date is outside the chosen year' } },
    })
    expect((await server.call('GET', `/api/history/orders?year=${year}`, { token })).body.resultCode).toBe(
      '100',
    )
  })

  it('narrows to a merchant or agent of one’s own and to nothing for somebody else’s', async () => {
    const total = async (who: string, query: string) =>
      (await server.call<{ total: number }>('GET', `/api/orders?${query}`, { token: tokens[who] ?? '' })).body
        .data.total
    expect(await total('admin', `merchantid=${ids['spa']}`)).toBe(await total('spa', ''))
    expect(await total('admin', `agentid=${ids['north']}`)).toBe(await total('north', ''))
    expect(await total('north', `agentid=${ids['north']}`)).toBe(await total('north', ''))
    expect(await total('spa', `merchantid=${ids['spa']}`)).toBe(await total('spa', ''))
    expect(await total('north', `merchantid=${ids['mall']}`)).toBe(0)
    expect(await total('spa', `merchantid=${ids['gym']}`)).toBe(0)
    expect(await total('clerk', `merchantid=${ids['gym']}`)).toBe(0)
    expect(await total('south', `agentid=${ids['north']}`)).toBe(0)
  })

  it('finds one order by its id and its transaction, within scope', async () => {
    const { rows } = await server.pool.query(
      `select order_id, transaction_id from orders where merchant_id = $1 and transaction_id is not null and order_time > '${year}-01-02' limit 1`,
      [ids['spa']],
    )
    for (const query of [
      `orderid=${rows[0].order_id}`,
      `transactionid=${rows[0].transaction_id}`,
      `payid=${rows[0].transaction_id}`,
    ]) {
      expect(
        (await server.call<{ total: number }>('GET', `/api/orders?${query}`, { token: tokens['spa'] ?? '' }))
          .body.data.total,
      ).toBe(1)
      expect(
        (await server.call<{ total: number }>('GET', `/api/orders?${query}`, { token: tokens['gym'] ?? '' }))
          .body.data.total,
      ).toBe(0)
    }
  })

  it('stays exact while orders change and counters are folded', async () => {
    const token = tokens['spa'] ?? ''
    const count = async (status: number) =>
      (await server.call<{ total: number }>('GET', `/api/orders?status=${status}`, { token })).body.data.total
    const [before3, before8] = [await count(3), await count(8)]
    await server.pool.query(
      `update orders set status = 8, refunded_cents = fee_cents where merchant_id = $1 and status = 3 and order_time > '${year}-01-02'`,
      [ids['spa']],
    )
    expect([await count(3), await count(8)]).toEqual([0, before8 + before3])
    await Promise.all([1, 2, 3].map(() => server.pool.query('select fold_order_counters()')))
    expect([await count(3), await count(8)]).toEqual([0, before8 + before3])
  })

  it('leaves whole as a stream in the same order', async () => {
    const token = tokens['north'] ?? ''
    const paged = await server.call<{ list: OrderRow[]; total: number }>('GET', '/api/orders?pagesize=900', {
      token,
    })
    const whole = await server.call<{ list: OrderRow[]; total: number }>('GET', '/api/orders?pagesize=0', {
      token,
    })
    expect(whole.body.data).toEqual(paged.body.data)
  })
})
