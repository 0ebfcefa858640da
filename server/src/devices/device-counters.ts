import { z } from 'zod'
import { sql, type Database } from '../kit/database.ts'
import { handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'

/** Folds what changed since into the counters of devices and of their online history; lists are exact before it too. */
export async function foldDeviceCounters(db: Database): Promise<void> {
  await sql`select fold_device_counters()`.execute(db)
  await sql`select fold_device_status()`.execute(db)
}

const keepShelves = jobKind('devices:keep-shelves', z.unknown())

/** Every ten minutes, since shelves become too long only as thousands of devices are added. */
export const deviceShelvesCrontab = '*/10 * * * * devices:keep-shelves'

export const deviceShelfJobs: JobHandler[] = [
  handleJob(keepShelves, async ({ db }) => {
    await sql`select keep_device_shelves()`.execute(db)
  }),
]
