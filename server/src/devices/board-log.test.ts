import mqtt from 'mqtt'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openDeviceDatabase, type DeviceDatabase } from '../testing/test-chairs.ts'
import { createBoardLog } from './board-log.ts'
import { startDeviceGateway } from './device-gateway.ts'

interface Line {
  level: string
  kind: string
  sid: string
  text: string
  leftOut: number
}
/** A log that is kept, and what boards said in it. */
function keptLog() {
  const lines: Line[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  return { log, said: () => lines.filter(({ kind }) => kind === 'board.log') }
}
const line = (sid: string, text: string, level: 'info' | 'warn' | 'error' = 'info') => ({
  sid,
  receivedAt: new Date(),
  log: { v: 1 as const, level, text },
})

describe('lines of boards', () => {
  afterEach(() => void vi.useRealTimers())

  it('are written one of a board in ten seconds, and the next tells how many were left out', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { log, said } = keptLog()
    const write = createBoardLog(log)
    for (const text of ['one', 'two', 'three']) write(line('G1', text, 'error'))
    write(line('G2', 'other'))
    vi.advanceTimersByTime(10_000)
    write(line('G1', 'four'))
    expect(said().map(({ sid, level, text, leftOut }) => [sid, level, text, leftOut])).toEqual([
      ['G1', 'error', 'one', 0],
      ['G2', 'info', 'other', 0],
      ['G1', 'info', 'four', 2],
    ])
  })

  it('are twenty of all boards in a second at most', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { log, said } = keptLog()
    const write = createBoardLog(log)
    for (let board = 0; board < 100; board++) write(line(`G${board}`, 'all at once'))
    expect(said()).toHaveLength(20)
    vi.advanceTimersByTime(1000)
    write(line('G99', 'later'))
    expect(said()).toHaveLength(21)
  })
})

describe('a board', () => {
  let devices: DeviceDatabase
  afterEach(() => devices.stop())

  it('is heard in the log of the process', async () => {
    devices = await openDeviceDatabase()
    const passwords = await devices.addDevices(['G1'])
    const { log, said } = keptLog()
    const { db, pool, credentials } = devices
    const gateway = await startDeviceGateway({
      db,
      pool,
      credentials,
      mqttUrl: '',
      mqttHost: '127.0.0.1',
      mqttPort: 0,
      instanceName: 'test',
      log,
    })
    const board = await mqtt.connectAsync(gateway.broker?.url ?? '', {
      clientId: 'G1',
      username: 'G1',
      password: passwords.get('G1') ?? '',
      protocolVersion: 4,
      reconnectPeriod: 0,
    })
    const text = 'footrest motor 71 °C'
    await board.publishAsync('v1/devices/G1/log', JSON.stringify({ v: 1, level: 'warn', text }), { qos: 1 })
    await expect.poll(() => said()).toMatchObject([{ sid: 'G1', text }])
    await board.endAsync()
    await gateway.stop()
  })
})
