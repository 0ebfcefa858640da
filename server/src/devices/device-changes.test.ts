import type { addDevice, DataOf, DeviceRow, DevicesChanged, Envelope } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testTimeZone,
  type TestServer,
} from '../testing/test-server.ts'
import { createDeviceCredentials } from './device-credentials.ts'
import { createDeviceListCalls } from './device-list-api.ts'
import { remarkOf } from './device-log.ts'
import { equipDevicesCalls } from './equip-devices.ts'
import { createKeepDevicesCalls } from './keep-devices.ts'
import { lockDevicesCalls } from './lock-devices.ts'
import { moveDevicesCalls } from './move-devices.ts'

type Added = DataOf<typeof addDevice>

let server: TestServer
const organisations: Record<string, number> = {}
const tokens: Record<string, string> = {}
let places: Record<'hall' | 'lounge' | 'foyer' | 'gone', number>
let templates: Record<'day' | 'night' | 'gymDay' | 'gone', number>

const idOf = async (query: string, values: unknown[] = []) =>
  (await server.pool.query<{ id: number }>(query, values)).rows[0]?.id ?? 0

beforeAll(async () => {
  server = await startTestServer(({ secrets }) => [
    ...createDeviceListCalls(testTimeZone, secrets),
    ...createKeepDevicesCalls(createDeviceCredentials(secrets)),
    ...lockDevicesCalls,
    ...moveDevicesCalls,
    ...equipDevicesCalls,
  ])
  for (const [kind, name, parent] of [
    ['agent', 'north'],
    ['agent', 'south'],
    ['merchant', 'spa', 'north'],
    ['merchant', 'bath', 'north'],
    ['merchant', 'gym', 'south'],
  ] as const)
    organisations[name] = await addOrganisation(server, kind, name, parent ? organisations[parent] : 1)
  const place = (merchant: string, address: string) =>
    idOf('insert into places (merchant_id, address) values ($1, $2) returning id', [
      organisations[merchant],
      address,
    ])
  const template = (merchant: string, name: string, workMode: number) =>
    idOf(
      `insert into goods_templates (merchant_id, name, work_mode, sleep_start, sleep_end) values ($1, $2, $3, '22:00', '08:00') returning id`,
      [organisations[merchant], name, workMode],
    )
  places = {
    hall: await place('spa', 'hall'),
    lounge: await place('spa', 'lounge'),
    foyer: await place('gym', 'foyer'),
    gone: await place('spa', 'gone'),
  }
  templates = {
    day: await template('spa', 'day', 0),
    night: await template('spa', 'night', 1),
    gymDay: await template('gym', 'gym day', 0),
    gone: await template('spa', 'gone', 0),
  }
  await server.pool.query(`update places set removed_at = now() where id = $1`, [places.gone])
  await server.pool.query(`update goods_templates set removed_at = now() where id = $1`, [templates.gone])
  await server.pool.query(`insert into device_models (id, model) values (1, 'M1'), (2, 'M2')`)
  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  const clerk = await addAccount(server, {
    organisationId: organisations['spa'] ?? 0,
    userName: 'clerk',
    isOwner: false,
    tree: 'merchant',
  })
  await server.pool.query('insert into account_places (account_id, place_id) values ($1, $2)', [
    clerk,
    places.hall,
  ])
  for (const name of ['root', 'north', 'spa', 'gym', 'clerk']) tokens[name] = await server.signIn(name)
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.pool.query(
    'truncate devices, device_states, device_logs, device_commands, device_facets cascade',
  )
  // Counts are kept by statements that change rows, which this is not.
  await server.pool.query('update organisations set device_count = 0')
})

interface Made {
  merchant?: string
  place?: number
  template?: number
  sleepTemplate?: number
  bound?: boolean
  locked?: number
}

/** A device as it might stand; bound when it is somebody's. */
async function have(sid: string, made: Made = {}): Promise<number> {
  const id = await idOf(
    `insert into devices (sid, name, model_id, merchant_id, place_id, template_id, sleep_template_id, bound, bound_at, locked, wifi_ssid, wifi_password, credential_hash)
     values ($1, 'chair', 1, $2, $3, $4, $5, $6, case when $6 then timestamptz '2026-01-01' end, $7, 'net', '\\x01', '') returning id`,
    [
      sid,
      made.merchant === undefined ? null : organisations[made.merchant],
      made.place ?? null,
      made.template ?? null,
      made.sleepTemplate ?? null,
      made.bound ?? made.merchant !== undefined,
      made.locked ?? 0,
    ],
  )
  await server.pool.query('insert into device_states (device_id) values ($1)', [id])
  return id
}

const run = (id: number) =>
  server.pool.query(
    `update device_states set running_command_id = 'c', running_until = now() + interval '5 minutes' where device_id = $1`,
    [id],
  )

async function ask<Data = DevicesChanged>(
  who: string,
  verb: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body: object,
  language = 'en',
): Promise<Envelope<Data>> {
  const answer = await server.call<Data>(verb, path, {
    token: tokens[who] ?? '',
    body,
    headers: { 'accept-language': language },
  })
  return answer.body
}
const fieldsOf = ({ data }: Envelope<unknown>) => Object.keys((data as { fields: object }).fields)

async function rowOf(id: number): Promise<Record<string, unknown>> {
  const { rows } = await server.pool.query('select * from devices where id = $1', [id])
  return rows[0]
}

/** What a device's log says, oldest first, and to whom. */
async function logOf(id: number) {
  const { rows } = await server.pool.query<{
    action: string
    details: Record<string, string>
    merchantId: number | null
    userId: string
  }>(
    `select action, details, merchant_id as "merchantId", user_id as "userId" from device_logs where device_id = $1 order by id`,
    [id],
  )
  return rows.map(({ action, details, merchantId, userId }) => {
    const merchant = Object.entries(organisations).find(([, one]) => one === merchantId)?.[0] ?? 'nobody'
    return `${userId}: ${remarkOf({ action, details, remark: '' }, 'en')} (${merchant})`
  })
}

describe('adding a device', () => {
  const added = { name: 'new', modelid: 1, typeid: '1', fmversion: '1.0' }
  const add = (form: object) => ask<Added>('root', 'POST', '/api/device', { ...added, ...form })

  it('makes a device of nobody whose board signs in with the password shown', async () => {
    const { data } = await add({ deviceid: ' g100 ' })
    expect(data.deviceId).toBe('G100')
    const credentials = createDeviceCredentials(server.secrets)
    expect(await credentials.check(server.db, 'G100', data.password)).toBe(true)
    expect(await credentials.check(server.db, 'G100', `${data.password}x`)).toBe(false)
    const list = await server.call<{ list: DeviceRow[] }>('GET', '/api/devices?merchantid=0', {
      token: tokens['root'] ?? '',
    })
    expect(list.body.data.list).toMatchObject([
      { deviceId: 'G100', name: 'new', model: 'M1', merchantId: null, associated: 0, locked: 0, status: 2 },
    ])
    expect(await logOf(data.id)).toEqual(['root: Added (nobody)'])
    const trail = await server.pool.query(`select details::text from audit_trail where action = 'device.add'`)
    expect(JSON.stringify(trail.rows)).not.toContain(data.password)
  })

  it.each([
    ['deviceid', ''],
    ['deviceid', 'A100'],
    ['deviceid', 'GXYZ'],
    ['deviceid', 'G-100'],
    ['deviceid', 'G'],
    ['deviceid', `G${'1'.repeat(20)}`],
    ['name', ''],
    ['name', 'x'.repeat(61)],
    ['modelid', ''],
    ['modelid', 999],
    ['typeid', '2'],
    ['fmversion', 'x'.repeat(65)],
  ])('refuses %s %j and adds nothing', async (field, value) => {
    expect(fieldsOf(await add({ deviceid: 'G100', [field]: value }))).toEqual([field])
    expect(await idOf('select count(*) as id from devices')).toBe(0)
  })

  it.each([
    ['deviceid', `B${'1'.repeat(19)}`],
    ['deviceid', 'W1'],
    ['name', 'x'.repeat(60)],
    ['fmversion', 'x'.repeat(64)],
  ])('takes %s %j, the most there may be', async (field, value) => {
    expect((await add({ deviceid: 'G100', [field]: value })).success).toBe(true)
  })

  it('gives an id once, however many ask for it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add({ deviceid: 'G100' })))
    expect(answers.map(({ resultCode }) => resultCode).toSorted()).toEqual([
      '000',
      ...Array.from({ length: 19 }, () => '106'),
    ])
  })

  it('is for admins alone', async () => {
    expect((await ask('north', 'POST', '/api/device', { ...added, deviceid: 'G100' })).resultCode).toBe('103')
  })
})

describe('removing a device', () => {
  it('takes it off every list and keeps its log; added again, it begins as new', async () => {
    const id = await have('G100', { merchant: 'spa', place: places.hall, template: templates.day })
    expect((await ask('root', 'DELETE', `/api/device?id=${id}`, {})).data).toEqual({ changed: 1, failed: [] })
    expect(await rowOf(id)).toMatchObject({ merchant_id: organisations['spa'], bound: false })
    expect((await ask('root', 'PUT', '/api/device/lock', { id, option: 1 })).resultCode).toBe('104')

    const again = await ask<Added>('root', 'POST', '/api/device', {
      deviceid: 'G100',
      name: 'new',
      modelid: 2,
    })
    expect(again.data.id).toBe(id)
    expect(await rowOf(id)).toMatchObject({
      name: 'new',
      merchant_id: null,
      place_id: null,
      template_id: null,
      wifi_ssid: '',
      wifi_password: null,
      removed_at: null,
    })
    expect(await logOf(id)).toEqual(['root: Removed (spa)', 'root: Added (nobody)'])
  })

  it('waits for the end of a run, and for a start that is on its way', async () => {
    const [running, starting, idle] = [await have('G1'), await have('G2'), await have('G3')]
    await run(running)
    await server.pool.query(
      `insert into device_commands (id, device_id, kind, payload, requested_by) values ('s', $1, 'start', '{"durationSeconds": 600}', 'test')`,
      [starting],
    )
    const remove = (body: object) => ask('root', 'DELETE', '/api/device', body)
    expect((await remove({ id: running })).resultCode).toBe('105')
    const { data } = await remove({ deviceIds: [running, starting, idle] })
    expect(data).toEqual({
      changed: 1,
      failed: [
        { id: running, deviceId: 'G1', message: 'The device is in use' },
        { id: starting, deviceId: 'G2', message: 'The device is in use' },
      ],
    })
    // Acknowledged, it runs though no heartbeat has told it yet; delivered, it is over.
    await server.pool.query(
      `update device_commands set state = 'accepted', acknowledged_at = now() where id = 's'`,
    )
    expect((await remove({ id: starting })).resultCode).toBe('105')
    await server.pool.query(`update device_commands set delivered_seconds = 10 where id = 's'`)
    expect((await remove({ id: starting })).success).toBe(true)
  })

  it('is for admins alone', async () => {
    const id = await have('G100', { merchant: 'spa' })
    for (const who of ['north', 'spa'])
      expect((await ask(who, 'DELETE', '/api/device', { id })).resultCode).toBe('103')
  })
})

describe('editing a device', () => {
  const form = { name: 'renamed', modelid: 2, fmversion: '2.0' }

  it('changes name, model and firmware, never the id', async () => {
    const id = await have('G100', { merchant: 'spa', place: places.hall })
    const edit = (body: object) => ask('clerk', 'PUT', '/api/device', { id, ...form, ...body })
    expect(fieldsOf(await edit({ deviceid: 'G101' }))).toEqual(['deviceid'])
    expect(fieldsOf(await edit({ modelid: 999 }))).toEqual(['modelid'])
    expect(fieldsOf(await edit({ name: ' ' }))).toEqual(['name'])
    expect(await logOf(id)).toEqual([])
    expect((await edit({ deviceid: 'G100' })).success).toBe(true)
    expect(await rowOf(id)).toMatchObject({ sid: 'G100', name: 'renamed', model_id: 2, firmware: '2.0' })
    expect(await logOf(id)).toEqual(['clerk: Changed: renamed, M2, 2.0 (spa)'])
  })

  it('of somebody else, or at a place that is not one’s own, does not exist', async () => {
    const id = await have('G100', { merchant: 'spa', place: places.lounge })
    for (const who of ['clerk', 'gym'])
      expect((await ask(who, 'PUT', '/api/device', { id, ...form })).resultCode).toBe('104')
  })
})

describe('locking', () => {
  it.each([
    ['spa', 0, 1, '000', 1],
    ['spa', 1, 0, '000', 0],
    ['spa', 2, 0, '105', 2],
    ['spa', 2, 1, '000', 2],
    ['north', 2, 0, '105', 2],
    ['root', 0, 1, '000', 2],
    ['root', 1, 1, '000', 2],
    ['root', 2, 0, '000', 0],
  ])(
    'by %s of a device at %d with option %d answers %s and leaves %d',
    async (who, before, option, code, after) => {
      const id = await have('G100', { merchant: 'spa', locked: before })
      expect((await ask(who, 'PUT', `/api/device/lock?id=${id}&option=${option}`, {})).resultCode).toBe(code)
      expect(await rowOf(id)).toMatchObject({ locked: after })
    },
  )

  it('of many tells each that stays locked, in the caller’s language', async () => {
    const [free, admins] = [
      await have('G1', { merchant: 'spa', locked: 1 }),
      await have('G2', { merchant: 'spa', locked: 2 }),
    ]
    const theirs = await have('K1', { merchant: 'gym', locked: 1 })
    const { data } = await ask(
      'spa',
      'PUT',
      '/api/device/lock',
      { deviceIds: `${free},${admins},${theirs}`, option: '0' },
      'zh-CN',
    )
    expect(data).toEqual({
      changed: 1,
      failed: [
        { id: admins, deviceId: 'G2', message: '已被管理员锁定，只有管理员可以解锁' },
        { id: theirs, deviceId: '', message: '未找到' },
      ],
    })
    expect(await rowOf(theirs)).toMatchObject({ locked: 1 })
    expect(await logOf(free)).toEqual(['spa: Unlocked (spa)'])
  })

  it('takes two thousand at once and no more, and asks for one at least', async () => {
    await server.pool.query(
      `insert into devices (id, sid, model_id, credential_hash) select n, 'G' || n, 1, '' from generate_series(1, 2000) n`,
    )
    await server.pool.query('insert into device_states (device_id) select id from devices')
    const ids = (most: number) => Array.from({ length: most }, (_one, index) => index + 1)
    const lock = (deviceIds: unknown) => ask('root', 'PUT', '/api/device/lock', { deviceIds, option: 1 })
    expect((await lock(ids(2000))).data.changed).toBe(2000)
    expect(fieldsOf(await lock(ids(2001)))).toEqual(['deviceIds'])
    expect(await lock('')).toMatchObject({ resultCode: '105', message: 'Check Device first' })
  })
})

describe('binding', () => {
  it('is for devices that are somebody’s', async () => {
    const id = await have('G100')
    const answer = await ask('root', 'PUT', `/api/device/associate?id=${id}&option=1`, {})
    expect(answer).toMatchObject({ resultCode: '105', message: 'It belongs to no merchant yet' })
  })

  it('says since when, and only its first time counts', async () => {
    const id = await have('G100', { merchant: 'spa', bound: false })
    const bind = (option: number) => ask('spa', 'PUT', '/api/device/associate', { id, option })
    await bind(1)
    const { bound_at: since } = await rowOf(id)
    await bind(1)
    expect(await rowOf(id)).toMatchObject({ bound: true, bound_at: since })
    await bind(0)
    expect(await rowOf(id)).toMatchObject({ bound: false, bound_at: null, merchant_id: organisations['spa'] })
    expect(await logOf(id)).toEqual(['spa: Bound (spa)', 'spa: Unbound (spa)'])
  })
})

describe('moving', () => {
  const move = (who: string, merchant: string, deviceIds: number[], associated?: number) =>
    ask(who, 'POST', '/api/devices/move', {
      deviceIds,
      merchantId: organisations[merchant],
      ...(associated === undefined ? {} : { associated }),
    })
  const equipped = { place: undefined, merchant: 'spa' } as const

  it('to another merchant leaves place, templates and WiFi of the old one behind', async () => {
    const id = await have('G100', {
      ...equipped,
      place: places.hall,
      template: templates.day,
      sleepTemplate: templates.night,
    })
    expect((await move('north', 'bath', [id])).data).toEqual({ changed: 1, failed: [] })
    expect(await rowOf(id)).toMatchObject({
      merchant_id: organisations['bath'],
      place_id: null,
      template_id: null,
      sleep_template_id: null,
      wifi_ssid: '',
      wifi_password: null,
      bound: true,
    })
    expect(await logOf(id)).toEqual(['north: Moved away from spa (spa)', 'north: Moved to bath (bath)'])
    const { rows } = await server.pool.query(
      `select target, details from audit_trail where action = 'device.move' order by at desc limit 1`,
    )
    expect(rows[0]).toMatchObject({
      target: 'G100',
      details: {
        before: [{ merchantId: organisations['spa'] }],
        after: [{ merchantId: organisations['bath'] }],
      },
    })
  })

  it('to the merchant that has it changes nothing but the binding', async () => {
    const id = await have('G100', { merchant: 'spa', place: places.hall, template: templates.day })
    await move('north', 'spa', [id], 0)
    expect(await rowOf(id)).toMatchObject({
      place_id: places.hall,
      template_id: templates.day,
      wifi_ssid: 'net',
      bound: false,
    })
    expect(await logOf(id)).toEqual(['north: Unbound (spa)'])
  })

  it.each([
    [1, false, true],
    [0, true, false],
    [2, false, false],
    [2, true, true],
  ])('with associated %d leaves one that is bound: %s bound: %s', async (associated, before, after) => {
    const id = await have('G100', { merchant: 'spa', bound: before })
    await move('root', 'gym', [id], associated)
    const row = await rowOf(id)
    expect([row['bound'], row['bound_at'] !== null]).toEqual([after, after])
  })

  it('leaves a chair that runs where it is, and moves the others', async () => {
    const [running, idle] = [await have('G1', { merchant: 'spa' }), await have('G2', { merchant: 'spa' })]
    await run(running)
    expect((await move('root', 'gym', [running, idle])).data).toEqual({
      changed: 1,
      failed: [{ id: running, deviceId: 'G1', message: 'The device is in use' }],
    })
    expect(await rowOf(running)).toMatchObject({ merchant_id: organisations['spa'], wifi_ssid: 'net' })
  })

  it('is within what the caller sees: of devices and of merchants', async () => {
    const [own, theirs, nobodys] = [
      await have('G1', { merchant: 'spa' }),
      await have('G2', { merchant: 'gym' }),
      await have('G3'),
    ]
    expect((await move('north', 'gym', [own])).resultCode).toBe('104')
    expect((await move('north', 'bath', [theirs])).resultCode).toBe('104')
    expect((await move('north', 'bath', [nobodys])).resultCode).toBe('104')
    expect((await move('north', 'bath', [own, theirs, nobodys])).data).toMatchObject({
      changed: 1,
      failed: [
        { id: theirs, deviceId: '' },
        { id: nobodys, deviceId: '' },
      ],
    })
    expect((await move('north', 'north', [own])).resultCode).toBe('105')
    expect((await move('spa', 'bath', [own])).resultCode).toBe('103')
    expect(fieldsOf(await ask('root', 'POST', '/api/devices/move', { deviceIds: [own] }))).toEqual([
      'merchantId',
    ])
  })

  it('by twenty at once to and fro ends with every device at one merchant, each way in the log', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_one, index) => have(`G${index}`, { merchant: 'spa' })),
    )
    const shuffled = (turn: number) => [...ids.slice(turn), ...ids.slice(0, turn)]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_one, turn) =>
        move('root', ['spa', 'bath', 'gym'][turn % 3] ?? '', shuffled(turn)),
      ),
    )
    for (const { data } of answers) expect(data).toEqual({ changed: 30, failed: [] })
    const { rows } = await server.pool.query<{ kept: number; counted: number }>(
      `select o.device_count as kept, count(d.id) as counted from organisations o left join devices d on d.merchant_id = o.id and d.removed_at is null
        where o.kind = 'merchant' group by o.id`,
    )
    for (const { kept, counted } of rows) expect(kept).toBe(counted)
    for (const id of ids) {
      const log = await logOf(id)
      const last = log.at(-1) ?? ''
      const { merchant_id: merchantId } = await rowOf(id)
      const holder = Object.entries(organisations).find(([, one]) => one === merchantId)?.[0]
      if (log.length > 0) expect(last).toBe(`root: Moved to ${holder} (${holder})`)
      // It is moved away from where it was moved to.
      for (let at = 2; at < log.length; at += 2)
        expect(log[at]).toBe(log[at - 1]?.replace('Moved to', 'Moved away from'))
    }
  }, 20_000)
})

describe('the totals of the whole list', () => {
  it('are what is there, after every kind of change by many at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_one, index) =>
        have(`G${index}`, index % 3 === 0 ? {} : { merchant: 'spa' }),
      ),
    )
    const some = (from: number) => ids.slice(from, from + 15)
    await Promise.all([
      ask('root', 'POST', '/api/devices/move', {
        deviceIds: some(0),
        merchantId: organisations['gym'],
        associated: 1,
      }),
      ask('root', 'PUT', '/api/device/lock', { deviceIds: some(5), option: 1 }),
      ask('root', 'DELETE', '/api/device', { deviceIds: some(25) }),
      ask('spa', 'POST', '/api/device/place', { deviceIds: some(10), placeId: places.hall }),
      ask('spa', 'POST', '/api/devices/template', { deviceIds: some(12), templateId: templates.day }),
      ask('spa', 'PUT', '/api/device/associate', { deviceIds: some(8), option: 0 }),
      server.pool.query(`select change_device_statuses('g', $1, $2, $3)`, [
        ids.slice(3, 30).map((_id, index) => `G${index + 3}`),
        ids.slice(3, 30).map((_id, index) => [1, 3, 4][index % 3]),
        ids.slice(3, 30).map(() => new Date()),
      ]),
      server.pool.query('update device_states set status = 1 where device_id = $1', [ids[1]]),
      ask('root', 'PUT', '/api/device', { id: ids[2], name: 'other', modelid: 2 }),
    ])
    const filters = [
      '',
      'merchantid=0',
      'modelid=1',
      'modelid=2',
      'sleepmode=0',
      'sleepmode=1',
      'locked=2&status=1',
    ]
    const each = ['status', 'locked', 'associated'].flatMap((name) =>
      [0, 1, 2, 3, 4].map((value) => `${name}=${value}`),
    )
    for (const filter of [
      ...filters,
      ...each.filter((one) => !/status=0|(locked|associated)=[34]/.test(one)),
    ]) {
      const list = async (pagesize: number) => {
        const path = `/api/devices?pagesize=${pagesize}&${filter}`
        const answer = await server.call<{ list: DeviceRow[]; total: number }>('GET', path, {
          token: tokens['root'] ?? '',
        })
        return answer.body.data
      }
      const [page, all] = [await list(10), await list(0)]
      expect(page.total, filter).toBe(all.list.length)
      expect(page.list, filter).toEqual(all.list.slice(0, 10))
    }
  }, 20_000)
})

describe('putting devices at a place', () => {
  const link = (who: string, placeId: number, deviceIds: number[]) =>
    ask(who, 'POST', '/api/device/place', { deviceIds, placeId })

  it('is within one’s own places', async () => {
    const [own, theirs] = [await have('G1', { merchant: 'spa' }), await have('G2', { merchant: 'gym' })]
    expect((await link('spa', places.hall, [own, theirs])).data).toMatchObject({
      changed: 1,
      failed: [{ id: theirs }],
    })
    expect(await rowOf(own)).toMatchObject({ place_id: places.hall })
    expect(await logOf(own)).toEqual(['spa: Put at hall (spa)'])
    expect((await link('spa', places.foyer, [own])).resultCode).toBe('104')
    expect((await link('spa', places.gone, [own])).resultCode).toBe('104')
    expect((await link('clerk', places.lounge, [own])).resultCode).toBe('104')
    expect((await link('root', places.hall, [own])).resultCode).toBe('103')
    expect(await rowOf(own)).toMatchObject({ place_id: places.hall })
  })
})

describe('giving devices goods', () => {
  const bind = (who: string, body: object) => ask(who, 'POST', '/api/devices/template', body)

  it('sets the template, and the one for sleep when it is sent; 0 takes that away', async () => {
    const id = await have('G1', { merchant: 'spa' })
    await bind('spa', { deviceIds: [id], templateId: templates.day, sleepTemplateId: templates.night })
    expect(await rowOf(id)).toMatchObject({ template_id: templates.day, sleep_template_id: templates.night })
    await bind('spa', { deviceIds: [id], templateId: templates.day })
    expect(await rowOf(id)).toMatchObject({ sleep_template_id: templates.night })
    await bind('spa', { deviceIds: [id], templateId: templates.day, sleepTemplateId: 0 })
    expect(await rowOf(id)).toMatchObject({ template_id: templates.day, sleep_template_id: null })
    expect(await logOf(id)).toEqual(['spa: Sells day, while sleeping night (spa)', 'spa: Sells day (spa)'])
  })

  it('takes templates of the merchant and of the right kind', async () => {
    const id = await have('G1', { merchant: 'spa' })
    const of = (body: object) => bind('spa', { deviceIds: [id], templateId: templates.day, ...body })
    expect((await of({ templateId: templates.gymDay })).resultCode).toBe('104')
    expect((await of({ templateId: templates.gone })).resultCode).toBe('104')
    expect((await of({ sleepTemplateId: templates.gone })).resultCode).toBe('104')
    expect(fieldsOf(await of({ templateId: templates.night }))).toEqual(['templateId'])
    expect(fieldsOf(await of({ sleepTemplateId: templates.day }))).toEqual(['sleepTemplateId'])
    expect(fieldsOf(await of({ templateId: '' }))).toEqual(['templateId'])
    expect(await rowOf(id)).toMatchObject({ template_id: null, sleep_template_id: null })
  })

  it('is for the devices of a sub-account’s own places', async () => {
    const [near, far] = [
      await have('G1', { merchant: 'spa', place: places.hall }),
      await have('G2', { merchant: 'spa', place: places.lounge }),
    ]
    const { data } = await bind('clerk', { deviceIds: [near, far], templateId: templates.day })
    expect(data).toMatchObject({ changed: 1, failed: [{ id: far }] })
  })
})
