import {
  deviceProtocolVersion,
  startControl,
  type DeviceCommand,
} from '@chairside/contract/devices/device-protocol'
import { z } from 'zod'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { BrokerAwayError } from '../kit/mqtt.ts'
import { chairEnded, commandAcknowledged, commandTimedOut } from './command-events.ts'

/*
 * A command is a row first. A job hands it to the broker, and again with the same id until the chair acknowledges it or
 * the time for it is over; the board does an id once and refuses one whose time to live has passed, so a command that
 * was given up starts nothing later.
 */

const deliver = jobKind('devices.deliver-command', z.object({ commandId: z.string() }))

/** Sends of one command: the first and two more. */
const mostAttempts = 3
/** The board must have refused a command by the time we give it up, its clock being a little off. */
const clockMarginSeconds = 2

interface CommandToSend {
  id: string
  sid: string
  kind: 'start' | 'stop'
  orderId: string
  state: string
  attempts: number
  createdAt: Date
  payload: { durationSeconds: number; stops?: string }
  controlMode: 1 | 2 | 3
  pulseCycleMs: number
  pulseDutyCycleMs: number
  pulseDurationMinutes: number
}

export interface StartRequest {
  commandId: string
  deviceId: number
  orderId: string
  durationSeconds: number
  requestedBy: string
}

/** Asks chairs to run, in the transaction of the facts that pay for it. The same id again changes nothing. */
export function requestStarts(db: Database, starts: readonly StartRequest[]): Promise<void> {
  return request(
    db,
    'start',
    starts.map((start) => ({ ...start, payload: { durationSeconds: start.durationSeconds } })),
  )
}

/** Asks a chair to end the run of a command. */
export function requestStop(
  db: Database,
  stop: { commandId: string; deviceId: number; orderId: string; stops: string; requestedBy: string },
): Promise<void> {
  return request(db, 'stop', [{ ...stop, payload: { durationSeconds: 0, stops: stop.stops } }])
}

interface Request {
  commandId: string
  deviceId: number
  orderId: string
  payload: unknown
  requestedBy: string
}

async function request(db: Database, kind: 'start' | 'stop', commands: readonly Request[]): Promise<void> {
  if (commands.length === 0) return
  await sql`
    with made as (
      insert into device_commands (id, device_id, kind, order_id, payload, requested_by)
      select "commandId", "deviceId", ${kind}, "orderId", payload, "requestedBy"
        from jsonb_to_recordset(${JSON.stringify(commands)}::jsonb)
          as c ("commandId" text, "deviceId" bigint, "orderId" text, payload jsonb, "requestedBy" text)
      on conflict (id) do nothing returning id)
    select graphile_worker.add_job(${deliver.name}, json_build_object('commandId', id), job_key => 'deliver:' || id) from made`.execute(
    db,
  )
}

export interface CommandSender {
  sendCommand(sid: string, command: DeviceCommand): Promise<void>
}

/** The job that sends commands; only for processes that are connected to the broker. */
export function createCommandJobs(sender: CommandSender, ackSeconds: number): JobHandler[] {
  return [
    handleJob(deliver, async ({ db, log }, { commandId }) => {
      const command = await inTransaction(db, (trx) => claimAttempt(trx, commandId, ackSeconds))
      if (!command) return
      try {
        await sender.sendCommand(command.sid, wireCommand(command, ackSeconds))
      } catch (error) {
        // The next attempt is scheduled already; a broker that is away may be back by then.
        if (!(error instanceof BrokerAwayError)) throw error
        log.warn({ commandId, sid: command.sid }, 'the broker is away; the command is sent again later')
      }
    }),
  ]
}

/** Counts an attempt and schedules the next look, or gives the command up; both before anything is sent. */
async function claimAttempt(
  db: Database,
  commandId: string,
  ackSeconds: number,
): Promise<CommandToSend | undefined> {
  const { rows } = await sql<CommandToSend>`
    select c.id, d.sid, c.kind, c.order_id as "orderId", c.state, c.attempts, c.created_at as "createdAt", c.payload,
           m.control_mode as "controlMode", m.pulse_cycle_ms as "pulseCycleMs", m.pulse_duty_cycle_ms as "pulseDutyCycleMs",
           m.pulse_duration_minutes as "pulseDurationMinutes"
      from device_commands c join devices d on d.id = c.device_id join device_models m on m.id = d.model_id
     where c.id = ${commandId} for update of c`.execute(db)
  const command = rows[0]
  if (!command || (command.state !== 'pending' && command.state !== 'sent')) return undefined
  const now = new Date()
  if (command.attempts >= mostAttempts || now.getTime() >= giveUpAt(command, ackSeconds)) {
    await sql`update device_commands set state = 'timedOut', ended_at = ${now} where id = ${commandId}`.execute(
      db,
    )
    await addJob(
      db,
      commandTimedOut,
      { commandId, orderId: command.orderId, kind: command.kind, at: now.toISOString() },
      { key: `timedOut:${commandId}` },
    )
    return undefined
  }
  await sql`
    update device_commands set state = 'sent', attempts = attempts + 1, sent_at = coalesce(sent_at, ${now}) where id = ${commandId}`.execute(
    db,
  )
  const runAt = new Date(now.getTime() + ackSeconds * 1000)
  await addJob(db, deliver, { commandId }, { runAt, key: `deliver:${commandId}` })
  return command
}

const giveUpAt = (command: { createdAt: Date }, ackSeconds: number) =>
  command.createdAt.getTime() + ackSeconds * mostAttempts * 1000

function wireCommand(command: CommandToSend, ackSeconds: number): DeviceCommand {
  const nowMs = Date.now()
  const leftSeconds = Math.floor((giveUpAt(command, ackSeconds) - nowMs) / 1000) - clockMarginSeconds
  const base = {
    v: deviceProtocolVersion,
    id: command.id,
    at: Math.floor(nowMs / 1000),
    ttlSeconds: Math.max(1, leftSeconds),
  } as const
  if (command.kind === 'stop') return { ...base, kind: 'stop', commandId: command.payload.stops ?? '' }
  const { durationSeconds } = command.payload
  const control = startControl(
    command,
    durationSeconds,
    JSON.stringify({ orderId: command.orderId, seconds: durationSeconds }),
  )
  return { ...base, kind: 'start', durationSeconds, control }
}

/**
 * A chair answered a command, or its heartbeat shows that it runs it. The first answer counts; one that comes after
 * the command was given up is passed on too, so that the chair can be stopped.
 */
export async function storeAcknowledgement(
  db: Database,
  answer: { sid: string; commandId: string; accepted: boolean; reason: string; at: Date },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ kind: 'start' | 'stop'; orderId: string }>`
      update device_commands c set
        state = case when c.state = 'timedOut' then 'timedOut' when ${answer.accepted} then 'accepted' else 'refused' end,
        acknowledged_at = ${answer.at}, reason = ${answer.reason}
       where c.id = ${answer.commandId} and c.acknowledged_at is null and c.state in ('pending', 'sent', 'timedOut')
         and c.device_id = (select id from devices where sid = ${answer.sid})
      returning c.kind, c.order_id as "orderId"`.execute(trx)
    const command = rows[0]
    if (!command) return
    await addJob(
      trx,
      commandAcknowledged,
      {
        commandId: answer.commandId,
        ...command,
        accepted: answer.accepted,
        reason: answer.reason,
        at: answer.at.toISOString(),
      },
      { key: `acknowledged:${answer.commandId}`, queue: command.orderId },
    )
  })
}

/** A chair came to the end of a run, by time or because it was stopped. */
export async function storeEnd(
  db: Database,
  end: { sid: string; commandId: string; deliveredSeconds: number; at: Date },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // A chair that reports the end has run, also when its acknowledgement was lost.
    await storeAcknowledgement(trx, {
      sid: end.sid,
      commandId: end.commandId,
      accepted: true,
      reason: '',
      at: end.at,
    })
    const { rows } = await sql<{ orderId: string }>`
      update device_commands c set state = 'ended', ended_at = ${end.at}, delivered_seconds = ${end.deliveredSeconds}
       where c.id = ${end.commandId} and c.kind = 'start' and c.delivered_seconds is null
         and c.device_id = (select id from devices where sid = ${end.sid})
      returning c.order_id as "orderId"`.execute(trx)
    const command = rows[0]
    if (!command) return
    await addJob(
      trx,
      chairEnded,
      {
        commandId: end.commandId,
        orderId: command.orderId,
        deliveredSeconds: end.deliveredSeconds,
        at: end.at.toISOString(),
      },
      { key: `ended:${end.commandId}`, queue: command.orderId },
    )
  })
}

/** Of commands that boards say they run or have ended, those that we do not know to be so yet. */
export async function commandsToLearnOf(
  db: Database,
  runningIds: readonly string[],
  endedIds: readonly string[],
): Promise<Set<string>> {
  if (runningIds.length + endedIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from device_commands
     where (id = any(${[...runningIds]}) and acknowledged_at is null) or (id = any(${[...endedIds]}) and delivered_seconds is null)`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}
