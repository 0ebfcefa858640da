import { sql, type Database } from '../kit/database.ts'

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

/**
 * Stores many reports in one statement. Only a change of status touches the history: the open row is closed and a new
 * one begins. A report older than what is known changes nothing.
 */
export async function storeReportedStates(
  db: Database,
  gateway: string,
  states: readonly ReportedState[],
): Promise<void> {
  if (states.length === 0) return
  await sql`
    with reported as (
      select d.id as device_id, d.merchant_id, r.*
        from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as r (
          sid text, status smallint, signal smallint, "bootId" text, "runningCommandId" text, "remainingSeconds" integer, "troubleCode" text, at timestamptz)
        join devices d on d.sid = r.sid),
    before as (
      select s.device_id, s.status from device_states s join reported r on r.device_id = s.device_id order by s.device_id for update of s),
    stored as (
      update device_states s set
        status = r.status, signal = r.signal, last_seen_at = r.at, boot_id = r."bootId", trouble_code = r."troubleCode", gateway = ${gateway},
        status_since = case when s.status = r.status then s.status_since else r.at end,
        running_command_id = r."runningCommandId",
        running_until = case when r."runningCommandId" = '' then null else r.at + make_interval(secs => r."remainingSeconds") end
      from reported r where r.device_id = s.device_id and (s.last_seen_at is null or s.last_seen_at <= r.at)
      returning s.device_id, s.status, s.status_since),
    changed as (
      select r.device_id, r.merchant_id, r.sid, stored.status, r.at
        from stored join before using (device_id) join reported r using (device_id) where before.status <> stored.status),
    closed as (
      update device_status_history h set ended_at = c.at
        from changed c where h.device_id = c.device_id and h.ended_at is null and h.reported_at > c.at - interval '400 days')
    insert into device_status_history (device_id, merchant_id, sid, status, reported_at, host_name)
    select device_id, merchant_id, sid, status, at, ${gateway} from changed`.execute(db)
}

/** Marks devices offline: one that said goodbye, or all that were silent since. Answers how many it marked. */
export async function storeOffline(
  db: Database,
  gateway: string,
  which: { sid: string; bootId: string; at: Date } | { silentSince: Date; at: Date },
): Promise<number> {
  const condition =
    'sid' in which
      ? sql`d.sid = ${which.sid} and s.boot_id in (${which.bootId}, '')`
      : sql`s.last_seen_at < ${which.silentSince}`
  const { rows } = await sql`
    with silent as (
      select s.device_id, d.sid, d.merchant_id from device_states s join devices d on d.id = s.device_id
       where s.status <> 2 and ${condition} order by s.device_id for update of s),
    stored as (
      update device_states s set status = 2, status_since = ${which.at}, signal = 0, gateway = ${gateway}
        from silent where silent.device_id = s.device_id returning s.device_id),
    closed as (
      update device_status_history h set ended_at = ${which.at}
        from silent where h.device_id = silent.device_id and h.ended_at is null and h.reported_at > ${which.at}::timestamptz - interval '400 days')
    insert into device_status_history (device_id, merchant_id, sid, status, reported_at, host_name)
    select device_id, merchant_id, sid, 2, ${which.at}, ${gateway} from silent returning 1`.execute(db)
  return rows.length
}

/** Keeps the firmware a board was born with. */
export async function storeFirmware(db: Database, sid: string, firmware: string): Promise<void> {
  await sql`update devices set firmware = ${firmware} where sid = ${sid} and firmware <> ${firmware}`.execute(
    db,
  )
}
