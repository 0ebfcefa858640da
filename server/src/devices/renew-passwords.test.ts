import type { DataOf, renewBoardPasswords } from '@chairside/contract'
import mqtt, { type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestDevices, type TestDevices } from '../testing/test-devices.ts'
import { createDeviceCredentials } from './device-credentials.ts'
import { startDeviceGateway, type DeviceGateway } from './device-gateway.ts'

type Renewed = DataOf<typeof renewBoardPasswords>

let devices: TestDevices
let gateway: DeviceGateway
const boards: MqttClient[] = []
beforeAll(async () => {
  devices = await startTestDevices()
  gateway = await startDeviceGateway({
    db: devices.db,
    pool: devices.pool,
    credentials: createDeviceCredentials(devices.secrets),
    mqttUrl: '',
    mqttHost: '127.0.0.1',
    mqttPort: 0,
    instanceName: 'test',
    log: pino({ level: 'silent' }),
  })
})
afterAll(async () => {
  await Promise.all(boards.map((board) => board.endAsync(true)))
  await gateway.stop()
  await devices.stop()
})

const renew = (who: string, body: object) => devices.ask<Renewed>(who, 'PUT', '/api/device/password', body)
const passwordOf = ({ data }: { data: Renewed }, deviceId: string) =>
  data.boards.find((board) => board.deviceId === deviceId)?.password ?? ''

async function connect(sid: string, password: string): Promise<MqttClient> {
  const board = mqtt.connect(gateway.broker?.url ?? '', {
    clientId: sid,
    username: sid,
    password,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  boards.push(board)
  await new Promise<void>((resolve, reject) => {
    board.once('connect', () => resolve())
    board.once('close', () => reject(new Error('closed')))
    board.on('error', reject)
  })
  return board
}
/** Who comes before the broker heard what was changed has to come again. */
const connectAgain = (sid: string, password: string) =>
  vi.waitFor(() => connect(sid, password), { timeout: 30_000, interval: 100 })
const loss = (board: MqttClient) => new Promise((resolve) => board.once('close', () => resolve(true)))

describe('a new password of a board', () => {
  it('opens to the board, and ends the connection of who has the one before', async () => {
    const { data: added } = await devices.ask<{ id: number; password: string }>(
      'root',
      'POST',
      '/api/device',
      {
        deviceid: 'G1',
        name: 'chair',
        modelid: 1,
      },
    )
    const board = await connect('G1', added.password)
    const lost = loss(board)
    const answer = await renew('root', { id: added.id })
    expect(answer.data).toMatchObject({ changed: 1, failed: [], boards: [{ deviceId: 'G1' }] })
    await expect(lost).resolves.toBe(true)
    await expect(connect('G1', added.password)).rejects.toThrow('Not authorized')
    expect((await connectAgain('G1', passwordOf(answer, 'G1'))).connected).toBe(true)
    expect((await devices.logOf(added.id)).at(-1)).toBe('root: Board password replaced (nobody)')
    const { rows } = await devices.pool.query<{ trail: string }>(
      `select t::text as trail from audit_trail t where action = 'device.password'`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.trail).toContain('G1')
    expect(rows[0]?.trail).not.toContain(passwordOf(answer, 'G1'))
  })

  it('is given to many, also while they run, and leaves whose they are and where', async () => {
    const ids = [
      await devices.have('G10', { merchant: 'spa', place: devices.places.hall }),
      await devices.have('G11'),
    ]
    await devices.run(ids[0] ?? 0)
    const before = await devices.rowOf(ids[0] ?? 0)
    const answer = await renew('root', { deviceIds: [...ids, 999_999].join(',') })
    expect(answer.data).toMatchObject({ changed: 2, failed: [{ id: 999_999 }] })
    expect(answer.data.boards.map(({ deviceId }) => deviceId)).toEqual(['G10', 'G11'])
    expect(new Set(answer.data.boards.map(({ password }) => password)).size).toBe(2)
    for (const { deviceId, password } of answer.data.boards)
      expect((await connectAgain(deviceId, password)).connected).toBe(true)
    const { credential_hash: _, ...row } = await devices.rowOf(ids[0] ?? 0)
    expect(before).toMatchObject(row)
  })

  it('ends the connection also where nobody heard of it at once', async () => {
    const id = await devices.have('G20')
    const first = await renew('root', { id })
    // The line is taken by who came after the broker heard of it.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const board = await connectAgain('G20', passwordOf(first, 'G20'))
    const lost = loss(board)
    const { rows: ended } = await devices.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'select clock_timestamp() as now'`,
    )
    expect(ended).toHaveLength(1)
    await renew('root', { id })
    await expect(lost).resolves.toBe(true)
  })

  it('is an admin’s to give', async () => {
    const id = await devices.have('G30', { merchant: 'spa' })
    for (const who of ['north', 'spa', 'clerk']) expect((await renew(who, { id })).resultCode).toBe('103')
    expect((await renew('root', { id: 999_999 })).resultCode).toBe('104')
    expect((await renew('root', {})).resultCode).toBe('105')
  })
})
