import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { followDatabaseClock } from '../kit/database-clock.ts'
import { openDeviceDatabase, type DeviceDatabase } from '../testing/test-chairs.ts'
import { deviceForSale } from './device-for-sale.ts'
import {
  showHeldStatuses,
  storeGoodbyes,
  storeReportedStates,
  storeSilence,
  type ReportedState,
} from './device-states-sql.ts'
import { watchDevices } from './device-watch.ts'

let devices: DeviceDatabase
beforeAll(async () => {
  devices = await openDeviceDatabase()
})
afterAll(() => devices.stop())

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000)
const report = (sid: string, changes: Partial<ReportedState> = {}): ReportedState => ({
  sid,
  status: 1,
  signal: 4,
  bootId: 'b1',
  runningCommandId: '',
  remainingSeconds: 0,
  troubleCode: '',
  at: new Date(),
  ...changes,
})
const store = (...states: ReportedState[]) => storeReportedStates(devices.db, 'one', states)
const statusOf = async (sid: string) => (await devices.historyOf(sid)).at(-1)?.status

/** Devices whose history has a gap, an overlap, no open end, or another status than the device. */
async function countBrokenHistories(): Promise<number> {
  const { rows } = await devices.pool.query<{ count: number }>(`
    with h as (
      select *, lead(reported_at) over (partition by device_id order by reported_at, ended_at nulls last) as next_at
        from device_status_history)
    select count(*) as count from h join device_states s using (device_id)
     where h.ended_at is distinct from h.next_at or (h.ended_at is null and (h.status <> s.status or h.reported_at <> s.status_since))`)
  return rows[0]?.count ?? -1
}

describe('the online history', () => {
  it('begins a row with each status and ends the one before', async () => {
    await devices.addDevices(['G1'])
    await devices.pool.query(`update device_states set status_since = now() - interval '1 minute'`)
    await store(report('G1', { at: secondsAgo(40) }))
    await store(report('G1', { at: secondsAgo(30), signal: 2 }))
    await store(report('G1', { at: secondsAgo(20), status: 3, troubleCode: 'E4' }))
    await store(report('G1', { at: secondsAgo(10), status: 4 }))
    expect(await devices.historyOf('G1')).toEqual([
      { status: 1, isOver: true },
      { status: 3, isOver: true },
      { status: 4, isOver: false },
    ])
    expect(await countBrokenHistories()).toBe(0)
  })

  it('is left alone by a thousand heartbeats that change nothing', async () => {
    const sids = Array.from({ length: 1000 }, (_, number) => `K${1000 + number}`)
    await devices.addDevices(sids)
    await store(...sids.map((sid) => report(sid, { at: secondsAgo(60) })))
    await store(...sids.map((sid) => report(sid, { signal: 2 })))
    const { rows } = await devices.pool.query(
      `select count(*) as rows, count(distinct s.signal) as signals, min(s.signal) as signal
         from device_status_history h join device_states s using (device_id) where h.sid like 'K1%'`,
    )
    expect(rows[0]).toEqual({ rows: 1000, signals: 1, signal: 2 })
  })

  it('ignores a report that is older than what is known', async () => {
    await devices.addDevices(['G2'])
    await store(report('G2', { at: secondsAgo(10) }))
    await store(report('G2', { at: secondsAgo(20), status: 4, signal: 1 }))
    expect(await devices.historyOf('G2')).toEqual([{ status: 1, isOver: false }])
  })

  it('takes reports of boards that are no devices for nothing', async () => {
    await devices.addDevices(['G3'])
    await store(report('G404'), report('G3'))
    expect(await devices.historyOf('G404')).toEqual([])
    expect(await statusOf('G3')).toBe(1)
  })

  it('stays whole when several processes write at once', async () => {
    const sids = Array.from({ length: 60 }, (_, number) => `T${100 + number}`)
    await devices.addDevices(sids)
    const rounds = Array.from({ length: 40 }, async (_, round) => {
      const states = sids.map((sid) => report(sid, { status: [1, 3, 4][round % 3] ?? 1, at: new Date() }))
      await storeReportedStates(devices.db, `gateway ${round % 3}`, round % 2 ? states : states.toReversed())
      if (round % 5 === 0) await storeSilence(devices.db, 'one', { silentSince: new Date(), at: new Date() })
    })
    await Promise.all(rounds)
    const { rows } = await devices.pool.query<{ open: number }>(
      `select count(*) as open from device_status_history where sid like 'T1%' and ended_at is null`,
    )
    expect(rows[0]?.open).toBe(60)
    expect(await countBrokenHistories()).toBe(0)
  })
})

describe('a goodbye', () => {
  it('makes a device offline, without a signal', async () => {
    await devices.addDevices(['N1'])
    await store(report('N1', { at: secondsAgo(5) }))
    await storeGoodbyes(devices.db, 'one', [{ sid: 'N1', bootId: 'b1', at: new Date() }])
    expect(await devices.historyOf('N1')).toEqual([
      { status: 1, isOver: true },
      { status: 2, isOver: false },
    ])
    const { rows } = await devices.pool.query(
      `select status, signal from device_states where device_id = ${await devices.idOf('N1')}`,
    )
    expect(rows).toEqual([{ status: 2, signal: 0 }])
  })

  it('is not taken back by a heartbeat from before it that another gateway stores later', async () => {
    await devices.addDevices(['N3'])
    await store(report('N3', { at: new Date() }))
    const heardAt = new Date()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await storeGoodbyes(devices.db, 'one', [{ sid: 'N3', bootId: 'b1', at: new Date() }])
    await storeReportedStates(devices.db, 'two', [report('N3', { at: heardAt })])
    expect(await statusOf('N3')).toBe(2)
    await storeReportedStates(devices.db, 'two', [report('N3', { at: new Date() })])
    expect(await statusOf('N3')).toBe(1)
  })

  it('of an earlier power-up, or from before the last report, says nothing', async () => {
    await devices.addDevices(['N2'])
    await store(report('N2', { bootId: 'b2', at: secondsAgo(5) }))
    await storeGoodbyes(devices.db, 'one', [{ sid: 'N2', bootId: 'b1', at: new Date() }])
    await storeGoodbyes(devices.db, 'one', [{ sid: 'N2', bootId: 'b2', at: secondsAgo(10) }])
    expect(await statusOf('N2')).toBe(1)
  })
})

describe('a board that wavers', () => {
  const [wifi, offline, trouble, gprs] = [1, 2, 3, 4]
  let begunAt = 0
  beforeEach(() => void (begunAt = Date.now()))
  /** Before the test began, however long the test takes: what is shown goes by what lies between two words of a board. */
  const ago = (seconds: number) => new Date(begunAt - seconds * 1000)
  const goodbye = (sid: string, at: Date) => storeGoodbyes(devices.db, 'two', [{ sid, bootId: 'b1', at }])
  const saleStatusOf = async (sid: string) => (await deviceForSale(devices.db, sid))?.status
  const addDevice = async (sid: string) => {
    await devices.addDevices([sid])
    await devices.pool.query(
      `update device_states set status_since = now() - interval '1 day' where device_id = $1`,
      [await devices.idOf(sid)],
    )
  }
  /** Changes its network every second, heard by two gateways in turn, so often that it is shown with WiFi and the next change waits. */
  const waver = async (sid: string, secondsFrom: number) => {
    await addDevice(sid)
    for (let second = 0; second <= 20; second++) {
      const status = second % 2 ? wifi : gprs
      const gateway = second % 2 ? 'one' : 'two'
      const at = ago(secondsFrom - second)
      await storeReportedStates(devices.db, gateway, [report(sid, { status, at })])
    }
    expect(await statusOf(sid)).toBe(wifi)
  }

  it('between networks has a row of the history each minute after the first twenty', async () => {
    await addDevice('W1')
    for (let second = 0; second <= 3600; second += 10) {
      const status = second % 20 ? wifi : gprs
      const at = ago(3600 - second)
      await storeReportedStates(devices.db, second % 40 ? 'one' : 'two', [report('W1', { status, at })])
    }
    const { length } = await devices.historyOf('W1')
    expect(length).toBeGreaterThan(40)
    expect(length).toBeLessThanOrEqual(80)
    expect(await saleStatusOf('W1')).toBe(gprs)
    expect(await countBrokenHistories()).toBe(0)
  })

  it('by coming and going has one every five seconds', async () => {
    await addDevice('W2')
    for (let second = 0; second < 200; second += 2) {
      await store(report('W2', { at: ago(201 - second) }))
      await goodbye('W2', ago(200 - second))
    }
    expect((await devices.historyOf('W2')).length).toBeLessThanOrEqual(60)
    expect(await saleStatusOf('W2')).toBe(offline)
    expect(await countBrokenHistories()).toBe(0)
  })

  it('is sold by what it said last, and shown so in time by whichever process looks, once', async () => {
    await waver('W3', 100)
    await store(report('W3', { status: trouble, troubleCode: 'E4', at: ago(79) }))
    expect([await statusOf('W3'), await saleStatusOf('W3')]).toEqual([wifi, trouble])
    const { length } = await devices.historyOf('W3')
    await Promise.all(['one', 'two', 'three'].map((name) => showHeldStatuses(devices.db, name)))
    expect((await devices.historyOf('W3')).slice(length - 1)).toEqual([
      { status: wifi, isOver: true },
      { status: trouble, isOver: false },
    ])
    expect(await countBrokenHistories()).toBe(0)
    // Shown in trouble still, with its code.
    await store(report('W3'))
    const { rows } = await devices.pool.query(
      'select status, trouble_code as code, signal from device_states where device_id = $1',
      [await devices.idOf('W3')],
    )
    expect(rows).toEqual([{ status: trouble, code: 'E4', signal: 4 }])
    expect(await saleStatusOf('W3')).toBe(wifi)
  })

  it('and is again what is shown waits for nothing', async () => {
    await waver('W4', 100)
    const before = await devices.historyOf('W4')
    await store(report('W4', { status: gprs, at: ago(79) }))
    await store(report('W4', { status: wifi, at: ago(78) }))
    await showHeldStatuses(devices.db, 'one')
    expect(await devices.historyOf('W4')).toEqual(before)
  })

  it('and says goodbye is offline, unless it was heard since', async () => {
    await waver('W5', 24)
    await goodbye('W5', ago(2))
    expect([await statusOf('W5'), await saleStatusOf('W5')]).toEqual([wifi, offline])
    await store(report('W5', { at: ago(2.5) }))
    expect(await saleStatusOf('W5')).toBe(offline)
    await store(report('W5', { at: ago(1.5) }))
    expect(await saleStatusOf('W5')).toBe(wifi)
    await goodbye('W5', ago(1))
    await vi.waitFor(
      async () => {
        await showHeldStatuses(devices.db, 'one')
        expect(await statusOf('W5')).toBe(offline)
      },
      { timeout: 30_000, interval: 50 },
    )
  })

  it('and is removed leaves nothing that waits', async () => {
    await waver('W6', 100)
    await store(report('W6', { status: gprs, at: ago(79) }))
    await devices.pool.query('select retire_devices($1)', [[await devices.idOf('W6')]])
    await showHeldStatuses(devices.db, 'one')
    expect(await saleStatusOf('W6')).toBe(offline)
  })
})

describe('the watch for silence', () => {
  const watchWith = async (
    isConnected: () => boolean,
    silenceMs: number,
    onError = (error: unknown): void => {
      throw error
    },
  ) =>
    watchDevices({
      db: devices.db,
      clock: await followDatabaseClock(devices.db),
      instanceName: 'one',
      isConnected,
      times: { everyMs: 10, silenceMs },
      onError,
    })

  it('tells that what was held back could not be shown', async () => {
    const rename = (from: string, to: string) =>
      devices.pool.query(`alter function ${from}(text) rename to ${to}`)
    await rename('show_held_statuses', 'gone')
    const told: unknown[] = []
    const watch = await watchWith(
      () => true,
      600_000,
      (error) => told.push(error),
    )
    await expect.poll(() => told.map(String)).toEqual([expect.stringContaining('show_held_statuses')])
    await watch.stop()
    await rename('gone', 'show_held_statuses')
  })

  it('marks who was silent for two and a half heartbeats, and nobody else', async () => {
    await devices.addDevices(['B1', 'B2'])
    await store(report('B1', { at: secondsAgo(151) }), report('B2', { at: secondsAgo(140) }))
    await storeSilence(devices.db, 'one', { silentSince: secondsAgo(150), at: new Date() })
    expect([await statusOf('B1'), await statusOf('B2')]).toEqual([2, 1])
  })

  it('judges nobody before it has listened for a whole silence itself', async () => {
    await devices.addDevices(['B3'])
    await store(report('B3', { at: secondsAgo(3600) }))
    const startedAt = Date.now()
    const watch = await watchWith(() => true, 300)
    await vi.waitFor(async () => expect(await statusOf('B3')).toBe(2), { timeout: 30_000, interval: 10 })
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(300)
    await watch.stop()
  })

  it('begins to listen anew when the broker has come back', async () => {
    await devices.addDevices(['B4'])
    let looks = 0
    let comesAndGoes = true
    const watch = await watchWith(() => !comesAndGoes || ++looks % 2 === 0, 400)
    await store(report('B4', { at: secondsAgo(3600) }))
    await new Promise((resolve) => setTimeout(resolve, 1200))
    await expect.poll(() => looks).toBeGreaterThan(2)
    expect(await statusOf('B4')).toBe(1)
    comesAndGoes = false
    await vi.waitFor(async () => expect(await statusOf('B4')).toBe(2), { timeout: 30_000, interval: 10 })
    await watch.stop()
  })
})
