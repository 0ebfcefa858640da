import type { DeviceLogRow, DeviceRow, DevicesChanged } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startRunningShop, type RunningShop } from '../testing/running-shop.ts'
import { addAccount } from '../testing/test-server.ts'

/* What is sent to boards from the device list, through a whole server and the broker. */

const sids = ['G1', 'G2', 'G3', 'G4', 'G5', 'G6']
let shop: RunningShop
let spa: string
beforeAll(async () => {
  shop = await startRunningShop(sids, { otherSids: ['G9'] })
  spa = await shop.signIn('spa')
  await vi.waitUntil(async () => {
    const online = await shop.pool.query(`select 1 from device_states where status = 1`)
    return online.rows.length === sids.length
  }, within)
})
afterAll(() => shop.stop())

const within = { timeout: 30_000, interval: 30 }
const post = (path: string, body: object, token = spa) =>
  shop.call<DevicesChanged>('POST', path, { token, body })
const start = (deviceid: string, duration = 10, token = spa) =>
  post('/api/device/work', { deviceid, duration, operation: '1' }, token)
const stop = (deviceid: string) => post('/api/device/work', { deviceid, operation: '2', duration: 0 })
const setWifi = (body: object, token = spa) => post('/api/device/wifi', { wifissid: 'hall', ...body }, token)
const rowOf = async (sid: string, token = spa) => {
  const { data } = await shop.call<{ list: DeviceRow[] }>('GET', `/api/devices?deviceid=${sid}`, { token })
  return data.list[0]
}
const remarksOf = async (sid: string) => {
  const { data } = await shop.call<{ list: DeviceLogRow[] }>('GET', `/api/device/logs?deviceid=${sid}`, {
    token: spa,
  })
  return data.list.map(({ remark }) => remark)
}
const ordersOf = async (sid: string) => {
  const { rows } = await shop.pool.query<{ status: number; fee: number; channel: string; minutes: number }>(
    `select status, fee_cents as fee, pay_channel as channel, duration_minutes as minutes from orders where device_sid = $1 order by order_time`,
    [sid],
  )
  return rows
}

describe('a start from the device list', () => {
  it('makes a manual order of price 0, runs the chair, and a stop ends it', async () => {
    expect(await start('G1', 45)).toMatchObject({ resultCode: '000', data: { changed: 1, failed: [] } })
    expect(shop.chairs.chair('G1').running).toMatchObject({ remainingSeconds: expect.any(Number) })
    await vi.waitFor(
      async () =>
        expect(await ordersOf('G1')).toEqual([{ status: 4, fee: 0, channel: 'manualStart', minutes: 45 }]),
      within,
    )
    await vi.waitFor(async () => expect(await rowOf('G1')).toMatchObject({ running: true }), within)
    expect(await stop('G1')).toMatchObject({ resultCode: '000', data: { changed: 1, failed: [] } })
    expect(shop.chairs.chair('G1').running).toBeNull()
    await vi.waitFor(async () => expect(await ordersOf('G1')).toMatchObject([{ status: 3 }]), within)
    const [stopped, started] = await remarksOf('G1')
    expect(stopped).toBe('Stop requested')
    expect(started).toMatch(/^Started for 45 min, order KT/)
    await vi.waitFor(async () => expect(await rowOf('G1')).toMatchObject({ running: false }), within)
    expect(await stop('G1')).toMatchObject({ resultCode: '105', message: 'The device is not running' })
    const { rows } = await shop.pool.query(
      `select 1 from ledger_entries union all select 1 from income_deltas`,
    )
    expect(rows).toEqual([])
  })

  it('is ended by a stop although the board of another chair says that it runs just this', async () => {
    // It ran in the test before.
    await vi.waitFor(async () => expect(await rowOf('G1')).toMatchObject({ running: false }), within)
    expect(await start('G1', 45)).toMatchObject({ resultCode: '000' })
    const [run = ''] = shop.chairs.chair('G1').startedBy.slice(-1)
    await shop.pool.query(
      `update device_states set running_command_id = $1, running_until = now() + interval '1 hour' where device_id = $2`,
      [run, shop.idOf('G2')],
    )
    await stop('G2')
    expect(shop.chairs.chair('G1').running).not.toBeNull()
    expect(await stop('G1')).toMatchObject({ resultCode: '000', data: { changed: 1, failed: [] } })
    expect(shop.chairs.chair('G1').running).toBeNull()
    await shop.pool.query(
      `update device_states set running_command_id = '', running_until = null where device_id = $1`,
      [shop.idOf('G2')],
    )
  })

  it('asked for twenty times at once starts the chair once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => start('G2', 60)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(new Set(answers.map(({ message }) => message))).toEqual(
      new Set(['Success', 'The device is in use']),
    )
    expect(shop.chairs.chair('G2').startedBy).toHaveLength(1)
    expect(await ordersOf('G2')).toHaveLength(1)
    await stop('G2')
  })

  it('says in plain words why it is not done, for each chair, and does it for the others', async () => {
    shop.chairs.setFaults({ sid: 'G3' }, { isOffline: true })
    shop.chairs.setFaults({ sid: 'G4' }, { trouble: 'E4' })
    await shop.pool.query(`update devices set locked = 1 where sid = 'G5'`)
    await vi.waitFor(async () => expect(await rowOf('G3')).toMatchObject({ status: 2 }), within)
    await vi.waitFor(async () => expect(await rowOf('G4')).toMatchObject({ status: 3 }), within)
    const deviceIds = ['G3', 'G4', shop.idOf('G5'), shop.idOf('G6'), 'G9']
    const { data } = await post('/api/device/work', {
      deviceIds,
      duration: 30,
      operation: '1',
      startup: 'on',
    })
    expect(data.changed).toBe(1)
    expect(data.failed.map(({ deviceId, message }) => [deviceId, message])).toEqual([
      ['G3', 'The device is offline'],
      ['G4', 'The device is in trouble'],
      ['G5', 'The device is locked'],
      ['G9', 'Not found'],
    ])
    expect(shop.chairs.chair('G6').running).not.toBeNull()
    await stop('G6')
    shop.chairs.setFaults({ sid: 'G3' }, { isOffline: false })
    shop.chairs.setFaults({ sid: 'G4' }, { trouble: '' })
    await shop.pool.query(`update devices set locked = 0 where sid = 'G5'`)
    await shop.pool.query(`update organisations set status = 2 where id = $1`, [shop.merchantId])
    const admin = await shop.signIn('admin')
    expect(await start('G5', 10, admin)).toMatchObject({
      resultCode: '105',
      message: 'The device is out of service',
    })
    await shop.pool.query(`update organisations set status = 1 where id = $1`, [shop.merchantId])
    spa = await shop.signIn('spa')
    expect(await start('G9')).toMatchObject({ resultCode: '104' })
    expect(shop.chairs.chair('G5').startedBy).toEqual([])
  })

  it('heeds what the model says: its light, whether it can be stopped, and its reset after a run', async () => {
    const model = (settings: string) => shop.pool.query(`update device_models set ${settings}`)
    // It ran in the test before.
    await vi.waitFor(async () => expect(await rowOf('G6')).toMatchObject({ running: false }), within)
    await vi.waitFor(async () => expect((await ordersOf('G6')).at(-1)).toMatchObject({ status: 3 }), within)
    await model('light_therapy = true, controllable = false')
    expect(await start('G6', 30)).toMatchObject({ resultCode: '000' })
    expect(shop.chairs.chair('G6').isLit).toBe(true)
    expect(await rowOf('G6')).toMatchObject({ controllable: false })
    expect(await stop('G6')).toMatchObject({
      resultCode: '105',
      message: 'Chairs of this model cannot be stopped before their time',
    })
    await model('controllable = true, reset_seconds = 3600')
    expect(await stop('G6')).toMatchObject({ resultCode: '000' })
    expect(shop.chairs.chair('G6')).toMatchObject({ running: null, isLit: false })
    await vi.waitFor(async () => expect(await rowOf('G6')).toMatchObject({ running: false }), within)
    await vi.waitFor(async () => expect((await ordersOf('G6')).at(-1)).toMatchObject({ status: 3 }), within)
    expect(await start('G6')).toMatchObject({
      resultCode: '105',
      message: 'The chair is returning to its starting position after a run; try again in a moment',
    })
    await model('light_therapy = false, reset_seconds = 0')
    expect(await start('G6')).toMatchObject({ resultCode: '000' })
    expect(shop.chairs.chair('G6').isLit).toBe(false)
    await stop('G6')
  })

  it('needs minutes, and a switch that says the same', async () => {
    const fieldsOf = async (body: object) =>
      Object.keys(
        ((await post('/api/device/work', { deviceid: 'G5', ...body })).data as never as { fields: object })
          .fields,
      )
    expect(await fieldsOf({ operation: '1' })).toEqual(['duration'])
    expect(await fieldsOf({ operation: '1', duration: 0 })).toEqual(['duration'])
    expect(await fieldsOf({ operation: '1', duration: 1441 })).toEqual(['duration'])
    expect(await fieldsOf({ operation: '1', duration: 'ten' })).toEqual(['duration'])
    expect(await fieldsOf({ operation: '3', duration: 1 })).toEqual(['operation'])
    expect(await fieldsOf({ operation: '1', duration: 1, startup: 'off' })).toEqual(['startup'])
    expect(await ordersOf('G5')).toEqual([])
  })
})

describe('the network of a board', () => {
  it('is told to it, kept sealed, and shown to whom it concerns only', async () => {
    const answer = await setWifi({ id: shop.idOf('G1'), wifissid: ' hall 2 ', wifipass: 'geheim & "小"' })
    expect(answer).toMatchObject({ resultCode: '000', data: { changed: 1, failed: [] } })
    expect(shop.chairs.chair('G1').wifi).toEqual({ ssid: ' hall 2 ', password: 'geheim & "小"' })
    expect(await rowOf('G1')).toMatchObject({ wifiSsid: ' hall 2 ', wifiPass: 'geheim & "小"' })
    expect(await remarksOf('G1')).toEqual(
      expect.arrayContaining(['WiFi  hall 2  acknowledged', 'WiFi  hall 2  sent to it']),
    )
    await addAccount(shop, {
      organisationId: shop.merchantId,
      userName: 'looker',
      isOwner: false,
      tree: 'merchant',
      permissionIds: [31],
    })
    await shop.pool.query(`insert into places (id, merchant_id, address) values (1, $1, 'hall')`, [
      shop.merchantId,
    ])
    await shop.pool.query(`insert into account_places select id, 1 from accounts where user_name = 'looker'`)
    await shop.pool.query(`update devices set place_id = 1 where sid = 'G1'`)
    expect(await rowOf('G1', await shop.signIn('looker'))).toMatchObject({
      wifiSsid: ' hall 2 ',
      wifiPass: '',
    })
    const { rows } = await shop.pool.query<{ all: string }>(
      `select string_agg(t, ' ') as all from (select d::text as t from devices d union all select c::text from device_commands c
         union all select a::text from audit_trail a union all select l::text from device_logs l) kept`,
    )
    expect(rows[0]?.all).not.toContain('geheim')
  })

  it('stays as it was when the board refuses, is away or does not answer', async () => {
    shop.chairs.setFaults({ sid: 'G3' }, { isOffline: true })
    shop.chairs.setFaults({ sid: 'G6' }, { silence: 'ignores' })
    await vi.waitFor(async () => expect(await rowOf('G3')).toMatchObject({ status: 2 }), within)
    expect(await setWifi({ id: shop.idOf('G3') })).toMatchObject({ resultCode: '105' })
    expect(await setWifi({ id: shop.idOf('G9') })).toMatchObject({ resultCode: '104' })
    expect(await setWifi({ id: shop.idOf('G1'), wifissid: 'x'.repeat(33) })).toMatchObject({
      resultCode: '100',
    })
    for (const wifissid of ['', '  '])
      expect(await setWifi({ id: shop.idOf('G1'), wifissid })).toMatchObject({ resultCode: '100' })
    const silent = setWifi({ deviceIds: [shop.idOf('G6'), shop.idOf('G2')], wifissid: 'other' })
    await vi.waitFor(async () => expect(await remarksOf('G6')).toContain('WiFi other sent to it'), within)
    const meanwhile = await setWifi({ id: shop.idOf('G6') })
    expect(meanwhile).toMatchObject({ resultCode: '105', message: 'Its WiFi is already being changed' })
    const { data } = await silent
    expect(data).toMatchObject({
      changed: 1,
      failed: [{ deviceId: 'G6', message: 'The device does not answer' }],
    })
    expect(await rowOf('G2')).toMatchObject({ wifiSsid: 'other' })
    expect(await rowOf('G6')).toMatchObject({ wifiSsid: '', wifiPass: '' })
    expect(await remarksOf('G6')).toContain('WiFi other not answered')
  })
})

it('the customer page of a device is told to who may see it', async () => {
  const show = (sid: string) => shop.call<string>('GET', `/api/devices/${sid}/show`, { token: spa })
  expect((await show('G1')).data).toBe('http://chairs.example.com/d/G1')
  expect(await show('G9')).toMatchObject({ resultCode: '104' })
})

describe('the log of a device', () => {
  it('is told to who holds it, from when they held it, without names of those above', async () => {
    const admin = await shop.signIn('admin')
    const lock = await shop.call('PUT', '/api/device/lock', {
      token: admin,
      body: { id: shop.idOf('G4'), option: '1' },
    })
    expect(lock.resultCode).toBe('000')
    const read = async (token: string, query = '') =>
      (
        await shop.call<{ list: DeviceLogRow[]; total: number }>(
          'GET',
          `/api/device/logs?deviceid=g4${query}`,
          {
            token,
          },
        )
      ).data
    const { list } = await read(spa)
    expect(list[0]).toMatchObject({ remark: 'Locked by an admin' })
    expect(list[0]?.userId).not.toBe('admin')
    expect((await read(admin)).list[0]).toMatchObject({ userId: 'admin' })
    expect((await read(admin, '&startdate=2020-01-01&enddate=2020-01-02')).total).toBe(0)
    const gym = await shop.signIn('gym')
    expect((await shop.call('GET', '/api/device/logs?deviceid=G4', { token: gym })).resultCode).toBe('104')
    await shop.pool.query(`update devices set merchant_id = $1, locked = 0 where sid = 'G4'`, [
      shop.otherMerchantId,
    ])
    expect(await read(gym)).toEqual({ list: [], total: 0 })
    // Whoever held it reads on what was written then, also when it is there no more.
    expect((await read(spa)).list[0]).toMatchObject({ remark: 'Locked by an admin' })
    await shop.pool.query(`update devices set removed_at = now() where sid = 'G4'`)
    expect((await read(spa)).list[0]).toMatchObject({ remark: 'Locked by an admin' })
    expect((await read(admin)).list[0]).toMatchObject({ userId: 'admin' })
    expect((await shop.call('GET', '/api/device/logs?deviceid=G4', { token: gym })).resultCode).toBe('104')
    await shop.pool.query(`update devices set removed_at = null where sid = 'G4'`)
    await shop.pool.query(`update devices set merchant_id = $1 where sid = 'G4'`, [shop.merchantId])
  })

  it.each([
    ['unsupported', 'WiFi hall refused: it does not support this'],
    ['maker: 17', 'WiFi hall refused: maker: 17'],
  ])('says why a board refused (%s)', async (reason, remark) => {
    await shop.pool.query(
      `insert into device_logs (device_id, merchant_id, user_id, operator_organisation_id, action, details)
       values ($1, $2, 'spa', $2, 'wifiRefused', $3)`,
      [shop.idOf('G6'), shop.merchantId, { ssid: 'hall', reason }],
    )
    expect((await remarksOf('G6'))[0]).toBe(remark)
  })
})
