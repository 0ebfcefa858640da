import { randomBytes } from 'node:crypto'
import { sql, type Database } from '../kit/database.ts'

export interface OrderStart {
  durationSeconds: number
  /** The chair has reported the end of it. */
  hasEnded: boolean
}

/** A start command of an order; undefined for a command that is not there. */
export async function startOfCommand(db: Database, commandId: string): Promise<OrderStart | undefined> {
  const { rows } = await sql<OrderStart>`
    select (payload ->> 'durationSeconds')::integer as "durationSeconds", delivered_seconds is not null or state = 'ended' as "hasEnded" from device_commands where id = ${commandId} and kind = 'start'`.execute(
    db,
  )
  return rows[0]
}

export interface OrderRun {
  /** What chairs reported of all starts of the order; one that kept silent about its end ran its time. */
  deliveredSeconds: number
  /** Somebody asked the chair to stop, and it did not refuse. */
  wasStopped: boolean
  /** The last start runs. */
  isRunning: boolean
}

/** What the chair has delivered of an order so far, over all of its starts. */
export async function runOf(db: Database, orderId: string): Promise<OrderRun> {
  const { rows } = await sql<OrderRun>`
    select coalesce(sum(coalesce(delivered_seconds, case when state = 'ended' then (payload ->> 'durationSeconds')::integer end))
             filter (where kind = 'start'), 0) as "deliveredSeconds",
           coalesce(bool_or(kind = 'stop' and state <> 'refused'), false) as "wasStopped",
           coalesce((array_agg(state order by created_at desc) filter (where kind = 'start'))[1] = 'accepted', false) as "isRunning"
      from device_commands where order_id = ${orderId}`.execute(db)
  return rows[0] ?? { deliveredSeconds: 0, wasStopped: false, isRunning: false }
}

/** The start an order runs by, for a stop to name. */
export async function runningCommandOf(db: Database, orderId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from device_commands where order_id = ${orderId} and kind = 'start' and state = 'accepted'
     order by created_at desc limit 1`.execute(db)
  return rows[0]?.id
}

/** No run is longer. */
const runHours = 24

/** The start a chair runs by or is about to, as far as we know. */
export async function findLastStart(
  db: Database,
  deviceId: number,
): Promise<{ commandId: string; orderId: string | null } | undefined> {
  const { rows } = await sql<{ commandId: string; orderId: string | null }>`
    select id as "commandId", order_id as "orderId" from device_commands
     where device_id = ${deviceId} and kind = 'start' and created_at > now() - make_interval(hours => ${runHours})
       and (state in ('pending', 'sent')
         or state = 'accepted' and delivered_seconds is null
            and acknowledged_at + make_interval(secs => (payload ->> 'durationSeconds')::double precision) > now())
     order by created_at desc limit 1`.execute(db)
  return rows[0]
}

/**
 * The id of the stop that is on its way for a run of a chair, or of a new one. What runs is its board's word, which may be
 * the run of somebody else's chair: ids made of it would be taken before that one is stopped.
 */
export async function nextStopOf(db: Database, deviceId: number, startId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from device_commands
     where device_id = ${deviceId} and kind = 'stop' and state in ('pending', 'sent') and payload ->> 'stops' = ${startId}
       and created_at > now() - make_interval(hours => ${runHours}) order by id desc limit 1`.execute(db)
  return rows[0]?.id ?? `L${deviceId}-${randomBytes(9).toString('base64url')}`
}

/** How many commands of a kind an order has had, for the next one's number; `live` are not answered yet. */
export async function countCommands(
  db: Database,
  orderId: string,
  kind: 'start' | 'stop',
): Promise<{ count: number; live: number }> {
  const { rows } = await sql<{ count: number; live: number }>`
    select count(*) as count, count(*) filter (where state in ('pending', 'sent')) as live
      from device_commands where order_id = ${orderId} and kind = ${kind}`.execute(db)
  return rows[0] ?? { count: 0, live: 0 }
}

/** Starts live this long at the very most: three attempts of `START_ACK_SECONDS`. */
const startMinutes = 10

/** Whether a start is on its way to a chair, for another order than one. */
export async function isStarting(
  db: Database,
  deviceId: number,
  now: Date,
  exceptOrderId?: string,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device_commands
     where device_id = ${deviceId} and kind = 'start' and state in ('pending', 'sent')
       and created_at > ${now}::timestamptz - make_interval(mins => ${startMinutes})
       and order_id is distinct from ${exceptOrderId ?? null} limit 1`.execute(db)
  return rows.length > 0
}
