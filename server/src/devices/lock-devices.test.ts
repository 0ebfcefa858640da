import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fieldsOf, startTestDevices, type TestDevices } from '../testing/test-devices.ts'

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
})
afterAll(() => devices.stop())
beforeEach(() => devices.removeAll())

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
      const id = await devices.have('G100', { merchant: 'spa', locked: before })
      expect(
        (await devices.ask(who, 'PUT', `/api/device/lock?id=${id}&option=${option}`, {})).resultCode,
      ).toBe(code)
      expect(await devices.rowOf(id)).toMatchObject({ locked: after })
    },
  )

  it('of many tells each that stays locked, in the caller’s language', async () => {
    const [free, admins] = [
      await devices.have('G1', { merchant: 'spa', locked: 1 }),
      await devices.have('G2', { merchant: 'spa', locked: 2 }),
    ]
    const theirs = await devices.have('K1', { merchant: 'gym', locked: 1 })
    const { data } = await devices.ask(
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
    expect(await devices.rowOf(theirs)).toMatchObject({ locked: 1 })
    expect(await devices.logOf(free)).toEqual(['spa: Unlocked (spa)'])
  })

  it('takes two thousand at once and no more, and asks for one at least', async () => {
    await devices.pool.query(
      `insert into devices (id, sid, model_id, credential_hash) select n, 'G' || n, 1, '' from generate_series(1, 2000) n`,
    )
    await devices.pool.query('insert into device_states (device_id) select id from devices')
    const ids = (most: number) => Array.from({ length: most }, (_one, index) => index + 1)
    const lock = (deviceIds: unknown) =>
      devices.ask('root', 'PUT', '/api/device/lock', { deviceIds, option: 1 })
    expect((await lock(ids(2000))).data.changed).toBe(2000)
    expect(fieldsOf(await lock(ids(2001)))).toEqual(['deviceIds'])
    expect(await lock('')).toMatchObject({ resultCode: '105', message: 'Check Device first' })
  })
})

describe('binding', () => {
  it('is for devices that are somebody’s', async () => {
    const id = await devices.have('G100')
    const answer = await devices.ask('root', 'PUT', `/api/device/associate?id=${id}&option=1`, {})
    expect(answer).toMatchObject({ resultCode: '105', message: 'It does not belong to a merchant yet' })
  })

  it('says since when, and only its first time counts', async () => {
    const id = await devices.have('G100', { merchant: 'spa', bound: false })
    const bind = (option: number) => devices.ask('spa', 'PUT', '/api/device/associate', { id, option })
    await bind(1)
    const { bound_at: since } = await devices.rowOf(id)
    await bind(1)
    expect(await devices.rowOf(id)).toMatchObject({ bound: true, bound_at: since })
    await bind(0)
    expect(await devices.rowOf(id)).toMatchObject({
      bound: false,
      bound_at: null,
      merchant_id: devices.organisations['spa'],
    })
    expect(await devices.logOf(id)).toEqual(['spa: Bound (spa)', 'spa: Unbound (spa)'])
  })
})
