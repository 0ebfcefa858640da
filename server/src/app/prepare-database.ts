import { z } from 'zod'
import { startOfDay } from '../kit/calendar.ts'
import { sql, type Database } from '../kit/database.ts'
import { handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { StartError } from './plain-errors.ts'

const partitioned = [
  'orders',
  'order_history',
  'ledger_transfers',
  'ledger_entries',
  'device_status_history',
] as const

/** Partitions of the months around now, ahead of when they are needed. */
async function makePartitions(db: Database): Promise<void> {
  await sql`
    select ensure_month_partitions(t, (now() - interval '1 month')::date, (now() + interval '3 months')::date)
      from unnest(${[...partitioned]}::regclass[]) t`.execute(db)
}

const ahead = jobKind('app:make-partitions', z.unknown())

export const partitionJobs: JobHandler[] = [handleJob(ahead, ({ db }) => makePartitions(db))]

/** Once a day. */
export const housekeepingCrontab = '17 3 * * * app:make-partitions'

/** A day of winter and one of summer. */
const daysToCompare = ['2026-01-15', '2026-07-15']

/**
 * Some names mean one thing here and another in SQL: +08:00 lies on the other side of UTC there, and CET has no summer time.
 * @throws StartError when the days of the two would begin at different moments
 */
async function assertSameDays(db: Database, timeZone: string): Promise<void> {
  const { rows } = await sql<{ day: string; first: Date }>`
    select day, day::timestamp at time zone ${timeZone} as first from unnest(${daysToCompare}::text[]) day`
    .execute(db)
    .catch((cause: unknown) => {
      // A name that it does not know; anything else is not the setting's fault.
      if ((cause as { code?: string }).code === '22023') return { rows: [] }
      throw cause
    })
  const isSame =
    rows.length > 0 && rows.every(({ day, first }) => first.getTime() === startOfDay(day, timeZone).getTime())
  if (!isSame)
    throw new StartError(
      `TIME_ZONE is ${timeZone}, by which the database has other days than this program. Name a place, such as Asia/Shanghai or Europe/Berlin.`,
    )
}

/** Counters and reports are kept by the platform's days, so these are settled with the first order. */
async function keepTimeZone(db: Database, timeZone: string): Promise<void> {
  const { rows: settings } = await sql<{
    timeZone: string
  }>`select time_zone as "timeZone" from platform_settings`.execute(db)
  const kept = settings[0]
  if (!kept || kept.timeZone === timeZone) return
  const { rows: orders } = await sql`select 1 from orders limit 1`.execute(db)
  if (orders.length > 0)
    throw new StartError(
      `TIME_ZONE is ${timeZone}, but the days of the orders in this database are those of ${kept.timeZone}. Start with TIME_ZONE=${kept.timeZone}.`,
    )
  await assertSameDays(db, timeZone)
  await sql`update platform_settings set time_zone = ${timeZone}`.execute(db)
}

function assertSameKey(kept: string | null | undefined, ours: string): void {
  if (kept === null || kept === undefined || kept === ours) return
  throw new StartError(
    `SECRET_KEY is not the one this database was set up with: its fingerprint is ${ours}, the database's is ${kept}. Start with the key of before, or what is sealed cannot be read.`,
  )
}

/**
 * Before anything is changed in it: a newer program that was given the address of another installation's database must not
 * bring that up to date, which the program of there then refuses.
 * @throws StartError when another SECRET_KEY sealed what is in it
 */
export async function assertOwnDatabase(db: Database, keyFingerprint: string): Promise<void> {
  const { rows: there } = await sql<{ isThere: boolean }>`
    select to_regclass('platform_settings') is not null as "isThere"`.execute(db)
  if (!there[0]?.isThere) return
  // Also of a schema from before there was a fingerprint.
  const { rows } = await sql<{ fingerprint: string | null }>`
    select to_jsonb(p) ->> 'key_fingerprint' as fingerprint from platform_settings p`.execute(db)
  assertSameKey(rows[0]?.fingerprint, keyFingerprint)
}

/**
 * Makes the database fit this process: its calendar, the key its secrets are sealed with, the partitions ahead.
 * @throws StartError when another SECRET_KEY sealed what is in it, or when its days are those of another TIME_ZONE
 */
export async function prepareDatabase(
  db: Database,
  wanted: { timeZone: string; keyFingerprint: string },
): Promise<void> {
  await keepTimeZone(db, wanted.timeZone)
  const { rows } = await sql<{ fingerprint: string }>`
    update platform_settings set key_fingerprint = coalesce(key_fingerprint, ${wanted.keyFingerprint}) returning key_fingerprint as fingerprint`.execute(
    db,
  )
  assertSameKey(rows[0]?.fingerprint, wanted.keyFingerprint)
  await makePartitions(db)
}
