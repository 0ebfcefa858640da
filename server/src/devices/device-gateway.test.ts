import type { DeviceCommand } from '@chairside/contract/devices/device-protocol'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTestChairs, type TestChairs } from '../testing/test-chairs.ts'
import { createCommandJobs, requestStarts } from './device-commands.ts'

let bed: TestChairs
afterEach(() => bed.stop())

const within = { timeout: 30_000, interval: 20 }
const untilStatus = (sid: string, status: number) =>
  vi.waitFor(async () => expect((await bed.stateOf(sid)).status).toBe(status), within)

describe('a board', () => {
  it('is online when it has connected, by its kind of network, with its signal and firmware', async () => {
    bed = await startTestChairs(['G1'])
    const passwords = await bed.addDevices(['G2'])
    bed.chairs.add({ sid: 'G2', password: passwords.get('G2') ?? '', model: 'M-9', network: 'gprs' })
    await untilStatus('G1', 1)
    await untilStatus('G2', 4)
    await vi.waitFor(
      async () => expect((await bed.stateOf('G1')).signal).toBe(bed.chairs.chair('G1').signal),
      within,
    )
    await vi.waitFor(async () => {
      const { rows } = await bed.pool.query(`select firmware from devices where sid = 'G1'`)
      expect(rows).toEqual([{ firmware: '3.0.1' }])
    }, within)
    expect(await bed.historyOf('G1')).toEqual([{ status: 1, isOver: false }])
  })

  it('is offline at once when its connection breaks, and online again when it is back', async () => {
    bed = await startTestChairs(['G1'])
    await untilStatus('G1', 1)
    bed.chairs.setFaults({ sid: 'G1' }, { isOffline: true })
    await untilStatus('G1', 2)
    bed.chairs.setFaults({ sid: 'G1' }, { isOffline: false })
    await untilStatus('G1', 1)
    expect(await bed.historyOf('G1')).toEqual([
      { status: 1, isOver: true },
      { status: 2, isOver: true },
      { status: 1, isOver: false },
    ])
  })

  it('that is in trouble says so and is well again', async () => {
    bed = await startTestChairs(['G1'])
    await untilStatus('G1', 1)
    bed.chairs.setFaults({ sid: 'G1' }, { trouble: 'E4' })
    await untilStatus('G1', 3)
    bed.chairs.setFaults({ sid: 'G1' }, { trouble: '' })
    await untilStatus('G1', 1)
  })

  it('that falls silent without a goodbye is offline after a while', async () => {
    bed = await startTestChairs(['G1', 'G2'], {
      heartbeatSeconds: 0.2,
      watchTimes: { everyMs: 50, silenceMs: 4000 },
    })
    await untilStatus('G1', 1)
    bed.chairs.setFaults({ sid: 'G1' }, { isBroken: true })
    await untilStatus('G1', 2)
    expect((await bed.stateOf('G2')).status).toBe(1)
  })

  it('with a wrong password, or of a device that was removed, is not let in', async () => {
    bed = await startTestChairs(['G1', 'G2', 'G3'])
    await untilStatus('G1', 1)
    await bed.pool.query(`update devices set removed_at = now() where sid = 'G2'`)
    bed.chairs.setFaults({ sid: 'G2' }, { isOffline: true })
    bed.chairs.setFaults({ sid: 'G3' }, { hasWrongPassword: true })
    await untilStatus('G3', 2)
    await vi.waitFor(() => expect(bed.chairs.chair('G2').isConnected).toBe(false), within)
    bed.chairs.setFaults({ sid: 'G2' }, { isOffline: false })
    // Each has been refused by then, and has come again.
    const { attempts } = bed.chairs.counts()
    await vi.waitFor(() => expect(bed.chairs.counts().attempts).toBeGreaterThan(attempts + 4), within)
    expect(bed.chairs.views().filter(({ isConnected }) => isConnected)).toHaveLength(1)
    expect(['G2', 'G3'].map((sid) => bed.chairs.chair(sid).isConnected)).toEqual([false, false])
  })
})

describe('a restart of the gateway', () => {
  it('turns nobody offline who comes back', async () => {
    const sids = Array.from({ length: 30 }, (_, number) => `G${100 + number}`)
    bed = await startTestChairs(sids, {
      heartbeatSeconds: 0.3,
      watchTimes: { everyMs: 50, silenceMs: 8000 },
    })
    const countOnline = async () => {
      const { rows } = await bed.pool.query<{ count: number }>(
        'select count(*) as count from device_states where status = 1',
      )
      return rows[0]?.count
    }
    await vi.waitFor(async () => expect(await countOnline()).toBe(30), within)
    await bed.stopGateway()
    // Away for longer than the silence that makes one offline.
    await bed.pool.query(`update device_states set last_seen_at = last_seen_at - interval '1 hour'`)
    await bed.startGateway()
    await vi.waitFor(() => expect(bed.chairs.connectedCount()).toBe(30), within)
    await new Promise((resolve) => setTimeout(resolve, 8500))
    expect(await countOnline()).toBe(30)
    const { rows } = await bed.pool.query('select count(*) as count from device_status_history')
    expect(rows).toEqual([{ count: 30 }])
  })
})

const TrueDate = Date
/** Sets the clock of this process; the database's stays. */
function setClock(aheadMs: number): void {
  globalThis.Date = class extends TrueDate {
    constructor(...given: [] | [number]) {
      super(given.length === 0 ? TrueDate.now() + aheadMs : given[0])
    }
    static override now = () => TrueDate.now() + aheadMs
  } as DateConstructor
}
afterEach(() => {
  globalThis.Date = TrueDate
})

it('a clock that is set, as when the machine slept, turns nobody offline', async () => {
  bed = await startTestChairs(['G1', 'G2'], {
    heartbeatSeconds: 0.3,
    watchTimes: { everyMs: 50, silenceMs: 4000 },
  })
  await untilStatus('G1', 1)
  await untilStatus('G2', 1)
  await new Promise((resolve) => setTimeout(resolve, 4500))
  setClock(600_000)
  await new Promise((resolve) => setTimeout(resolve, 4500))
  globalThis.Date = TrueDate
  expect(await bed.historyOf('G1')).toEqual([{ status: 1, isOver: false }])
  expect(await bed.historyOf('G2')).toEqual([{ status: 1, isOver: false }])
})

describe('a server whose clock is two minutes ahead of the others', () => {
  /** How long ago the board was heard. */
  const silence = async () => {
    const { rows } = await bed.pool.query<{ seconds: number | null }>(
      `select extract(epoch from clock_timestamp() - last_seen_at)::double precision as seconds from device_states`,
    )
    return rows[0]?.seconds ?? Number.NaN
  }

  it('notes when boards were heard by the time of the database, so that others are not taken for late', async () => {
    setClock(120_000)
    bed = await startTestChairs(['G1'], { heartbeatSeconds: 0.2 })
    await untilStatus('G1', 1)
    await vi.waitFor(async () => expect(Math.abs(await silence())).toBeLessThan(60), within)
    await bed.stopGateway()
    // As another gateway, whose clock is right.
    globalThis.Date = TrueDate
    await bed.startGateway()
    await vi.waitFor(() => expect(bed.chairs.chair('G1').isConnected).toBe(true), within)
    bed.chairs.setFaults({ sid: 'G1' }, { isOffline: true })
    await untilStatus('G1', 2)
  })

  it('sends commands with the time that boards were told by others', async () => {
    bed = await startTestChairs([])
    await bed.addDevices(['G1'])
    await bed.stopJobs()
    setClock(120_000)
    const sent: DeviceCommand[] = []
    const sender = { sendCommand: async (_sid: string, command: DeviceCommand) => void sent.push(command) }
    const [delivery] = createCommandJobs(sender, 30, bed.secrets)
    const start = { commandId: 'c1', deviceId: await bed.idOf('G1'), orderId: 'o', durationSeconds: 60 }
    await requestStarts(bed.db, [{ ...start, requestedBy: 'system' }])
    await delivery?.work({ db: bed.db, log: pino({ level: 'silent' }) }, { commandId: 'c1' })
    expect(Math.abs((sent[0]?.at ?? 0) - TrueDate.now() / 1000)).toBeLessThan(60)
    expect(sent[0]?.ttlSeconds).toBeLessThanOrEqual(90)
  })
})
