import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDeviceListCalls } from '../devices/device-list-api.ts'
import { inTransaction } from '../kit/database.ts'
import { recordIncome } from '../money/income.ts'
import { transferOfPayment } from '../money/order-transfers.ts'
import { postTransfers } from '../money/post-transfers.ts'
import { verifyLedger } from '../app/verify/verify-ledger.ts'
import { foldRollups } from '../orders/fold-counters.ts'
import { newOrderId } from '../orders/order-id.ts'
import { createOrderListCalls } from '../orders/order-list-api.ts'
import { createOrderDaysCalls } from '../reports/order-days-api.ts'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { untilBlocked } from '../testing/until-blocked.ts'
import { organisationCalls } from './organisation-calls.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer(({ secrets }) => [
    ...organisationCalls,
    ...createDeviceListCalls(testTimeZone, secrets),
    ...createOrderListCalls(testTimeZone),
    ...createOrderDaysCalls(testTimeZone),
  ])
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  admin = await server.signIn('admin')
})
afterAll(() => server.stop())

const read = async <Data>(token: string, path: string) => {
  const { body } = await server.call<Data>('GET', path, { token })
  expect(body, path).toMatchObject({ success: true })
  return body.data
}
const move = async (merchantIds: number[], parentId: number) =>
  (await server.call('PUT', '/api/merchant/move', { token: admin, body: { merchantIds, parentId } })).body
    .resultCode

const dayMs = 86_400_000
let orderNumber = 0

/** An order of 500 cents with all its book, some days ago. */
async function addPaidOrder(merchantId: number, daysAgo: number): Promise<void> {
  const orderTime = new Date(Date.now() - daysAgo * dayMs - ++orderNumber)
  const orderId = newOrderId('KT', orderTime)
  await inTransaction(server.db, async (trx) => {
    await postTransfers(trx, [
      transferOfPayment(
        { orderId, orderTime, merchantId, channel: 'wechatPay', heldByPlatform: true },
        `${orderId}01`,
        500,
      ),
    ])
    await recordIncome(trx, [
      {
        merchantId,
        placeId: null,
        deviceId: null,
        kind: 'wechat',
        at: orderTime,
        amountCents: 500,
        count: 1,
      },
    ])
  })
  await server.pool.query(
    `insert into orders (order_id, order_time, merchant_id, fee_cents, status, pay_channel, paid_at) values ($1, $2, $3, 500, 3, 'wechatPay', $2)`,
    [orderId, orderTime, merchantId],
  )
}

const differing = async () =>
  (await verifyLedger(server.db))
    .filter((check) => check.differing > 0)
    .map(({ claim, examples }) => ({ claim, examples }))

/**
 * Organisations whose path is not the chain of their parents, or whose counts are not of what stands below; a loop leaves
 * its members out of the chain.
 */
async function strayOrganisations(): Promise<unknown[]> {
  const { rows } = await server.pool.query(`
    with recursive chain as (
      select id, kind, '1' as path from organisations where parent_id is null
      union all select o.id, o.kind, c.path || '.' || o.id from organisations o join chain c on o.parent_id = c.id)
    select o.id, o.path::text, c.path as chain, o.agents_below, o.merchants_below from organisations o left join chain c on c.id = o.id
      left join (
        select above.id, count(*) filter (where kind = 'agent') as agents, count(*) filter (where kind = 'merchant') as merchants
          from chain cross join lateral unnest(string_to_array(chain.path, '.')::bigint[]) as above (id)
         where above.id <> chain.id group by 1) below on below.id = o.id
     where c.path is distinct from o.path::text or (o.agents_below, o.merchants_below) <> (coalesce(below.agents, 0), coalesce(below.merchants, 0))`)
  return rows
}

/** Orders below each agent by the parents alone. */
async function ordersBelow(): Promise<{ name: string; orders: number }[]> {
  const { rows } = await server.pool.query<{ name: string; orders: number }>(`
    with recursive pairs as (
      select id as agent_id, id from organisations where kind = 'agent'
      union all select p.agent_id, o.id from pairs p join organisations o on o.parent_id = p.id)
    select a.name, (select count(*) from pairs p join orders o on o.merchant_id = p.id where p.agent_id = a.id) as orders
      from organisations a where a.kind = 'agent' and exists (select from accounts where organisation_id = a.id)`)
  return rows
}

/** Income of the last forty days, which hold every order here. */
const income = async (token: string) => {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)
  const { total } = await read<{ total: { totalIncome: number } }>(
    token,
    `/api/accounting/merchantdays/day?datetype=5&startdate=${day(40)}&enddate=${day(-1)}`,
  )
  return total.totalIncome
}

describe('moves of two agents against each other', () => {
  it('make no loop, and leave every path, counter and sum as plain SQL has it', async () => {
    const sides: { agent: number; subs: number[]; merchants: number[] }[] = []
    for (const side of ['east', 'west']) {
      const agent = await addOrganisation(server, 'agent', side)
      const subs: number[] = []
      for (let index = 0; index < 3; index++)
        subs.push(await addOrganisation(server, 'agent', `${side}-${index}`, subs.at(-1) ?? agent))
      const merchants: number[] = []
      for (let index = 0; index < 6; index++)
        merchants.push(await addOrganisation(server, 'merchant', `${side}-shop-${index}`, subs[index % 3]))
      sides.push({ agent, subs, merchants })
    }
    const [east, west] = sides
    if (!east || !west) throw new Error('there are two sides')
    const shops = [...east.merchants, ...west.merchants]
    for (const [index, shop] of shops.entries()) {
      for (let daysAgo = 0; daysAgo <= index; daysAgo += 3) await addPaidOrder(shop, daysAgo)
    }
    await foldRollups(server.db)

    const codes = new Map<string, number>()
    const count = (code: string) => codes.set(code, (codes.get(code) ?? 0) + 1)
    const moves = Array.from({ length: 20 }, (_, index) => [
      // Each below the other: of two at once, one has to lose.
      () => move([east.agent], index % 4 === 3 ? 1 : (west.subs[index % 3] ?? 1)),
      () => move([west.agent], index % 4 === 1 ? 1 : (east.subs[index % 3] ?? 1)),
    ]).flat()
    const business = shops.map(async (shop, index) => {
      for (let turn = 0; turn < 4; turn++) {
        await addPaidOrder(shop, index % 5)
        await foldRollups(server.db)
        await move([shop], (turn % 2 ? east : west).subs[index % 3] ?? 1)
      }
    })
    await Promise.all([...moves.map(async (one) => count(await one())), ...business])

    expect([...codes.keys()].filter((code) => code !== '000' && code !== '105')).toEqual([])
    expect(codes.get('000')).toBeGreaterThan(0)
    expect(await strayOrganisations()).toEqual([])
    expect(await differing()).toEqual([])
    for (const { name, orders } of await ordersBelow()) {
      const token = await server.signIn(name)
      const { total } = await read<{ total: number }>(token, '/api/orders?pagesize=1')
      expect(total, name).toBe(orders)
      expect(await income(token), name).toBe(orders * 500)
    }
    await foldRollups(server.db)
    expect(await differing()).toEqual([])
  })
})

describe('a move while counters are folded', () => {
  it.each(['fold_order_counters', 'fold_income'])(
    'waits for %s, and the history goes with it',
    async (fold) => {
      const [here, there] = [
        await addOrganisation(server, 'agent', `here-${fold}`),
        await addOrganisation(server, 'agent', `there-${fold}`),
      ]
      const shop = await addOrganisation(server, 'merchant', `shop-${fold}`, here)
      await addPaidOrder(shop, 1)
      const folding = await server.pool.connect()
      let moved = false
      try {
        await folding.query('begin')
        await folding.query(`select ${fold}()`)
        const moving = move([shop], there).then((code) => {
          moved = true
          return code
        })
        await untilBlocked(server.pool)
        expect(moved).toBe(false)
        await folding.query('commit')
        expect(await moving).toBe('000')
      } finally {
        folding.release()
      }
      expect(await differing()).toEqual([])
      const token = await server.signIn(`there-${fold}`)
      expect([(await read<{ total: number }>(token, '/api/orders')).total, await income(token)]).toEqual([
        1, 500,
      ])
    },
  )
})

describe('a new merchant while its agent is moved', () => {
  it('waits for the move, and stands where the agent stands afterwards', async () => {
    const [left, right] = [
      await addOrganisation(server, 'agent', 'left'),
      await addOrganisation(server, 'agent', 'right'),
    ]
    const agent = await addOrganisation(server, 'agent', 'moving-agent', left)
    const token = await server.signIn('moving-agent')
    const moving = await server.pool.connect()
    let added = false
    try {
      await moving.query('begin')
      await moving.query('select lock_organisation_tree(), move_organisation($1, $2)', [agent, right])
      const body = { userid: 'arrival', name: 'Arrival' }
      const adding = server.call('POST', '/api/merchant', { token, body }).then((answer) => {
        added = true
        return answer.body.resultCode
      })
      await untilBlocked(server.pool)
      expect(added).toBe(false)
      await moving.query('commit')
      expect(await adding).toBe('000')
    } finally {
      moving.release()
    }
    expect(await strayOrganisations()).toEqual([])
  })
})

describe('devices bound to other merchants while these are moved', () => {
  it('make nobody wait in a circle, and are counted', async () => {
    const [left, right] = [
      await addOrganisation(server, 'agent', 'west-end'),
      await addOrganisation(server, 'agent', 'east-end'),
    ]
    const shops: number[] = []
    for (let index = 0; index < 8; index++)
      shops.push(await addOrganisation(server, 'merchant', `stall-${index}`, left))
    await server.pool.query(`insert into device_models (id, model) values (1, 'M')`)
    await server.pool.query(
      `insert into devices (sid, model_id, merchant_id, credential_hash) select 'T' || n, 1, $1::bigint, '' from generate_series(1, 40) n`,
      [shops[0]],
    )
    const binding = Array.from({ length: 60 }, (_, turn) =>
      server.pool.query(
        // Rows are locked in one order, as whoever changes many devices has to.
        `with chosen as materialized (select id from devices where sid like 'T%' and id % 2 = $2 % 2 order by id for update)
         update devices d set merchant_id = ($1::bigint[])[1 + (d.id + $2) % 8] from chosen where d.id = chosen.id`,
        [shops, turn],
      ),
    )
    const moving = Array.from({ length: 20 }, (_, turn) =>
      move(turn % 3 ? shops : shops.toReversed().slice(0, 5), turn % 2 ? left : right),
    )
    await Promise.all(binding)
    expect(new Set(await Promise.all(moving))).toEqual(new Set(['000']))
    const { rows } = await server.pool.query(
      `select o.id from organisations o where o.kind <> 'platform' and device_count <>
         (select count(*) from devices d join organisations m on m.id = d.merchant_id where m.path <@ o.path and d.removed_at is null)`,
    )
    expect(rows).toEqual([])
    expect(await strayOrganisations()).toEqual([])
  })
})

describe('a move of thousands', () => {
  const merchants = 4000
  const agents = 200

  it('changes all lists in one instant: nobody ever reads half of it', async () => {
    const from = await addOrganisation(server, 'agent', 'from')
    const to = await addOrganisation(server, 'agent', 'to')
    const moved = await addOrganisation(server, 'agent', 'moved', from)
    await server.pool.query(
      `with agents as (
         insert into organisations (id, parent_id, kind, path, name)
         select 100000 + n, $1::bigint, 'agent', p.path || (100000 + n)::text, 'agent ' || n from generate_series(1, $2::int) n, organisations p where p.id = $1::bigint
         returning id, path)
       insert into organisations (id, parent_id, kind, path, name)
       select 200000 + n, a.id, 'merchant', a.path || (200000 + n)::text, 'shop ' || n
         from generate_series(1, $3::int) n join agents a on a.id = 100000 + 1 + n % $2::int`,
      [moved, agents, merchants],
    )
    const orders = 60
    for (let index = 0; index < orders; index++) await addPaidOrder(200_001 + index * 7, index % 15)
    await foldRollups(server.db)
    const unfolded = 5
    for (let index = 0; index < unfolded; index++) await addPaidOrder(200_001 + index, 0)

    const tokens = {
      from: await server.signIn('from'),
      to: await server.signIn('to'),
      moved: await server.signIn('moved'),
    }
    const whole = { below: merchants + agents, orders: orders + unfolded }
    const seen = { reads: 0, wrong: [] as string[] }
    const totalOf = async (token: string, path: string) => (await read<{ total: number }>(token, path)).total
    const check = (found: number, allowed: number[], about: string) => {
      seen.reads++
      if (!allowed.includes(found)) seen.wrong.push(`${about}: ${found}`)
    }
    const monthIncome = await income(tokens.moved)
    const moving = new AbortController()
    const readers = [
      // Its own view never changes, wherever it hangs.
      async () =>
        check(await totalOf(tokens.moved, '/api/merchants/user?pagesize=10'), [whole.below], 'moved’s list'),
      async () =>
        check(await totalOf(tokens.moved, '/api/agentmerchants?pagesize=10'), [agents], 'moved’s children'),
      async () =>
        check(await totalOf(tokens.moved, '/api/orders?pagesize=10'), [whole.orders], 'moved’s orders'),
      async () => check(await income(tokens.moved), [monthIncome], 'moved’s income'),
      // The others see all of it or nothing.
      async () =>
        check(
          await totalOf(tokens.from, '/api/merchants/user?pagesize=10'),
          [0, whole.below + 1],
          'from’s list',
        ),
      async () =>
        check(await totalOf(tokens.to, '/api/merchants/user?pagesize=10'), [0, whole.below + 1], 'to’s list'),
      async () =>
        check(await totalOf(tokens.from, '/api/orders?pagesize=10'), [0, whole.orders], 'from’s orders'),
      async () =>
        check(await totalOf(tokens.to, '/api/orders?pagesize=10'), [0, whole.orders], 'to’s orders'),
      async () => check(await income(tokens.to), [0, monthIncome], 'to’s income'),
    ].map(async (once) => {
      // With a breath between them: nine who never rest would leave no processor to the moves.
      while (!moving.signal.aborted) {
        await once()
        await delay(100)
      }
    })
    const turns = 4
    for (let turn = 0; turn < turns; turn++) {
      expect(await move([moved], turn % 2 === 0 ? to : from)).toBe('000')
      // Right after it, the whole is with the new one.
      const [there, gone] = turn % 2 === 0 ? [tokens.to, tokens.from] : [tokens.from, tokens.to]
      expect(await totalOf(there, '/api/orders?pagesize=10')).toBe(whole.orders)
      expect(await totalOf(gone, '/api/orders?pagesize=10')).toBe(0)
      await foldRollups(server.db)
    }
    moving.abort()
    await Promise.all(readers)
    expect(seen.wrong).toEqual([])
    expect(seen.reads).toBeGreaterThan(50)
    expect(await strayOrganisations()).toEqual([])
    expect(await differing()).toEqual([])
    const rows = await read<{ list: unknown[]; total: number }>(tokens.from, '/api/merchants/user?pagesize=0')
    expect(rows.list).toHaveLength(whole.below + 1)
  })
})
