import type { Found } from '@chairside/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOrderId } from '../orders/order-id.ts'
import { organisationJobs } from '../organisations/name-initials.ts'
import { organisationSearchCalls } from '../organisations/search-organisations.ts'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { createFindCalls } from './find-api.ts'

let server: TestServer
const ids: Record<string, number> = {}
const tokens: Record<string, string> = {}
/** Noon of a new year's eve in Shanghai, and an hour of the next year there which is still the old one in London. */
const times = { old: new Date('2024-12-31T04:00:00Z'), young: new Date('2024-12-31T16:30:00Z') }
const orderIds = { old: newOrderId('KT', times.old), young: newOrderId('KT', times.young) }

const found = async (who: string, text: string): Promise<Found> =>
  (
    await server.call<Found>('GET', `/api/find?text=${encodeURIComponent(text)}`, {
      token: tokens[who] ?? '',
    })
  ).body.data
const ordersFound = async (who: string, text: string) =>
  (await found(who, text)).orders.map(({ orderId }) => orderId)
const devicesFound = async (who: string, text: string) =>
  (await found(who, text)).devices.map(({ deviceId }) => deviceId)
const namesFound = async (who: string, text: string) =>
  (await found(who, text)).organisations.map(({ name }) => name)

async function writeInitials(): Promise<void> {
  for (const { work } of organisationJobs) await work({ db: server.db, log: pino({ level: 'silent' }) }, {})
}

async function addOrder(id: string, time: Date, merchant: string, transactionId: string): Promise<void> {
  await server.pool.query(`select ensure_month_partitions('orders', $1, $1)`, [time])
  await server.pool.query(
    `insert into orders (order_id, order_time, merchant_id, device_sid, fee_cents, status, paid_at, transaction_id)
     values ($1, $2, $3, 'G1', 500, 4, $2, $4)`,
    [id, time, ids[merchant], transactionId],
  )
}

beforeAll(async () => {
  server = await startTestServer(() => [...createFindCalls(testTimeZone), ...organisationSearchCalls])
  await server.pool.query(`insert into device_models (id, model) values (1, 'M')`)
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  ids['north'] = await addOrganisation(server, 'agent', 'north')
  ids['south'] = await addOrganisation(server, 'agent', 'south')
  ids['spa'] = await addOrganisation(server, 'merchant', 'spa', ids['north'])
  ids['mall'] = await addOrganisation(server, 'merchant', 'mall', ids['south'])
  await server.pool.query(
    `update organisations set name = case id when $1 then '海底角店' else '重庆 Mall' end, mobile = case id when $1 then '13800001234' else '13900005678' end
      where id in ($1, $2)`,
    [ids['spa'], ids['mall']],
  )
  await addAccount(server, {
    organisationId: ids['spa'] ?? 0,
    isOwner: false,
    tree: 'merchant',
    userName: 'clerk',
    permissionIds: [31],
  })
  for (const name of ['admin', 'north', 'south', 'spa', 'mall', 'clerk'])
    tokens[name] = await server.signIn(name)
  for (const [sid, merchant] of [
    ['G1', 'spa'],
    ['G10', 'spa'],
    ['G2', 'mall'],
  ] as const)
    await server.pool.query(
      `insert into devices (sid, model_id, merchant_id, credential_hash) values ($1, 1, $2, '')`,
      [sid, ids[merchant]],
    )
  await addOrder(orderIds.old, times.old, 'spa', '4200000000000000001')
  await addOrder(orderIds.young, times.young, 'mall', '4200000000000000002')
  await server.pool.query(
    `with channel as (insert into pay_channels (organisation_id, name, settings) values (1, 'wechatPay', '') returning id)
     insert into payments (out_trade_no, order_id, merchant_id, channel_id, amount_cents, trade, expires_at)
     select $1 || '01', $1, $2::bigint, id, 500, 'jsapi', now() from channel`,
    [orderIds.old, ids['spa']],
  )
})
afterAll(() => server.stop())

describe('the one box', () => {
  it('finds an order by its number, the payment’s and the provider’s, of any year', async () => {
    for (const number of [
      orderIds.old,
      orderIds.old.toLowerCase(),
      `${orderIds.old}01`,
      `${orderIds.old}01`.toLowerCase(),
      '4200000000000000001',
    ])
      expect(await ordersFound('admin', number), number).toEqual([orderIds.old])
    expect((await found('admin', orderIds.old)).orders).toMatchObject([
      { year: 2024, status: '4', orderFee: 500, deviceSid: 'G1', merchantName: '海底角店' },
    ])
    expect((await found('admin', orderIds.young)).orders[0]?.year).toBe(2025)
    expect(await ordersFound('admin', orderIds.old.slice(0, -1))).toEqual([])
  })

  it('finds devices by the beginning of their id', async () => {
    expect(await devicesFound('admin', 'g1')).toEqual(['G1', 'G10'])
    await server.pool.query(`update devices set removed_at = now() where sid = 'G10'`)
    expect(await devicesFound('admin', 'G1')).toEqual(['G1'])
    await server.pool.query(`update devices set removed_at = null where sid = 'G10'`)
    expect(await devicesFound('admin', '1')).toEqual([])
  })

  it('finds agents and merchants by name, initials, user name and the end of a mobile', async () => {
    await writeInitials()
    for (const text of ['底角', 'hdjd', 'HDJ', 'spa', '1234', '13800001234'])
      expect(await namesFound('admin', text), text).toEqual(['海底角店'])
    expect(await namesFound('admin', 'cqm')).toEqual(['重庆 Mall'])
    expect(await namesFound('admin', '234567')).toEqual([])
    // By those of a part, whatever stands between the parts.
    await server.pool.query(`update organisations set name = '海底角·西湖店' where id = $1`, [ids['spa']])
    await writeInitials()
    for (const text of ['hdj', 'hdjxh', 'xhd'])
      expect(await namesFound('admin', text), text).toEqual(['海底角·西湖店'])
    await server.pool.query(`update organisations set name = '绿洲店' where id = $1`, [ids['spa']])
    expect(await namesFound('admin', 'hdjd')).toEqual([])
    await writeInitials()
    expect(await namesFound('admin', 'lzd')).toEqual(['绿洲店'])
    const picked = await server.call<{ name: string }[]>('GET', '/api/merchants/userid?username=lzd', {
      token: tokens['admin'] ?? '',
    })
    expect(picked.body.data.map(({ name }) => name)).toEqual(['绿洲店'])
  })

  it('tells nothing of a mobile that lists hide', async () => {
    const tried = [...'0123456789'].flatMap((digit) => [
      `${digit}1234`,
      `0${digit}01234`,
      `138${digit}0001234`,
    ])
    for (const text of tried) expect(await namesFound('admin', text), text).toEqual(['绿洲店'])
    for (const text of ['13700001234', '3700001234', '13800001235', '013800001234', '12340'])
      expect(await namesFound('admin', text), text).toEqual([])
    await server.pool.query(`update organisations set mobile = '9551234' where id = $1`, [ids['spa']])
    expect(await namesFound('admin', '551234')).toEqual(['绿洲店'])
    expect(await namesFound('admin', '561234')).toEqual([])
    await server.pool.query(`update organisations set mobile = '13800001234' where id = $1`, [ids['spa']])
  })

  it('offers an agent all below it and not itself, which no list of its own shows', async () => {
    expect(await namesFound('admin', 'north')).toEqual(['north'])
    expect(await namesFound('north', 'north')).toEqual([])
    expect(await namesFound('north', 'lzd')).toEqual(['绿洲店'])
  })

  it.each(['south', 'mall'])('shows %s nothing of others', async (who) => {
    for (const text of [orderIds.old, `${orderIds.old}01`, '4200000000000000001', 'G1', 'lzd', '1234', 'spa'])
      expect(await found(who, text), text).toEqual({ orders: [], devices: [], organisations: [] })
    expect(await ordersFound(who, orderIds.young)).toEqual([orderIds.young])
    expect(await devicesFound(who, 'G')).toEqual([])
    expect(await devicesFound(who, 'G2')).toEqual(['G2'])
  })

  it('looks only where the caller may', async () => {
    // The clerk sees the devices of no place, and has no right to orders.
    expect(await ordersFound('spa', orderIds.old)).toEqual([orderIds.old])
    expect(await found('clerk', orderIds.old)).toEqual({ orders: [], devices: [], organisations: [] })
    expect(await namesFound('spa', 'lzd')).toEqual([])
  })

  it('refuses no text and one that is too long, and looks for no single letter', async () => {
    const refusedFor = async (text: string) =>
      (await server.call('GET', `/api/find?text=${text}`, { token: tokens['admin'] ?? '' })).body
    expect(await refusedFor('')).toMatchObject({ resultCode: '100', data: { fields: { text: 'Required' } } })
    expect(await refusedFor('x'.repeat(65))).toMatchObject({
      resultCode: '100',
      data: { fields: { text: 'At most 64 characters' } },
    })
    expect(await found('admin', 'G')).toEqual({ orders: [], devices: [], organisations: [] })
  })

  it('finds a merchant among many agents', async () => {
    for (let index = 0; index < 12; index++) await addOrganisation(server, 'agent', `zq-agent-${index}`)
    const merchant = await addOrganisation(server, 'merchant', 'a-shop-zq')
    const { organisations } = await found('admin', 'zq')
    expect(organisations[0]).toMatchObject({ id: merchant, name: 'a-shop-zq' })
  })
})
