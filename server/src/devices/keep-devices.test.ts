import type { addDevice, DataOf, DeviceRow } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fieldsOf, startTestDevices, type TestDevices } from '../testing/test-devices.ts'
import { createDeviceCredentials } from './device-credentials.ts'

type Added = DataOf<typeof addDevice>

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
})
afterAll(() => devices.stop())
beforeEach(() => devices.removeAll())

describe('adding a device', () => {
  const added = { name: 'new', modelid: 1, typeid: '1', fmversion: '1.0' }
  const add = (form: object) => devices.ask<Added>('root', 'POST', '/api/device', { ...added, ...form })

  it('makes a device of nobody whose board signs in with the password shown', async () => {
    const { data } = await add({ deviceid: ' g100 ' })
    expect(data.deviceId).toBe('G100')
    const credentials = createDeviceCredentials(devices.secrets)
    expect(await credentials.check(devices.db, 'G100', data.password)).toBe(true)
    expect(await credentials.check(devices.db, 'G100', `${data.password}x`)).toBe(false)
    const list = await devices.call<{ list: DeviceRow[] }>('GET', '/api/devices?merchantid=0', {
      token: devices.tokens['root'] ?? '',
    })
    expect(list.body.data.list).toMatchObject([
      { deviceId: 'G100', name: 'new', model: 'M1', merchantId: null, associated: 0, locked: 0, status: 2 },
    ])
    expect(await devices.logOf(data.id)).toEqual(['root: Added (nobody)'])
    const trail = await devices.pool.query(
      `select details::text from audit_trail where action = 'device.add'`,
    )
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
    expect(await devices.idOf('select count(*) as id from devices')).toBe(0)
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
    expect(
      (await devices.ask('north', 'POST', '/api/device', { ...added, deviceid: 'G100' })).resultCode,
    ).toBe('103')
  })
})

describe('removing a device', () => {
  it('takes it off every list and keeps its log; added again, it begins as new', async () => {
    const id = await devices.have('G100', {
      merchant: 'spa',
      place: devices.places.hall,
      template: devices.templates.day,
    })
    expect((await devices.ask('root', 'DELETE', `/api/device?id=${id}`, {})).data).toEqual({
      changed: 1,
      failed: [],
    })
    expect(await devices.rowOf(id)).toMatchObject({ merchant_id: devices.organisations['spa'], bound: false })
    expect((await devices.ask('root', 'PUT', '/api/device/lock', { id, option: 1 })).resultCode).toBe('104')

    const again = await devices.ask<Added>('root', 'POST', '/api/device', {
      deviceid: 'G100',
      name: 'new',
      modelid: 2,
    })
    expect(again.data.id).toBe(id)
    expect(await devices.rowOf(id)).toMatchObject({
      name: 'new',
      merchant_id: null,
      place_id: null,
      template_id: null,
      wifi_ssid: '',
      wifi_password: null,
      removed_at: null,
    })
    expect(await devices.logOf(id)).toEqual(['root: Removed (spa)', 'root: Added (nobody)'])
  })

  it('waits for the end of a run, and for a start that is on its way', async () => {
    const [running, starting, idle] = [
      await devices.have('G1'),
      await devices.have('G2'),
      await devices.have('G3'),
    ]
    await devices.run(running)
    await devices.pool.query(
      `insert into device_commands (id, device_id, kind, payload, requested_by) values ('s', $1, 'start', '{"durationSeconds": 600}', 'test')`,
      [starting],
    )
    const remove = (body: object) => devices.ask('root', 'DELETE', '/api/device', body)
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
    await devices.pool.query(
      `update device_commands set state = 'accepted', acknowledged_at = now() where id = 's'`,
    )
    expect((await remove({ id: starting })).resultCode).toBe('105')
    await devices.pool.query(`update device_commands set delivered_seconds = 10 where id = 's'`)
    expect((await remove({ id: starting })).success).toBe(true)
  })

  it('is for admins alone', async () => {
    const id = await devices.have('G100', { merchant: 'spa' })
    for (const who of ['north', 'spa'])
      expect((await devices.ask(who, 'DELETE', '/api/device', { id })).resultCode).toBe('103')
  })
})

describe('editing a device', () => {
  const form = { name: 'renamed', modelid: 2, fmversion: '2.0' }

  it('changes name, model and firmware, never the id', async () => {
    const id = await devices.have('G100', { merchant: 'spa', place: devices.places.hall })
    const edit = (body: object) => devices.ask('clerk', 'PUT', '/api/device', { id, ...form, ...body })
    expect(fieldsOf(await edit({ deviceid: 'G101' }))).toEqual(['deviceid'])
    expect(fieldsOf(await edit({ modelid: 999 }))).toEqual(['modelid'])
    expect(fieldsOf(await edit({ name: ' ' }))).toEqual(['name'])
    expect(await devices.logOf(id)).toEqual([])
    expect((await edit({ deviceid: 'G100', typeid: '' })).success).toBe(true)
    expect(await devices.rowOf(id)).toMatchObject({
      sid: 'G100',
      name: 'renamed',
      model_id: 2,
      firmware: '2.0',
    })
    expect(await devices.logOf(id)).toEqual(['clerk: Changed: renamed, M2, 2.0 (spa)'])
  })

  it('of somebody else, or at a place that is not one’s own, does not exist', async () => {
    const id = await devices.have('G100', { merchant: 'spa', place: devices.places.lounge })
    for (const who of ['clerk', 'gym'])
      expect((await devices.ask(who, 'PUT', '/api/device', { id, ...form })).resultCode).toBe('104')
  })
})
