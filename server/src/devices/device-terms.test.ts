import type { DataOf, Envelope, listDeviceStatus, MutedDevice } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDevices, type TestDevices } from '../testing/test-devices.ts'
import { storeGoodbyes, storeReportedStates, storeSilence } from './device-states-sql.ts'

/* What was said of a device in the hands of one, and what of that the next one learns: nothing. */

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
  await devices.pool.query(
    `select ensure_month_partitions('device_status_history', (now() - interval '1 month')::date, (now() + interval '1 month')::date)`,
  )
})
afterAll(() => devices.stop())
beforeEach(async () => {
  await devices.removeAll()
  await devices.pool.query('truncate device_status_history, device_status_days, device_status_deltas')
})

const report = (sid: string, status = 1, at = new Date()) =>
  storeReportedStates(devices.db, 'gateway-1', [
    { sid, status, signal: 4, bootId: 'b1', runningCommandId: '', remainingSeconds: 0, troubleCode: '', at },
  ])
const move = (merchant: string, deviceIds: number[]) =>
  devices.ask('root', 'POST', '/api/devices/move', {
    deviceIds,
    merchantId: devices.organisations[merchant],
  })
const remove = (id: number) => devices.ask('root', 'DELETE', `/api/device?id=${id}`, {})
const addAgain = (deviceid: string) =>
  devices.ask('root', 'POST', '/api/device', { deviceid, name: 'new', modelid: 1 })

async function get<Data>(who: string, path: string): Promise<Envelope<Data>> {
  return (await devices.call<Data>('GET', path, { token: devices.tokens[who] ?? '' })).body
}
async function historyOf(who: string) {
  const { data } = await get<DataOf<typeof listDeviceStatus>>(
    who,
    '/api/device/status?deviceid=G100&pagesize=10&pagenum=1',
  )
  return data.list
}
async function stateOf(id: number) {
  const { rows } = await devices.pool.query('select * from device_states where device_id = $1', [id])
  return rows[0]
}
const openRows = async () =>
  (
    await devices.pool.query(
      `select merchant_id, status from device_status_history where ended_at is null and sid = 'G100'`,
    )
  ).rows

describe('the online history of a device that changes hands', () => {
  it('goes on as the new holder’s, and ends for the one before', async () => {
    const id = await devices.have('G100', { merchant: 'spa' })
    await devices.pool.query(`update device_states set status_since = now() - interval '1 hour'`)
    await report('G100', 1, new Date(Date.now() - 600_000))
    await move('gym', [id])
    const [ofSpa] = await historyOf('spa')
    expect(ofSpa).toMatchObject({ status: 1, hostName: 'gateway-1' })
    expect(ofSpa?.duration).toBeGreaterThanOrEqual(600)
    const [ofGym, ...more] = await historyOf('gym')
    expect(ofGym).toMatchObject({ status: 1, hostName: 'gateway-1' })
    expect(ofGym?.duration).toBeLessThan(60)
    expect(more).toEqual([])
    expect(await openRows()).toEqual([{ merchant_id: devices.organisations['gym'], status: 1 }])

    await report('G100', 4, new Date(Date.now() + 1000))
    expect((await historyOf('gym')).map(({ status }) => status)).toEqual([4, 1])
    expect((await historyOf('spa')).map(({ status }) => status)).toEqual([1])
    expect(await openRows()).toHaveLength(1)
  })

  it('begins with nothing for one that was never heard of, and stays with a move to whom it is', async () => {
    const id = await devices.have('G100', { merchant: 'spa' })
    await move('gym', [id])
    expect(await historyOf('gym')).toEqual([])
    await report('G100')
    await move('gym', [id])
    expect(await historyOf('gym')).toHaveLength(1)
  })

  it('stays whole while boards come and go', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_one, index) => devices.have(`G${200 + index}`, { merchant: 'spa' })),
    )
    const sids = ids.map((_id, index) => `G${200 + index}`)
    await Promise.all(
      Array.from({ length: 24 }, async (_one, turn) => {
        if (turn % 3 === 0)
          return move(['spa', 'bath', 'gym'][turn % 9 === 0 ? 1 : 2] ?? '', ids.toReversed())
        if (turn % 3 === 1)
          return storeGoodbyes(
            devices.db,
            'gateway-2',
            sids.toReversed().map((sid) => ({ sid, bootId: 'b1', at: new Date() })),
          )
        await Promise.all(sids.map((sid) => report(sid, turn % 2 ? 1 : 4)))
        return storeSilence(devices.db, 'gateway-1', { silentSince: new Date(), at: new Date() })
      }),
    )
    for (const sid of sids) await report(sid, 1, new Date(Date.now() + 1000))
    const { rows } = await devices.pool.query(`
      select count(*) as open, count(*) filter (where h.merchant_id = d.merchant_id and h.reported_at = s.status_since and h.status = s.status) as right
        from device_status_history h join devices d on d.id = h.device_id join device_states s on s.device_id = d.id where h.ended_at is null`)
    expect(rows).toEqual([{ open: 30, right: 30 }])
  })
})

describe('a device that changes hands', () => {
  const mute = (id: number) =>
    devices.pool.query(
      `insert into device_mutes (device_id, muted_until, muted_by) values ($1, now() + interval '9 days', 'spa')`,
      [id],
    )
  const muted = async () => (await devices.pool.query<MutedDevice>('select * from device_mutes')).rows

  it('is muted by nobody: moved, removed, or back as new', async () => {
    const id = await devices.have('G100', { merchant: 'spa' })
    await mute(id)
    await move('spa', [id])
    expect(await muted()).toHaveLength(1)
    await move('gym', [id])
    expect(await muted()).toEqual([])
    await mute(id)
    await remove(id)
    expect(await muted()).toEqual([])
    await addAgain('G100')
    expect(await muted()).toEqual([])
  })

  it('is bound since it came, and only then', async () => {
    const [bound, unbound] = [
      await devices.have('G1', { merchant: 'spa' }),
      await devices.have('G2', { merchant: 'spa', bound: false }),
    ]
    await move('gym', [bound, unbound])
    const boundAt = (await devices.rowOf(bound))['bound_at'] as Date
    expect(Date.now() - boundAt.getTime()).toBeLessThan(60_000)
    expect((await devices.rowOf(unbound))['bound_at']).toBeNull()
    await move('gym', [bound])
    expect((await devices.rowOf(bound))['bound_at']).toEqual(boundAt)
  })
})

describe('a device that was removed', () => {
  it('has no board any more: what one says changes nothing, also after its history ended', async () => {
    const id = await devices.have('G100', { merchant: 'spa' })
    await report('G100')
    await remove(id)
    expect(await openRows()).toEqual([])
    expect(await stateOf(id)).toMatchObject({ status: 2, signal: 0, last_seen_at: null, boot_id: '' })
    await report('G100', 4, new Date(Date.now() + 1000))
    expect(await stateOf(id)).toMatchObject({ status: 2, signal: 0, last_seen_at: null, boot_id: '' })
    expect(await openRows()).toEqual([])
  })

  it('is back as one that was never heard of, whatever was left of it', async () => {
    const id = await devices.have('G100', { merchant: 'spa' })
    await devices.pool.query(`update devices set removed_at = now() where id = $1`, [id])
    await devices.pool.query(
      `update device_states set status = 1, signal = 5, last_seen_at = now(), boot_id = 'b1', trouble_code = 'E1', gateway = 'one' where device_id = $1`,
      [id],
    )
    await addAgain('G100')
    expect(await stateOf(id)).toMatchObject({
      status: 2,
      signal: 0,
      last_seen_at: null,
      boot_id: '',
      trouble_code: '',
      gateway: '',
    })
    expect(await devices.rowOf(id)).toMatchObject({ shown_status: 2, removed_at: null })
  })
})
