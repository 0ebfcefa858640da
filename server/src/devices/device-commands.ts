import {
  deviceProtocolVersion,
  startControl,
  type DeviceCommand,
} from '@chairside/contract/devices/device-protocol'
import { z } from 'zod'
import { inTransaction, sql, type Database, type RawBuilder } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { reachStep } from '../kit/steps.ts'
import { giveUp, marginSeconds, mostAttempts, type CommandKind } from './give-up-commands.ts'
import type { WifiPayload } from './wifi-answers.ts'

/*
 * A command is a row first. A job hands it to the broker, and again with the same id until the chair acknowledges it or
 * the time for it is over; the board does an id once and refuses one whose time to live has passed, so a command that
 * was given up starts nothing later.
 */

const deliver = jobKind('devices.deliver-command', z.object({ commandId: z.string() }))

export interface DeliveryTimes {
  /** How long a chair may take to acknowledge, before each retry. */
  ackSeconds: number
  /**
   * How long after the last board refuses it a command is given up: boards count whole seconds, and their clocks are
   * a little off.
   */
  marginSeconds: number
  /** How soon a command is tried again that the broker did not take. */
  brokerAwaySeconds: number
}

const defaultTimes = { marginSeconds, brokerAwaySeconds: 3 }

/** Seconds to acknowledge, where somebody sits and waits. */
const waitedForAckSeconds = 4

/** By then every command that somebody waits for has its answer or was given up, unless the queue is behind. */
export const waitedForSeconds = waitedForAckSeconds * mostAttempts + defaultTimes.marginSeconds + 2

export interface StartRequest {
  commandId: string
  deviceId: number
  orderId: string
  durationSeconds: number
  requestedBy: string
  /** Set when somebody waits for the answer: it is asked for sooner, and given up sooner. */
  isWaitedFor?: boolean
}

/** Asks chairs to run, in the transaction of the facts that pay for it. The same id again changes nothing. */
export function requestStarts(db: Database, starts: readonly StartRequest[]): Promise<void> {
  return request(
    db,
    'start',
    starts.map(({ durationSeconds, isWaitedFor, ...start }) => ({
      ...start,
      payload: { durationSeconds, ...(isWaitedFor ? { isWaitedFor } : {}) },
    })),
  )
}

export interface StopRequest {
  commandId: string
  deviceId: number
  /** Null for a run that belongs to no order we know. */
  orderId: string | null
  /** The command whose run is to end. */
  stops: string
  requestedBy: string
  isWaitedFor?: boolean
}

/** Asks a chair to end the run of a command. */
export const requestStop = (db: Database, stop: StopRequest): Promise<void> => requestStops(db, [stop])

/** Asks chairs to end their runs, all in one statement. */
export function requestStops(db: Database, stops: readonly StopRequest[]): Promise<void> {
  return request(
    db,
    'stop',
    stops.map(({ stops: run, isWaitedFor, ...stop }) => ({
      ...stop,
      payload: { durationSeconds: 0, stops: run, ...(isWaitedFor ? { isWaitedFor } : {}) },
    })),
  )
}

export interface WifiRequest {
  commandId: string
  deviceId: number
  payload: WifiPayload
  requestedBy: string
}

/** Asks boards to change over to another network. */
export function requestWifi(db: Database, changes: readonly WifiRequest[]): Promise<void> {
  return request(
    db,
    'wifi',
    changes.map((change) => ({
      ...change,
      orderId: null,
      payload: { ...change.payload, isWaitedFor: true },
    })),
  )
}

interface Request {
  commandId: string
  deviceId: number
  orderId: string | null
  payload: unknown
  requestedBy: string
}

async function request(db: Database, kind: CommandKind, commands: readonly Request[]): Promise<void> {
  if (commands.length === 0) return
  await sql`
    with made as (
      insert into device_commands (id, device_id, kind, order_id, payload, requested_by)
      select "commandId", "deviceId", ${kind}, "orderId", payload, "requestedBy"
        from jsonb_to_recordset(${JSON.stringify(commands)}::jsonb)
          as c ("commandId" text, "deviceId" bigint, "orderId" text, payload jsonb, "requestedBy" text)
      on conflict (id) do nothing returning id)
    ${askForDeliveries(sql`made`, { keepsRunAt: false })}`.execute(db)
}

/** Asks the queue once for the delivery of all commands of `ids`: a call for each would cost several times as much. */
const askForDeliveries = (ids: RawBuilder<unknown>, options: { keepsRunAt: boolean }) => sql`
  select from (
    select array_agg((${deliver.name}::text, json_build_object('commandId', id), null, null, null, 'deliver:' || id, null, null
                     )::graphile_worker.job_spec) as jobs from ${ids}) asked,
    lateral graphile_worker.add_jobs(asked.jobs, ${options.keepsRunAt}) where asked.jobs is not null`

/** A look at a command that is later than this has lost its job, with a process that was killed while it did it. */
const lostAfterSeconds = 5

/** Asks again for the delivery of commands whose job was lost; one that only waits for a worker keeps its place. */
export async function recoverDeliveries(db: Database): Promise<void> {
  const lost = sql`(
    select id from device_commands
     where state in ('pending', 'sent') and next_look_at < now() - make_interval(secs => ${lostAfterSeconds})) lost`
  await askForDeliveries(lost, { keepsRunAt: true }).execute(db)
}

export interface CommandSender {
  /** @throws when the broker does not take it; the board may have it anyway */
  sendCommand(sid: string, command: DeviceCommand): Promise<void>
}

/** The job that sends commands; only for processes that are connected to the broker. */
export function createCommandJobs(
  sender: CommandSender,
  times: number | ({ ackSeconds: number } & Partial<DeliveryTimes>),
  /** Opens what was kept secret in a command. */
  secrets: Pick<SecretBox, 'open'>,
): JobHandler[] {
  const given = typeof times === 'number' ? { ackSeconds: times } : times
  const delivery: DeliveryTimes = { ...defaultTimes, ...given }
  return [
    handleJob(deliver, async ({ db, log }, { commandId }) => {
      const claimed = await inTransaction(db, (trx) => claimAttempt(trx, commandId, delivery))
      if (!claimed) return
      try {
        reachStep('command claimed')
        await sender.sendCommand(claimed.record.sid, wireCommand(claimed, secrets))
        reachStep('command sent')
      } catch (error) {
        log.warn({ err: error, commandId, sid: claimed.record.sid }, 'the broker did not take a command')
        await inTransaction(db, (trx) => giveAttemptBack(trx, commandId, delivery.brokerAwaySeconds))
      }
    }),
  ]
}

interface CommandRecord {
  id: string
  sid: string
  kind: CommandKind
  orderId: string | null
  state: string
  attempts: number
  /** By the clock of the database, as the next, so that ours may be off. */
  ageSeconds: number
  /** Unix time. The board compares it with what another gateway told it, maybe, and refuses what is over. */
  nowSeconds: number
  payload: Partial<WifiPayload> & { durationSeconds?: number; stops?: string; isWaitedFor?: boolean }
  controlMode: 1 | 2 | 3
  pulseCycleMs: number
  pulseDutyCycleMs: number
  pulseDurationMinutes: number
  lightTherapy: boolean
}

interface ClaimedAttempt {
  record: CommandRecord
  expiresInSeconds: number
}

/**
 * Counts an attempt and schedules the next look, or gives the command up; both before anything is sent, so that a
 * process that is killed here or later leaves a look to come.
 */
async function claimAttempt(
  db: Database,
  commandId: string,
  delivery: DeliveryTimes,
): Promise<ClaimedAttempt | undefined> {
  const { rows } = await sql<CommandRecord>`
    select c.id, d.sid, c.kind, c.order_id as "orderId", c.state, c.attempts, c.payload,
           extract(epoch from clock_timestamp() - c.created_at)::double precision as "ageSeconds",
           extract(epoch from clock_timestamp())::double precision as "nowSeconds",
           m.control_mode as "controlMode", m.pulse_cycle_ms as "pulseCycleMs", m.pulse_duty_cycle_ms as "pulseDutyCycleMs",
           m.pulse_duration_minutes as "pulseDurationMinutes", m.light_therapy as "lightTherapy"
      from device_commands c join devices d on d.id = c.device_id join device_models m on m.id = d.model_id
     where c.id = ${commandId} for update of c`.execute(db)
  const record = rows[0]
  if (!record || (record.state !== 'pending' && record.state !== 'sent')) return undefined
  const ackSeconds = record.payload.isWaitedFor
    ? Math.min(waitedForAckSeconds, delivery.ackSeconds)
    : delivery.ackSeconds
  const expiresInSeconds = ackSeconds * mostAttempts - record.ageSeconds
  const givenUpInSeconds = expiresInSeconds + delivery.marginSeconds
  if (givenUpInSeconds <= 0) {
    await giveUp(db, record)
    return undefined
  }
  if (record.attempts >= mostAttempts || expiresInSeconds <= 0) {
    await scheduleLook(db, commandId, givenUpInSeconds)
    return undefined
  }
  await sql`
    update device_commands set state = 'sent', attempts = attempts + 1, sent_at = coalesce(sent_at, now()) where id = ${commandId}`.execute(
    db,
  )
  await scheduleLook(db, commandId, ackSeconds < expiresInSeconds ? ackSeconds : givenUpInSeconds)
  return { record, expiresInSeconds }
}

async function scheduleLook(db: Database, commandId: string, inSeconds: number): Promise<void> {
  const { rows } = await sql<{ runAt: Date }>`
    update device_commands set next_look_at = clock_timestamp() + make_interval(secs => ${inSeconds})
     where id = ${commandId} returning next_look_at as "runAt"`.execute(db)
  const runAt = rows[0]?.runAt
  if (runAt) await addJob(db, deliver, { commandId }, { runAt, key: `deliver:${commandId}` })
}

/** The broker was away: tries again soon, as often as the command's time allows. */
async function giveAttemptBack(db: Database, commandId: string, inSeconds: number): Promise<void> {
  const { rows } = await sql`
    update device_commands set attempts = attempts - 1
     where id = ${commandId} and state = 'sent' and attempts > 0 returning 1`.execute(db)
  if (rows.length > 0) await scheduleLook(db, commandId, inSeconds)
}

function wireCommand(
  { record, expiresInSeconds }: ClaimedAttempt,
  secrets: Pick<SecretBox, 'open'>,
): DeviceCommand {
  const { nowSeconds } = record
  const at = Math.floor(nowSeconds)
  const base = {
    v: deviceProtocolVersion,
    id: record.id,
    at,
    ttlSeconds: Math.max(1, Math.floor(nowSeconds + expiresInSeconds) - at),
  } as const
  if (record.kind === 'stop') return { ...base, kind: 'stop', commandId: record.payload.stops ?? '' }
  if (record.kind === 'wifi') {
    const { ssid = '', sealedPassword = '' } = record.payload
    return { ...base, kind: 'wifi', ssid, password: secrets.open(Buffer.from(sealedPassword, 'base64')) }
  }
  const { durationSeconds = 0 } = record.payload
  const passThrough = JSON.stringify({ orderId: record.orderId, seconds: durationSeconds })
  const control = startControl(record, durationSeconds, passThrough)
  const light = record.lightTherapy ? ({ lightTherapy: true } as const) : {}
  return { ...base, kind: 'start', durationSeconds, control, ...light }
}
