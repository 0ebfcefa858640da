import { alertRules } from '@chairside/contract'
import { z } from 'zod'
import { inTransaction, sql, type Database } from '../../kit/database.ts'
import { handleJob, jobKind, type JobHandler } from '../../kit/jobs.ts'
import { learnRhythms, reckonPauses } from './rhythms-sql.ts'
import { endSymptoms, noticeSymptoms, raiseAlerts, type AlertTimes } from './symptoms-sql.ts'
import { advisoryLocks } from '../../kit/advisory-locks.ts'
import { tellOfAlerts } from './tell-of-alerts.ts'

const look = jobKind('devices:look-for-alerts', z.unknown())
const learn = jobKind('devices:learn-rhythms', z.unknown())
const forget = jobKind('devices:forget-alerts', z.unknown())

/**
 * Compares how all devices are with what is known to be amiss, and raises, changes and clears alerts. Whoever comes
 * second at the same moment leaves it to the first.
 * @returns whether it looked
 */
export function lookForAlerts(db: Database, times: AlertTimes, now: Date): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{
      taken: boolean
    }>`select pg_try_advisory_xact_lock(${advisoryLocks.alerts}) as taken`.execute(trx)
    if (!rows[0]?.taken) return false
    // What is amiss is little, and its tables are in memory: it is cheaper found row by row than by reading all devices.
    await sql`select set_config('random_page_cost', '1', true)`.execute(trx)
    await endSymptoms(trx, times, now)
    await reckonPauses(trx, now)
    await noticeSymptoms(trx, now)
    await raiseAlerts(trx, times, now)
    await tellOfAlerts(trx, now)
    return true
  })
}

/** Deletes what was cleared long ago. */
async function forgetAlerts(db: Database, now: Date): Promise<void> {
  await sql`
    delete from device_alerts where cleared_at < ${now}::timestamptz - make_interval(days => ${alertRules.keptDays})`.execute(
    db,
  )
}

/** The look of every minute, the learning of a few places after it, and the forgetting of every night. */
export const createAlertJobs = (times: AlertTimes): JobHandler[] => [
  handleJob(look, async ({ db }) => void (await lookForAlerts(db, times, new Date()))),
  handleJob(learn, ({ db }) => learnRhythms(db, new Date())),
  handleJob(forget, ({ db }) => forgetAlerts(db, new Date())),
]

export const alertCrontab = [
  '* * * * * devices:look-for-alerts',
  '* * * * * devices:learn-rhythms',
  '40 3 * * * devices:forget-alerts',
].join('\n')
