import type { DeviceRow } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDevices, type TestDevices } from '../testing/test-devices.ts'

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
})
afterAll(() => devices.stop())
beforeEach(() => devices.removeAll())

describe('the totals of the whole list', () => {
  it('are what is there, after every kind of change by many at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_one, index) =>
        devices.have(`G${index}`, index % 3 === 0 ? {} : { merchant: 'spa' }),
      ),
    )
    const some = (from: number) => ids.slice(from, from + 15)
    await Promise.all([
      devices.ask('root', 'POST', '/api/devices/move', {
        deviceIds: some(0),
        merchantId: devices.organisations['gym'],
        associated: 1,
      }),
      devices.ask('root', 'PUT', '/api/device/lock', { deviceIds: some(5), option: 1 }),
      devices.ask('root', 'DELETE', '/api/device', { deviceIds: some(25) }),
      devices.ask('spa', 'POST', '/api/device/place', { deviceIds: some(10), placeId: devices.places.hall }),
      devices.ask('spa', 'POST', '/api/devices/template', {
        deviceIds: some(12),
        templateId: devices.templates.day,
        sleepTemplateId: devices.templates.night,
      }),
      devices.ask('spa', 'PUT', '/api/device/associate', { deviceIds: some(8), option: 0 }),
      devices.pool.query(`select change_device_statuses('g', $1, $2, $3)`, [
        ids.slice(3, 30).map((_id, index) => `G${index + 3}`),
        ids.slice(3, 30).map((_id, index) => [1, 3, 4][index % 3]),
        ids.slice(3, 30).map(() => new Date()),
      ]),
      devices.pool.query('update device_states set status = 1 where device_id = $1', [ids[1]]),
      devices.ask('root', 'PUT', '/api/device', { id: ids[2], name: 'other', modelid: 2 }),
    ])
    const found = new Map<string, number>()
    const { places, templates } = devices
    const filters = [
      '',
      `placeid=${places.hall}`,
      `placeid=${places.hall}&locked=1`,
      `templateid=${templates.day}`,
      `templateid=${templates.day}&status=1`,
      `templateid=${templates.night}`,
      'deviceid=G1',
      'deviceid=G1&associated=2',
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
      ...filters
        .filter((one) => one !== 'merchantid=0')
        .map((one) => `merchantid=${devices.organisations['spa']}&${one}`),
      ...each.filter((one) => !/status=0|(locked|associated)=[34]/.test(one)),
    ]) {
      const list = async (pagesize: number) => {
        const path = `/api/devices?pagesize=${pagesize}&${filter}`
        const answer = await devices.call<{ list: DeviceRow[]; total: number }>('GET', path, {
          token: devices.tokens['root'] ?? '',
        })
        return answer.body.data
      }
      const [page, all] = [await list(10), await list(0)]
      found.set(filter, all.list.length)
      expect(page.total, filter).toBe(all.list.length)
      expect(page.list, filter).toEqual(all.list.slice(0, 10))
    }
    for (const sold of [templates.day, templates.night])
      expect(found.get(`merchantid=${devices.organisations['spa']}&templateid=${sold}`)).toBeGreaterThan(0)
  })
})
