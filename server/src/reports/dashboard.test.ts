import { addDays, dayOfInstant, permissionIds, type Dashboard } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { awayFromMidnight } from '../testing/away-from-midnight.ts'
import { recordIncome } from '../money/income.ts'
import { newOrderId } from '../orders/order-id.ts'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { createDashboardCalls } from './dashboard-api.ts'

let server: TestServer
const ids: Record<string, number> = {}
const devices: Record<string, number> = {}
const tokens: Record<string, string> = {}
let hall = 0

let today: string
const noonOf = (day: string) => new Date(`${day}T04:00:00Z`)
const dashboard = async (who: string) =>
  (await server.call<Dashboard>('GET', '/api/dashboard', { token: tokens[who] ?? '' })).body.data

/** A device that was bound long ago. */
async function addDevice(sid: string, merchant: string, status: number, more = ''): Promise<void> {
  const place = merchant === 'spa' && sid !== 'G2' ? hall : null
  const { rows } = await server.pool.query<{ id: number }>(
    `insert into devices (sid, model_id, merchant_id, place_id, bound, bound_at, credential_hash) values ($1, 1, $2, $3, true, now() - interval '90 days', '') returning id`,
    [sid, ids[merchant], place],
  )
  devices[sid] = rows[0]?.id ?? 0
  await server.pool.query(
    `insert into device_states (device_id, status) values ($1, $2) on conflict (device_id) do update set status = $2`,
    [devices[sid], status],
  )
  if (more) await server.pool.query(`update devices set ${more} where id = $1`, [devices[sid]])
}

const sell = (sid: string, merchant: string, day: string, amountCents: number) =>
  recordIncome(server.db, [
    {
      merchantId: ids[merchant] ?? 0,
      placeId: merchant === 'spa' && sid !== 'G2' ? hall : null,
      deviceId: devices[sid] ?? null,
      kind: 'wechat',
      at: noonOf(day),
      amountCents,
      count: 1,
    },
  ])

async function addOrder(merchant: string, day: string, status: number): Promise<void> {
  await server.pool.query(`select ensure_month_partitions('orders', $1, $1)`, [day])
  const time = noonOf(day)
  time.setMilliseconds(Object.keys(ids).length + Math.floor(Math.random() * 900))
  await server.pool.query(
    `insert into orders (order_id, order_time, merchant_id, place_id, device_sid, fee_cents, status, paid_at) values ($1, $2, $3, $4, 'G1', 500, $5, $6)`,
    [
      newOrderId('KT', time),
      time,
      ids[merchant],
      merchant === 'spa' ? hall : null,
      status,
      status > 2 ? time : null,
    ],
  )
}

beforeAll(async () => {
  await awayFromMidnight()
  today = dayOfInstant(new Date(), testTimeZone)
  server = await startTestServer(() => createDashboardCalls(testTimeZone))
  await server.pool.query(`insert into device_models (id, model) values (1, 'M')`)
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  ids['north'] = await addOrganisation(server, 'agent', 'north')
  ids['spa'] = await addOrganisation(server, 'merchant', 'spa', ids['north'])
  ids['gym'] = await addOrganisation(server, 'merchant', 'gym', ids['north'])
  ids['mall'] = await addOrganisation(server, 'merchant', 'mall')
  const place = await server.pool.query(
    `insert into places (merchant_id, address) values ($1, 'hall') returning id`,
    [ids['spa']],
  )
  hall = place.rows[0].id
  const clerk = { organisationId: ids['spa'] ?? 0, isOwner: false, tree: 'merchant' } as const
  const clerkId = await addAccount(server, { ...clerk, userName: 'clerk' })
  await addAccount(server, { ...clerk, userName: 'unbound' })
  await server.pool.query('insert into account_places values ($1, $2)', [clerkId, hall])
  for (const [name, kept] of Object.entries({ money: [71], orders: [11], refunds: [14], chairs: [31] }))
    await addAccount(server, { ...clerk, userName: `only-${name}`, permissionIds: kept })
  for (const name of ['admin', 'north', 'spa', 'gym', 'mall', 'clerk', 'unbound'])
    tokens[name] = await server.signIn(name)
  for (const name of ['money', 'orders', 'refunds', 'chairs'])
    tokens[name] = await server.signIn(`only-${name}`)

  await addDevice('G1', 'spa', 1)
  await addDevice('G2', 'spa', 4)
  await addDevice('G3', 'spa', 2)
  await addDevice('G4', 'gym', 3)
  await addDevice('G5', 'gym', 1)
  await addDevice('G6', 'mall', 1)
  await addDevice('G7', 'mall', 1, `removed_at = now()`)
  await sell('G1', 'spa', addDays(today, -3), 100)
  await sell('G2', 'spa', addDays(today, -4), 30)
  await sell('G6', 'mall', addDays(today, -7), 5000)
  await sell('G1', 'spa', addDays(today, -29), 7)
  await sell('G1', 'spa', addDays(today, -30), 9)
  await server.pool.query('select fold_income()')
  for (const status of [1, 2, 3, 4, 8]) await addOrder('spa', today, status)
  await addOrder('gym', addDays(today, -7), 4)
  await server.pool.query('select fold_order_counters()')
  await addOrder('gym', today, 3)
  for (const [status, merchant] of [
    [5, 'spa'],
    [5, 'gym'],
    [1, 'spa'],
    [0, 'spa'],
  ] as const)
    await server.pool.query(
      `insert into refunds (order_id, order_time, merchant_id, place_id, device_sid, price_cents, status, created_by) values ($1, now(), $2, $3, 'G1', 250, $4, 'test')`,
      [`KT${status}${merchant}`, ids[merchant], merchant === 'spa' ? hall : null, status],
    )
})
afterAll(() => server.stop())

describe('the dashboard', () => {
  it('compares today with the same weekday a week before', async () => {
    await sell('G1', 'spa', today, 200)
    expect(await dashboard('admin')).toMatchObject({
      today,
      comparedDay: addDays(today, -7),
      income: { todayCents: 200, comparedCents: 5000 },
      orders: { today: 6, compared: 1 },
    })
    expect(await dashboard('north')).toMatchObject({
      income: { todayCents: 200, comparedCents: 0 },
      orders: { today: 6, compared: 1 },
    })
  })

  it('shows everybody their own part', async () => {
    const shown = async (who: string) => {
      const { orders, devices: states, refundsWaiting } = await dashboard(who)
      return [orders?.today, states, refundsWaiting]
    }
    const states = (total: number, online: number, offline: number, trouble: number) => ({
      total,
      online,
      offline,
      trouble,
    })
    expect(await shown('admin')).toEqual([6, states(6, 4, 1, 1), { count: 2, amountCents: 500 }])
    expect(await shown('north')).toEqual([6, states(5, 3, 1, 1), { count: 2, amountCents: 500 }])
    expect(await shown('spa')).toEqual([5, states(3, 2, 1, 0), { count: 1, amountCents: 250 }])
    expect(await shown('clerk')).toEqual([5, states(2, 1, 1, 0), { count: 1, amountCents: 250 }])
    expect(await shown('mall')).toEqual([0, states(1, 1, 0, 0), { count: 0, amountCents: 0 }])
    expect(await shown('unbound')).toEqual([0, states(0, 0, 0, 0), { count: 0, amountCents: 0 }])
  })

  it('draws thirty days, those without income too', async () => {
    const { chart, chartBeforeCents } = await dashboard('spa')
    expect(chart).toHaveLength(30)
    expect(chart?.[0]).toEqual({ day: addDays(today, -29), incomeCents: 7, count: 1 })
    expect(chart?.[1]).toEqual({ day: addDays(today, -28), incomeCents: 0, count: 0 })
    expect(chart?.at(-1)?.day).toBe(today)
    // Thirty days ago is the last of the thirty before.
    expect(chartBeforeCents).toBe(9)
  })

  it.each([
    ['money', ['income', 'chart', 'chartBeforeCents']],
    ['orders', ['orders']],
    ['refunds', ['refundsWaiting']],
    ['chairs', ['devices', 'quietDevices']],
  ])('shows to who may see only %s just that', async (who, fields) => {
    const answer = await dashboard(who)
    const filled = Object.entries(answer).filter(([, value]) => value !== null)
    expect(filled.map(([field]) => field).toSorted()).toEqual(['comparedDay', 'today', ...fields].toSorted())
  })
})

describe('a quiet device', () => {
  const quietOf = async (who: string) => {
    const { quietDevices } = await dashboard(who)
    return [quietDevices?.total, quietDevices?.list.map(({ deviceId }) => deviceId)]
  }

  it('is online and sold nothing for three whole days, or never; the longest quiet is first', async () => {
    expect(await quietOf('admin')).toEqual([3, ['G5', 'G6', 'G2']])
    expect(await quietOf('north')).toEqual([2, ['G5', 'G2']])
    expect(await quietOf('spa')).toEqual([1, ['G2']])
    expect(await quietOf('clerk')).toEqual([0, []])
    const { quietDevices } = await dashboard('spa')
    expect(quietDevices?.list).toEqual([
      { deviceId: 'G2', name: '', merchantName: 'spa', placeAddress: '', lastSaleDay: addDays(today, -4) },
    ])
  })

  it('is quiet no more at its next sale, folded or not', async () => {
    await sell('G2', 'spa', today, 100)
    expect(await quietOf('spa')).toEqual([0, []])
    await server.pool.query('select fold_income()')
    expect(await quietOf('spa')).toEqual([0, []])
  })

  it('that changed hands tells nobody what it sold before', async () => {
    const lastSaleOf = async (who: string) =>
      (await dashboard(who)).quietDevices?.list.find(({ deviceId }) => deviceId === 'G6')?.lastSaleDay
    const moveTo = (merchant: string) =>
      server.pool.query(`update devices set merchant_id = $1 where sid = 'G6'`, [ids[merchant]])
    expect(await lastSaleOf('mall')).toBe(addDays(today, -7))
    await moveTo('gym')
    expect(await lastSaleOf('gym')).toBeNull()
    await moveTo('mall')
    expect(await lastSaleOf('mall')).toBeNull()
  })

  it('is none that was just bound, is locked, or whose merchant is locked', async () => {
    await server.pool.query(`update devices set bound_at = now() where sid = 'G5'`)
    expect(await quietOf('gym')).toEqual([0, []])
    await server.pool.query(
      `update devices set bound_at = now() - interval '90 days', locked = 1 where sid = 'G5'`,
    )
    expect(await quietOf('gym')).toEqual([0, []])
    await server.pool.query(`update devices set locked = 0 where sid = 'G5'`)
    expect(await quietOf('gym')).toEqual([1, ['G5']])
    await server.pool.query('update organisations set status = 2 where id = $1', [ids['mall']])
    expect((await quietOf('admin'))[1]).toEqual(['G5'])
  })

  it('is told the same by the orders, for a history that was made', async () => {
    await server.pool.query('delete from device_last_sales')
    await server.pool.query(
      `update orders set device_id = $1 where order_id = (select order_id from orders where paid_at is not null and merchant_id = $2 order by order_time limit 1)`,
      [devices['G5'], ids['gym']],
    )
    await server.pool.query('select rebuild_device_sales()')
    const { rows } = await server.pool.query('select device_id, last_day from device_last_sales')
    expect(rows).toEqual([{ device_id: devices['G5'], last_day: addDays(today, -7) }])
  })
})

it('every figure of the dashboard has its permission in every tree', () => {
  for (const tree of ['admin', 'agent', 'merchant'] as const)
    expect(permissionIds(tree)).toEqual(expect.arrayContaining([14, 31, 71]))
})
