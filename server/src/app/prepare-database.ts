import { z } from 'zod'
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
  await sql`update platform_settings set time_zone = ${timeZone}`.execute(db)
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
  const fingerprint = rows[0]?.fingerprint
  if (fingerprint !== wanted.keyFingerprint) {
    throw new StartError(
      `SECRET_KEY is not the one this database was set up with: its fingerprint is ${wanted.keyFingerprint}, the database's is ${fingerprint}. Start with the key of before, or what is sealed cannot be read.`,
    )
  }
  await makePartitions(db)
}
