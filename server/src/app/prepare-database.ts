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

/**
 * Makes the database fit this process: its calendar, the key its secrets are sealed with, the partitions ahead.
 * @throws StartError when another SECRET_KEY sealed what is in it
 */
export async function prepareDatabase(
  db: Database,
  wanted: { timeZone: string; keyFingerprint: string },
): Promise<void> {
  await sql`update platform_settings set time_zone = ${wanted.timeZone} where time_zone <> ${wanted.timeZone}`.execute(
    db,
  )
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
