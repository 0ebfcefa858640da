import { deviceStatuses } from '@chairside/contract'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { advisoryLocks } from '../kit/advisory-locks.ts'

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
 * Stores reports of different boards, in one statement unless a status changes; only then the history is touched, later
 * where the board wavers (docs/decisions/0467). A report older than what is known changes nothing.
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
  await changeStatuses(db, gateway, changed)
  await storeUnchanged(db, gateway, changed)
}

/** @returns the boards whose status is another than reported, or whose report is old */
async function storeUnchanged(
  db: Database,
  gateway: string,
  states: readonly ReportedState[],
): Promise<Set<string>> {
  const { rows } = await sql<{ sid: string }>`
    select sid from store_device_reports(
      ${gateway}, ${states.map(({ sid }) => sid)}, ${states.map(({ status }) => status)},
      ${states.map(({ signal }) => signal)}, ${states.map(({ bootId }) => bootId)},
      ${states.map(({ runningCommandId }) => runningCommandId)},
      ${states.map(({ remainingSeconds }) => remainingSeconds)}, ${states.map(({ troubleCode }) => troubleCode)},
      ${states.map(({ at }) => at)}) as sid`.execute(db)
  return new Set(rows.map(({ sid }) => sid))
}

async function changeStatuses(
  db: Database,
  gateway: string,
  changes: readonly { sid: string; status: number; at: Date }[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    select change_device_statuses(
      ${gateway}, ${changes.map(({ sid }) => sid)}, ${changes.map(({ status }) => status)},
      ${changes.map(({ at }) => at)})`.execute(db)
}

/** Boards said goodbye, or their connections broke; one that was heard since, or has restarted, is still there. */
export async function storeGoodbyes(
  db: Database,
  gateway: string,
  goodbyes: readonly { sid: string; bootId: string; at: Date }[],
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // Devices before their states, as everybody does.
    await sql`
      select 1 from devices where sid = any(${goodbyes.map(({ sid }) => sid)}) and removed_at is null
       order by id for no key update`.execute(trx)
    const { rows } = await sql<{ sid: string; at: Date }>`
      select g.sid, g.at
        from unnest(${goodbyes.map(({ sid }) => sid)}::text[], ${goodbyes.map(({ bootId }) => bootId)}::text[],
                    ${goodbyes.map(({ at }) => at)}::timestamptz[]) as g (sid, boot_id, at)
        join devices d on d.sid = g.sid and d.removed_at is null join device_states s on s.device_id = d.id
       where coalesce(s.held_status, s.status) <> ${deviceStatuses.offline} and s.boot_id in (g.boot_id, '')
         and (s.last_seen_at is null or s.last_seen_at <= g.at)
       order by s.device_id for update of s`.execute(trx)
    await changeStatuses(
      trx,
      gateway,
      rows.map(({ sid, at }) => ({ sid, status: deviceStatuses.offline, at })),
    )
  })
}

/**
 * Marks all devices offline that were silent since an instant; those that are being written to are not silent.
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
    }>`select pg_try_advisory_xact_lock(${advisoryLocks.silentDevices}) as taken`.execute(trx)
    if (!lock.rows[0]?.taken) return 0
    const { rows } = await sql<{ sid: string }>`
      select d.sid from device_states s join devices d on d.id = s.device_id and d.removed_at is null
       where s.status <> ${deviceStatuses.offline} and (s.last_seen_at is null or s.last_seen_at < ${silentSince})
         for no key update of d, s skip locked`.execute(trx)
    await changeStatuses(
      trx,
      gateway,
      rows.map(({ sid }) => ({ sid, status: deviceStatuses.offline, at })),
    )
    return rows.length
  })
}

/** Shows the latest status of boards that waver, when the one before was shown for long enough. */
export async function showHeldStatuses(db: Database, gateway: string): Promise<void> {
  await sql`select show_held_statuses(${gateway})`.execute(db)
}

/** Keeps the firmware that boards were born with. */
export async function storeFirmware(
  db: Database,
  born: readonly { sid: string; firmware: string }[],
): Promise<void> {
  await sql`
    with locked as materialized (
      select d.id, b.firmware
        from unnest(${born.map(({ sid }) => sid)}::text[], ${born.map(({ firmware }) => firmware)}::text[]) as b (sid, firmware)
        join devices d on d.sid = b.sid and d.removed_at is null
       where d.firmware <> b.firmware order by d.id for no key update of d)
    update devices d set firmware = l.firmware from locked l where d.id = l.id`.execute(db)
}
