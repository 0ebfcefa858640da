import { dayOfInstant, type OrderRow } from '@chairside/contract'
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
const year = Number(dayOfInstant(new Date(), testTimeZone).slice(0, 4))

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
        fc.constantFrom(10, 30, 7, 1000),
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

  it('finds one order by its id, its payment and its transaction, within scope', async () => {
    const { rows } = await server.pool.query(
      `select order_id, transaction_id from orders where merchant_id = $1 and transaction_id is not null and order_time > '${year}-01-02' limit 1`,
      [ids['spa']],
    )
    const paymentNumber = `${rows[0].order_id}01`
    await server.pool.query(
      `with channel as (insert into pay_channels (organisation_id, name, settings) values (1, 'wechatPay', '') returning id)
       insert into payments (out_trade_no, order_id, merchant_id, channel_id, amount_cents, trade, expires_at)
       select $1, $2, $3, id, 100, 'native', now() from channel`,
      [paymentNumber, rows[0].order_id, ids['spa']],
    )
    for (const query of [
      `orderid=${rows[0].order_id}`,
      `orderid=${rows[0].order_id.toLowerCase()}&pagesize=&pagenum=`,
      `transactionid=${rows[0].transaction_id}`,
      `payid=${rows[0].transaction_id}`,
      `payid=${paymentNumber}`,
      `payid=${paymentNumber.toLowerCase()}`,
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

  it('answers whole pages with one total while orders change and counters are folded', async () => {
    const token = tokens['admin'] ?? ''
    const read = async (query: string) =>
      (await server.call<{ list: OrderRow[]; total: number }>('GET', `/api/orders?${query}`, { token })).body
        .data
    const { total } = await read('')
    const { rows } = await server.pool.query<{ order_id: string; order_time: Date }>(
      `select order_id, order_time from orders where order_time > '${year}-01-02' and status between 1 and 7 order by random() limit 60`,
    )
    const totals: number[] = []
    const lengths: number[] = []
    await Promise.all([
      ...rows.map(({ order_id: orderId, order_time: orderTime }, index) =>
        server.pool.query('update orders set status = $3 where order_id = $1 and order_time = $2', [
          orderId,
          orderTime,
          1 + (index % 7),
        ]),
      ),
      ...Array.from({ length: 10 }, () => server.pool.query('select fold_order_counters(5)')),
      ...Array.from({ length: 25 }, async (_, index) => {
        const page = await read(`pagenum=${1 + index}`)
        totals.push(page.total)
        lengths.push(page.list.length)
      }),
    ])
    expect(new Set(totals)).toEqual(new Set([total]))
    expect(new Set(lengths)).toEqual(new Set([10]))
    const parts = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9].map((status) => read(`status=${status}`)))
    expect(parts.reduce((sum, part) => sum + part.total, 0)).toBe(total)
  })

  it('counts orders that leave, change their price or their place, and counts the same anew', async () => {
    const [admin, clerk] = [tokens['admin'] ?? '', tokens['clerk'] ?? '']
    const total = async (token: string) =>
      (await server.call<{ total: number }>('GET', '/api/orders', { token })).body.data.total
    const sum = async () => (await server.call<number>('GET', '/api/orders/sum', { token: admin })).body.data
    const before = { admin: await total(admin), clerk: await total(clerk), sum: await sum() }
    const some = `order_id in (select order_id from orders where place_id = ${placeIds[0]} and status = 3 and order_time > '${year}-01-02' order by order_id limit 1)`
    await server.pool.query(`update orders set status = 3, paid_at = order_time, refunded_cents = 0
      where place_id = ${placeIds[0]} and order_time > '${year}-01-02'`)
    const paid = await sum()
    await server.pool.query(`update orders set fee_cents = fee_cents + 7 where ${some}`)
    expect(await sum()).toBe(paid + 7)
    await server.pool.query(`update orders set place_id = ${placeIds[1]} where ${some}`)
    expect([await total(admin), await total(clerk)]).toEqual([before.admin, before.clerk - 1])
    await server.pool.query(`delete from orders where ${some}`)
    expect([await total(admin), await total(clerk)]).toEqual([before.admin - 1, before.clerk - 2])
    const kept = [await total(admin), await total(clerk), await sum()]
    await server.pool.query('select rebuild_order_counters()')
    expect((await server.pool.query('select from order_counter_deltas')).rowCount).toBe(0)
    expect([await total(admin), await total(clerk), await sum()]).toEqual(kept)
  })

  it('keeps the time zone that its orders are counted in', async () => {
    await expect(server.pool.query(`update platform_settings set time_zone = 'Europe/Rome'`)).rejects.toThrow(
      'the time zone stays Asia/Shanghai',
    )
  })
})
