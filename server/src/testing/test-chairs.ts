import { startSimulatedChairs, type SimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import { pino } from 'pino'
import { chairEnded, commandAcknowledged, commandTimedOut } from '../devices/command-events.ts'
import { createCommandJobs, type DeliveryTimes } from '../devices/device-commands.ts'
import { createDeviceCredentials, type DeviceCredentials } from '../devices/device-credentials.ts'
import { startDeviceGateway, type DeviceGateway } from '../devices/device-gateway.ts'
import type { WatchTimes } from '../devices/device-watch.ts'
import { openDatabase, sql, type Database, type DatabasePool } from '../kit/database.ts'
import { handleJob, startJobs } from '../kit/jobs.ts'
import { createSecretBox, type SecretBox } from '../kit/secrets.ts'
import { freePorts } from './free-ports.ts'
import { createTestDatabase } from './test-database.ts'

const log = pino({ level: 'silent' })

/** What the devices domain tells the others of a command. */
export interface ToldEvent {
  event: 'acknowledged' | 'ended' | 'timedOut'
  commandId: string
  accepted?: boolean
  reason?: string
  deliveredSeconds?: number
}

export interface DeviceDatabase extends DatabasePool {
  secrets: SecretBox
  credentials: DeviceCredentials
  /** Adds devices and gives the passwords of their boards. */
  addDevices(
    sids: readonly string[],
    options?: { modelId?: number; merchantId?: number },
  ): Promise<Map<string, string>>
  addModel(model: string, controlMode: 1 | 2 | 3): Promise<number>
  idOf(sid: string): Promise<number>
  /** The online history of a device, oldest first; `false` when it is still so. */
  historyOf(sid: string): Promise<{ status: number; isOver: boolean }[]>
  stop(): Promise<void>
}

/** A database with devices that can sign in to a broker. */
export async function openDeviceDatabase(): Promise<DeviceDatabase> {
  const testDatabase = await createTestDatabase()
  const database = openDatabase(testDatabase.url)
  const { pool } = database
  const secrets = createSecretBox('a secret key of a test, long enough')
  const credentials = createDeviceCredentials(secrets)
  await pool.query(
    `select ensure_month_partitions('device_status_history', (now() - interval '1 month')::date, (now() + interval '1 month')::date)`,
  )
  const addModel = async (model: string, controlMode: 1 | 2 | 3) => {
    const { rows } = await pool.query<{ id: number }>(
      'insert into device_models (model, control_mode) values ($1, $2) returning id',
      [model, controlMode],
    )
    return rows[0]?.id ?? 0
  }
  const usualModel = await addModel('M-9', 1)
  return {
    ...database,
    secrets,
    credentials,
    addModel,
    async addDevices(sids, { modelId = usualModel, merchantId } = {}) {
      const issued = sids.map((sid) => ({ sid, ...credentials.issue(sid) }))
      await pool.query(
        `with made as (
           insert into devices (sid, name, model_id, merchant_id, bound, credential_hash)
           select sid, sid, $3, $4, $4::bigint is not null, hash from unnest($1::text[], $2::bytea[]) as d (sid, hash) returning id)
         insert into device_states (device_id) select id from made`,
        [issued.map(({ sid }) => sid), issued.map(({ hash }) => hash), modelId, merchantId ?? null],
      )
      return new Map(issued.map(({ sid, password }) => [sid, password]))
    },
    async idOf(sid) {
      const { rows } = await pool.query<{ id: number }>('select id from devices where sid = $1', [sid])
      return rows[0]?.id ?? 0
    },
    async historyOf(sid) {
      const { rows } = await pool.query<{ status: number; isOver: boolean }>(
        `select status, ended_at is not null as "isOver" from device_status_history where sid = $1 order by reported_at, ended_at nulls last`,
        [sid],
      )
      return rows
    },
    async stop() {
      await database.close()
      await testDatabase.drop()
    },
  }
}

export interface TestChairs extends DeviceDatabase {
  chairs: SimulatedChairs
  /** What was told of commands, in order. */
  told: ToldEvent[]
  stateOf(sid: string): Promise<{ status: number; signal: number; runningCommandId: string }>
  commandOf(id: string): Promise<{ state: string; attempts: number; reason: string } | undefined>
  /** As if a process had taken the waiting jobs and been killed before it did anything. */
  lockJobsOfDeadWorker(db: Database): Promise<void>
  stopGateway(): Promise<void>
  /** Nobody delivers commands from then on. */
  stopJobs(): Promise<void>
  /** On the same port. */
  startGateway(): Promise<void>
}

/** Simulated chairs on the embedded broker, with the gateway, the delivery of commands, and the database behind it. */
export async function startTestChairs(
  sids: readonly string[],
  options: { heartbeatSeconds?: number; delivery?: DeliveryTimes; watchTimes?: WatchTimes } = {},
): Promise<TestChairs> {
  const devices = await openDeviceDatabase()
  const { db, pool, credentials } = devices
  const passwords = await devices.addDevices(sids)
  const told: ToldEvent[] = []
  const [port = 0] = await freePorts(1)
  let running: DeviceGateway | undefined

  const startGateway = async () => {
    running = await startDeviceGateway({
      db,
      pool,
      credentials,
      mqttUrl: '',
      mqttHost: '127.0.0.1',
      mqttPort: port,
      instanceName: 'test',
      log,
      watchTimes: options.watchTimes ?? { everyMs: 200, silenceMs: 60_000 },
    })
    await running.gateway.whenReady()
  }
  await startGateway()
  const chairs = startSimulatedChairs({
    mqttUrl: `mqtt://127.0.0.1:${port}`,
    chairs: sids.map((sid) => ({ sid, password: passwords.get(sid) ?? '', model: 'M-9', firmware: '3.0.1' })),
    timeFactor: 100,
    spreadMs: 0,
    heartbeatSeconds: options.heartbeatSeconds ?? 60,
    reconnectPauseMs: { shortest: 20, longest: 100 },
  })
  const sender = {
    async sendCommand(...command: Parameters<DeviceGateway['gateway']['sendCommand']>) {
      if (!running) throw new Error('there is no gateway')
      await running.gateway.sendCommand(...command)
    },
  }
  const runner = await startJobs({
    pool,
    db,
    log,
    handlers: [
      ...createCommandJobs(
        sender,
        options.delivery ?? { ackSeconds: 30, marginSeconds: 1, brokerAwaySeconds: 0.2 },
        devices.secrets,
      ),
      handleJob(commandAcknowledged, async (_context, { commandId, accepted, reason }) => {
        told.push({ event: 'acknowledged', commandId, accepted, reason })
      }),
      handleJob(chairEnded, async (_context, { commandId, deliveredSeconds }) => {
        told.push({ event: 'ended', commandId, deliveredSeconds })
      }),
      handleJob(commandTimedOut, async (_context, { commandId }) => {
        told.push({ event: 'timedOut', commandId })
      }),
    ],
  })
  let isWorking = true
  const stopJobs = async () => {
    if (isWorking) await runner.stop()
    isWorking = false
  }
  const stopGateway = async () => {
    const stopping = running
    running = undefined
    await stopping?.stop()
  }
  return {
    ...devices,
    chairs,
    told,
    startGateway,
    stopGateway,
    stopJobs,
    async stateOf(sid) {
      const { rows } = await pool.query<{ status: number; signal: number; runningCommandId: string }>(
        `select status, signal, running_command_id as "runningCommandId" from device_states s join devices d on d.id = s.device_id where d.sid = $1`,
        [sid],
      )
      return rows[0] ?? { status: 0, signal: 0, runningCommandId: '' }
    },
    async commandOf(id) {
      const { rows } = await pool.query<{ state: string; attempts: number; reason: string }>(
        'select state, attempts, reason from device_commands where id = $1',
        [id],
      )
      return rows[0]
    },
    async lockJobsOfDeadWorker(trx) {
      await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a dead worker', attempts = attempts + 1`.execute(
        trx,
      )
    },
    async stop() {
      await chairs.stop()
      await stopJobs()
      await stopGateway()
      await devices.stop()
    },
  }
}
