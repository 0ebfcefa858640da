import { deviceStatuses } from '@chairside/contract'
import { inTransaction, sql, type Database } from '../kit/database.ts'

/** What a board reported of itself. */
export interface ReportedState {
  sid: string
  /** 1 wifi, 3 trouble, 4 gprs (spec 2 §4). */
  status: number
  signal: number
  bootId: string
  runningCommandId: string
  remainingSeconds: number
  troubleCode: string
  at: Date
}

/** Any number that no other advisory lock of ours uses: one process at a time looks for silent devices. */
const silenceLock = 7_205_161

/**
 * Stores reports of different boards. Reports that change no status are one statement on one narrow table; a change
 * also touches the history. A report older than what is known changes nothing.
 * @param gateway name of the process that heard them
 */
export async function storeReportedStates(
  db: Database,
  gateway: string,
  states: readonly ReportedState[],
): Promise<void> {
  if (states.length === 0) return
  const left = await storeUnchanged(db, gateway, states)
  if (left.size === 0) return
  const changed = states.filter(({ sid }) => left.has(sid))
  await inTransaction(db, async (trx) => {
    await changeStatuses(trx, gateway, await lockChanging(trx, changed))
    await storeUnchanged(trx, gateway, changed)
  })
}

/** @returns the boards whose status is another than reported, or whose report is old */
async function storeUnchanged(
  db: Database,
  gateway: string,
  states: readonly ReportedState[],
): Promise<Set<string>> {
  const { rows } = await sql<{ sid: string }>`
    with reported as (
      select d.id as device_id, r.*
        from unnest(
          ${states.map(({ sid }) => sid)}::text[], ${states.map(({ status }) => status)}::smallint[],
          ${states.map(({ signal }) => signal)}::smallint[], ${states.map(({ bootId }) => bootId)}::text[],
          ${states.map(({ runningCommandId }) => runningCommandId)}::text[],
          ${states.map(({ remainingSeconds }) => remainingSeconds)}::integer[],
          ${states.map(({ troubleCode }) => troubleCode)}::text[], ${states.map(({ at }) => at)}::timestamptz[])
          as r (sid, status, signal, boot_id, running_command_id, remaining_seconds, trouble_code, at)
        join devices d on d.sid = r.sid),
    stored as (
      update device_states s set
        signal = r.signal, last_seen_at = r.at, boot_id = r.boot_id, trouble_code = r.trouble_code, gateway = ${gateway},
        running_command_id = r.running_command_id,
        running_until = case when r.running_command_id <> '' then r.at + make_interval(secs => r.remaining_seconds) end
      from reported r
      where s.device_id = r.device_id and s.status = r.status and (s.last_seen_at is null or s.last_seen_at <= r.at)
      returning s.device_id)
    select sid from reported where device_id not in (select device_id from stored)`.execute(db)
  return new Set(rows.map(({ sid }) => sid))
}

interface StatusChange {
  deviceId: number
  status: number
  at: Date
}

/** Locks in the order of ids, so that two batches never wait for each other. */
async function lockChanging(db: Database, states: readonly ReportedState[]): Promise<StatusChange[]> {
  const { rows } = await sql<StatusChange>`
    select s.device_id as "deviceId", r.status, r.at
      from unnest(${states.map(({ sid }) => sid)}::text[], ${states.map(({ status }) => status)}::smallint[],
                  ${states.map(({ at }) => at)}::timestamptz[]) as r (sid, status, at)
      join devices d on d.sid = r.sid join device_states s on s.device_id = d.id
     where s.last_seen_at is null or s.last_seen_at <= r.at
     order by s.device_id for update of s`.execute(db)
  return rows
}

/**
 * Gives locked devices another status: closes the open row of their history and begins a new one. Apart from the
 * locking, because only a statement begun after it sees what the transaction before it wrote.
 */
async function changeStatuses(
  db: Database,
  gateway: string,
  changes: readonly StatusChange[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    with changed as (
      select s.device_id, s.status_since, c.status, greatest(c.at, s.status_since) as at
        from unnest(${changes.map(({ deviceId }) => deviceId)}::bigint[], ${changes.map(({ status }) => status)}::smallint[],
                    ${changes.map(({ at }) => at)}::timestamptz[]) as c (device_id, status, at)
        join device_states s on s.device_id = c.device_id and s.status <> c.status),
    stored as (
      update device_states s set status = c.status, status_since = c.at, gateway = ${gateway},
             signal = case when c.status = ${deviceStatuses.offline} then 0 else s.signal end
        from changed c where c.device_id = s.device_id),
    closed as (
      update device_status_history h set ended_at = c.at
        from changed c where h.device_id = c.device_id and h.reported_at = c.status_since and h.ended_at is null)
    insert into device_status_history (device_id, merchant_id, sid, status, reported_at, host_name)
    select d.id, d.merchant_id, d.sid, c.status, c.at, ${gateway} from changed c join devices d on d.id = c.device_id`.execute(
    db,
  )
}

/** A board said goodbye, or its connection broke; one that was heard since, or has started anew, is still there. */
export async function storeGoodbye(
  db: Database,
  gateway: string,
  { sid, bootId, at }: { sid: string; bootId: string; at: Date },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ deviceId: number }>`
      select s.device_id as "deviceId" from device_states s join devices d on d.id = s.device_id
       where d.sid = ${sid} and s.status <> ${deviceStatuses.offline} and s.boot_id in (${bootId}, '')
         and (s.last_seen_at is null or s.last_seen_at <= ${at})
         for update of s`.execute(trx)
    await changeStatuses(trx, gateway, offlineSince(rows, at))
  })
}

/**
 * Marks all devices offline that were silent since an instant; those somebody writes to just now are not silent.
 * @returns how many it marked; none while another process does it
 */
export function storeSilence(
  db: Database,
  gateway: string,
  { silentSince, at }: { silentSince: Date; at: Date },
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const lock = await sql<{
      taken: boolean
    }>`select pg_try_advisory_xact_lock(${silenceLock}) as taken`.execute(trx)
    if (!lock.rows[0]?.taken) return 0
    const { rows } = await sql<{ deviceId: number }>`
      select device_id as "deviceId" from device_states
       where status <> ${deviceStatuses.offline} and (last_seen_at is null or last_seen_at < ${silentSince})
         for update skip locked`.execute(trx)
    await changeStatuses(trx, gateway, offlineSince(rows, at))
    return rows.length
  })
}

const offlineSince = (devices: readonly { deviceId: number }[], at: Date): StatusChange[] =>
  devices.map(({ deviceId }) => ({ deviceId, status: deviceStatuses.offline, at }))

/** Keeps the firmware a board was born with. */
export async function storeFirmware(db: Database, sid: string, firmware: string): Promise<void> {
  await sql`update devices set firmware = ${firmware} where sid = ${sid} and firmware <> ${firmware}`.execute(
    db,
  )
}
