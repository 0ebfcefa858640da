import { sheetType, type DataOf, type DeviceRow, type listDeviceStatus } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { textsOf } from '../testing/test-sheets.ts'
import { createDeviceListCalls } from './device-list-api.ts'

type StatusRow = DataOf<typeof listDeviceStatus>['list'][number]
interface List<Row> {
  list: Row[]
  total: number
}

let server: TestServer
const ids: Record<string, number> = {}
const tokens: Record<string, string> = {}

const idOf = async (query: string, values: unknown[]) =>
  (await server.pool.query<{ id: number }>(query, values)).rows[0]?.id ?? 0

interface DeviceToAdd {
  merchant?: string
  place?: string
  template?: string
  sleepTemplate?: string
  model?: string
  isBound?: boolean
  status?: number
  locked?: number
}

async function addDevice(sid: string, device: DeviceToAdd): Promise<void> {
  const id = (name: string | undefined) => (name === undefined ? null : ids[name])
  const deviceId = await idOf(
    `insert into devices (sid, model_id, merchant_id, place_id, template_id, sleep_template_id, bound, bound_at, locked, credential_hash, wifi_ssid, wifi_password)
     values ($1, $2, $3, $4, $5, $6, $7, case when $7 then now() end, $8, '', 'hall', '\\x01') returning id`,
    [
      sid,
      ids[device.model ?? 'M1'],
      id(device.merchant),
      id(device.place),
      id(device.template),
      id(device.sleepTemplate),
      device.isBound ?? device.merchant !== undefined,
      device.locked ?? 0,
    ],
  )
  await server.pool.query('insert into device_states (device_id, status, signal) values ($1, $2, 3)', [
    deviceId,
    device.status ?? 2,
  ])
}

beforeAll(async () => {
  server = await startTestServer(({ secrets }) => createDeviceListCalls(testTimeZone, secrets))
  const { pool } = server
  ids['north'] = await addOrganisation(server, 'agent', 'north')
  ids['south'] = await addOrganisation(server, 'agent', 'south')
  ids['spa'] = await addOrganisation(server, 'merchant', 'spa', ids['north'])
  ids['gym'] = await addOrganisation(server, 'merchant', 'gym', ids['south'])
  for (const [name, merchant] of [
    ['hall', 'spa'],
    ['lounge', 'spa'],
    ['foyer', 'gym'],
  ] as const) {
    ids[name] = await idOf('insert into places (merchant_id, address) values ($1, $2) returning id', [
      ids[merchant],
      name,
    ])
  }
  for (const [name, merchant] of [
    ['day', 'spa'],
    ['night', 'spa'],
    ['gymDay', 'gym'],
  ] as const) {
    ids[name] = await idOf(
      `insert into goods_templates (merchant_id, name, work_mode) values ($1, $2, 0) returning id`,
      [ids[merchant], name],
    )
  }
  ids['M1'] = await idOf(`insert into device_models (model) values ('M1') returning id`, [])
  ids['M2'] = await idOf(`insert into device_models (model, sleep_mode) values ('M2', true) returning id`, [])
  await pool.query(
    `insert into pay_channels (organisation_id, name, settings) values ($1, 'wechatPay', '')`,
    [ids['spa']],
  )
  await addDevice('G101', { merchant: 'spa', place: 'hall', template: 'day', status: 1 })
  await addDevice('G102', {
    merchant: 'spa',
    place: 'lounge',
    template: 'day',
    sleepTemplate: 'night',
    model: 'M2',
  })
  await addDevice('G103', { merchant: 'spa', template: 'day', locked: 1 })
  await addDevice('G104', { merchant: 'spa', place: 'hall', isBound: false })
  await addDevice('K201', { merchant: 'gym', place: 'foyer', template: 'gymDay', status: 4 })
  await addDevice('K202', { merchant: 'gym' })
  await addDevice('N301', {})
  await addDevice('N999', {})
  await pool.query(`update devices set removed_at = now() where sid = 'N999'`)

  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  const clerk = await addAccount(server, {
    organisationId: ids['spa'],
    userName: 'clerk',
    isOwner: false,
    tree: 'merchant',
  })
  await pool.query('insert into account_places (account_id, place_id) values ($1, $2)', [clerk, ids['hall']])
  await addAccount(server, {
    organisationId: ids['spa'],
    userName: 'newcomer',
    isOwner: false,
    tree: 'merchant',
  })
  for (const name of ['root', 'north', 'spa', 'gym', 'clerk', 'newcomer'])
    tokens[name] = await server.signIn(name)
})
afterAll(() => server.stop())

async function ask<Row>(path: string, who: string, query: Record<string, string | number>) {
  const search = new URLSearchParams(query as Record<string, string>)
  const { body } = await server.call<List<Row>>('GET', `${path}?${search.toString()}`, {
    token: tokens[who] ?? '',
  })
  return body
}

/** The Excel file of a list, row by row. */
async function sheetOf(who: string, path: string, query: Record<string, string>): Promise<string[][]> {
  const answer = await server.app.inject({
    url: `${path}?${new URLSearchParams(query)}`,
    headers: { 'x-access-token': tokens[who], accept: sheetType, 'accept-language': 'en' },
  })
  return textsOf(answer.rawPayload)
}

const devicesOf = async (who: string, query: Record<string, string | number> = {}) =>
  (await ask<DeviceRow>('/api/devices', who, query)).data
const sidsOf = async (who: string, query: Record<string, string | number> = {}) =>
  (await devicesOf(who, query)).list.map(({ deviceId }) => deviceId)

describe('the device list', () => {
  it.each([
    ['root', ['G101', 'G102', 'G103', 'G104', 'K201', 'K202', 'N301']],
    ['north', ['G101', 'G102', 'G103', 'G104']],
    ['spa', ['G101', 'G102', 'G103', 'G104']],
    ['gym', ['K201', 'K202']],
    ['clerk', ['G101', 'G104']],
    ['newcomer', []],
  ])('shows %s the devices of its scope, by device id', async (who, sids) => {
    expect(await sidsOf(who)).toEqual(sids)
    expect((await devicesOf(who)).total).toBe(sids.length)
  })

  it('says which bound devices cannot sell, and what they lack', async () => {
    const rows = (await devicesOf('root')).list
    expect(rows.map(({ deviceId, associated, cannotSell }) => [deviceId, associated, cannotSell])).toEqual([
      ['G101', 1, []],
      ['G102', 1, []],
      ['G103', 2, ['noPlace']],
      ['G104', 0, []],
      ['K201', 2, ['noPayChannel']],
      ['K202', 2, ['noPlace', 'noTemplate', 'noPayChannel']],
      ['N301', 0, []],
    ])
  })

  it.each([
    [{ associated: 0 }, ['G104', 'N301']],
    [{ associated: 1 }, ['G101', 'G102']],
    [{ associated: 2 }, ['G103', 'K201', 'K202']],
    [{ deviceid: 'k2' }, ['K201', 'K202']],
    [{ deviceid: '%' }, []],
    [{ deviceid: 'G10_' }, []],
    [{ status: 4 }, ['K201']],
    [{ status: 1 }, ['G101']],
    [{ locked: 1 }, ['G103']],
    [{ sleepmode: 1 }, ['G102']],
    [{ merchantid: 0 }, ['N301']],
    [{ status: 2, associated: 2 }, ['G103', 'K202']],
  ])('filters by %j', async (query, sids) => {
    expect(await sidsOf('root', query)).toEqual(sids)
  })

  it('outside admin finds all that are locked as disabled, whoever locked them', async () => {
    await server.pool.query(`update devices set locked = 2 where sid in ('G102', 'K201')`)
    expect(await sidsOf('root', { locked: 1 })).toEqual(['G103'])
    expect(await sidsOf('root', { locked: 2 })).toEqual(['G102', 'K201'])
    for (const who of ['north', 'spa']) {
      expect(await sidsOf(who, { locked: 1 })).toEqual(['G102', 'G103'])
      expect((await devicesOf(who, { locked: 1 })).total).toBe(2)
    }
    expect(await sidsOf('spa', { locked: 1, placeid: ids['lounge'] ?? 0 })).toEqual(['G102'])
    expect(await sidsOf('gym', { locked: 1, deviceid: 'K' })).toEqual(['K201'])
    const lockWords = async (who: string) => {
      const [header = [], ...rows] = await sheetOf(who, '/api/devices', { deviceid: 'G10' })
      return [header, ...rows.map((row) => row.filter((text) => /abled|admin/.test(text)))]
    }
    const [ofAdmin = [], ...adminsWords] = await lockWords('root')
    const [ofSpa = [], ...spasWords] = await lockWords('spa')
    expect(adminsWords).toEqual([['Enabled'], ['Locked by admin'], ['Disabled'], ['Enabled']])
    expect(spasWords).toEqual([['Enabled'], ['Disabled'], ['Disabled'], ['Enabled']])
    expect(ofAdmin.filter((title) => title === 'Lock' || title === 'Agent')).toEqual(['Agent', 'Lock'])
    expect(ofSpa.filter((title) => title === 'Lock' || title === 'Agent')).toEqual(['Lock'])
    expect((await sheetOf('root', '/api/devices', { deviceid: 'G101' }))[1]).toContain('north')
    await server.pool.query(`update devices set locked = 0 where sid in ('G102', 'K201')`)
  })

  it('says in its sheet what a device lacks to sell, and whether it is blocked', async () => {
    await server.pool.query('update organisations set status = 2 where id = $1', [ids['spa']])
    const [titles = [], ...rows] = await sheetOf('root', '/api/devices', { deviceid: 'G10' })
    await server.pool.query('update organisations set status = 1 where id = $1', [ids['spa']])
    expect(titles).toEqual(expect.arrayContaining(['Why it cannot sell', 'Blocked']))
    const told = rows.map((row) => row.filter((text) => /^no |^Yes$|^No$/.test(text)))
    expect(told).toEqual([
      ['No', 'Yes'],
      ['No', 'Yes'],
      ['No', 'no place', 'Yes'],
      ['No', 'Yes'],
    ])
  })

  it('says in its sheet which chairs run, as the screen does', async () => {
    const run = async (commandId: string, until: string) =>
      server.pool.query(
        `update device_states s set running_command_id = $1, running_until = ${until}
           from devices d where d.id = s.device_id and d.sid = 'G102'`,
        [commandId],
      )
    await run('c1', `now() + interval '5 minutes'`)
    const [titles = [], ...rows] = await sheetOf('spa', '/api/devices', { deviceid: 'G10' })
    expect(titles[titles.indexOf('Status') + 1]).toBe('Running')
    expect(rows.map((row) => row.find((text) => /^Yes$|^No$/.test(text)))).toEqual(['No', 'Yes', 'No', 'No'])
    await run('', 'null')
  })

  it('filters by merchant, agent, place, model and either template', async () => {
    expect(await sidsOf('root', { merchantid: ids['gym'] ?? 0 })).toEqual(['K201', 'K202'])
    expect(await sidsOf('root', { agentId: ids['north'] ?? 0, associated: 2 })).toEqual(['G103'])
    expect(await sidsOf('spa', { placeid: ids['hall'] ?? 0 })).toEqual(['G101', 'G104'])
    expect(await sidsOf('spa', { templateid: ids['night'] ?? 0 })).toEqual(['G102'])
    expect(await sidsOf('root', { modelid: ids['M2'] ?? 0 })).toEqual(['G102'])
  })

  it('takes an organisation for what it is, whichever filter names it', async () => {
    expect(await sidsOf('root', { agentId: ids['gym'] ?? 0 })).toEqual(['K201', 'K202'])
    expect(await sidsOf('root', { merchantid: ids['south'] ?? 0 })).toEqual(['K201', 'K202'])
    expect(await sidsOf('root', { agentId: ids['south'] ?? 0, merchantid: ids['gym'] ?? 0 })).toEqual([
      'K201',
      'K202',
    ])
    expect(await sidsOf('root', { agentId: ids['north'] ?? 0, merchantid: ids['gym'] ?? 0 })).toEqual([])
  })

  it('answers what belongs to somebody else as if it did not exist', async () => {
    expect(await sidsOf('spa', { merchantid: ids['gym'] ?? 0 })).toEqual([])
    expect(await sidsOf('north', { merchantid: ids['gym'] ?? 0 })).toEqual([])
    expect(await sidsOf('north', { agentId: ids['south'] ?? 0 })).toEqual([])
    expect(await sidsOf('spa', { placeid: ids['foyer'] ?? 0 })).toEqual([])
    expect(await sidsOf('north', { merchantid: 0 })).toEqual([])
  })

  it('pages with the exact total, and gives every row in the same order at once', async () => {
    const pages = await Promise.all([1, 2, 3].map((pagenum) => sidsOf('root', { pagesize: 3, pagenum })))
    expect(pages).toEqual([['G101', 'G102', 'G103'], ['G104', 'K201', 'K202'], ['N301']])
    expect((await devicesOf('root', { pagesize: 3, pagenum: 9 })).total).toBe(7)
    expect(await sidsOf('root', { pagesize: 0 })).toEqual(pages.flat())
    expect(await devicesOf('root', { pagesize: 0 })).toEqual(await devicesOf('root', { pagesize: 100 }))
  })

  it('tells who a device belongs to and hides its WiFi password', async () => {
    const [row] = (await devicesOf('root', { deviceid: 'G102' })).list
    expect(row).toMatchObject({
      agentName: 'north',
      agentUserId: 'north',
      merchantName: 'spa',
      merchantUserId: 'spa',
      placeAddress: 'lounge',
      templateName: 'day',
      sleepTemplateName: 'night',
      model: 'M2',
      signals: 3,
      wifiSsid: 'hall',
      wifiPass: '',
      blocked: false,
    })
    for (const pagesize of [10, 0]) {
      const ofSpa = { deviceid: 'G102', merchantid: ids['spa'] ?? 0, pagesize }
      const [one] = (await devicesOf('root', ofSpa)).list
      expect(one).toMatchObject({ agentId: ids['north'], agentName: 'north', agentUserId: 'north' })
    }
    // Who stands above is not a merchant's to see.
    const [own] = (await devicesOf('spa', { deviceid: 'G102' })).list
    expect(own).toMatchObject({ merchantName: 'spa', agentId: null, agentName: null, agentUserId: null })
  })

  it('shows the devices of a locked merchant as blocked', async () => {
    await server.pool.query('update organisations set status = 2 where id = $1', [ids['gym']])
    const rows = (await devicesOf('root', { merchantid: ids['gym'] ?? 0 })).list
    await server.pool.query('update organisations set status = 1 where id = $1', [ids['gym']])
    expect(rows.map(({ blocked }) => blocked)).toEqual([true, true])
  })
})

describe('the online history', () => {
  const statusOf = async (who: string, query: Record<string, string | number>) =>
    (await ask<StatusRow>('/api/device/status', who, query)).data

  beforeAll(async () => {
    await server.pool.query(
      `select ensure_month_partitions('device_status_history', '2026-03-01', '2026-03-31')`,
    )
    const add = (sid: string, merchant: string, status: number, from: string, to: string | null) =>
      server.pool.query(
        `insert into device_status_history (device_id, merchant_id, sid, status, reported_at, ended_at, host_name)
         select id, $2, $1, $3, $4, $5, 'gateway-1' from devices where sid = $1`,
        [sid, ids[merchant], status, from, to],
      )
    // Midnight of the platform is 16:00 UTC of the day before.
    await add('G101', 'spa', 1, '2026-03-09T15:59:59Z', '2026-03-09T16:00:00Z')
    await add('G101', 'spa', 2, '2026-03-09T16:00:00Z', '2026-03-10T15:59:59.900Z')
    await add('G101', 'spa', 1, '2026-03-10T15:59:59.900Z', '2026-03-10T16:00:00Z')
    await add('G101', 'spa', 4, '2026-03-10T16:00:00Z', null)
    await add('K201', 'gym', 4, '2026-03-10T01:00:00Z', null)
  })

  it('tells statuses with their seconds, newest first', async () => {
    const { list, total } = await statusOf('spa', { deviceid: 'g101' })
    expect(total).toBe(4)
    expect(list.map(({ status }) => status)).toEqual([4, 1, 2, 1])
    expect(list.slice(1).map(({ duration }) => duration)).toEqual([0, 86_399, 1])
    expect(list[0]?.duration).toBeGreaterThan(3600)
    expect(list[3]).toEqual({
      deviceSid: 'G101',
      status: 1,
      duration: 1,
      reportTime: '2026-03-09T15:59:59.000Z',
      hostName: 'gateway-1',
    })
  })

  it('covers whole days of the platform, the last included', async () => {
    const days = { deviceid: 'G101', startdate: '2026-03-10', enddate: '2026-03-10' }
    expect((await statusOf('spa', days)).list.map(({ status }) => status)).toEqual([1, 2])
    expect((await statusOf('spa', { ...days, enddate: '2026-03-11' })).total).toBe(3)
    expect((await statusOf('spa', { ...days, startdate: '2026-03-09' })).total).toBe(3)
  })

  it('is of one merchant for those who have several', async () => {
    expect((await statusOf('root', { merchantid: ids['gym'] ?? 0 })).total).toBe(1)
    expect((await statusOf('root', { deviceid: 'K201' })).total).toBe(1)
    expect((await ask('/api/device/status', 'root', {})).success).toBe(false)
    expect((await statusOf('gym', {})).total).toBe(1)
  })

  it('of somebody else does not exist', async () => {
    expect((await statusOf('gym', { deviceid: 'G101' })).total).toBe(0)
    expect((await statusOf('north', { deviceid: 'K201' })).total).toBe(0)
    expect((await statusOf('clerk', {})).total).toBe(4)
    expect((await statusOf('newcomer', {})).total).toBe(0)
  })

  it('says online or offline in its sheet, whatever else a device was', async () => {
    await server.pool.query(`update device_status_history set status = 3 where sid = 'K201'`)
    const ofGym = await sheetOf('gym', '/api/device/status', {})
    expect(ofGym[1]?.slice(0, 2)).toEqual(['K201', 'Offline'])
    const ofSpa = await sheetOf('spa', '/api/device/status', {})
    expect(ofSpa.slice(1).map((row) => row[1])).toEqual([
      'GPRS online',
      'WiFi online',
      'Offline',
      'WiFi online',
    ])
  })

  it('refuses a range that ends before it starts', async () => {
    const answer = await ask('/api/device/status', 'spa', { startdate: '2026-03-11', enddate: '2026-03-10' })
    expect(answer).toMatchObject({ success: false })
  })

  it('gives all rows at once in the order of the pages', async () => {
    const all = await statusOf('spa', { pagesize: 0 })
    expect(all.list.map(({ status }) => status)).toEqual([4, 1, 2, 1])
  })
})
