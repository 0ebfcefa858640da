import { z } from 'zod'
import { handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { deleteExpiredSessions } from './sessions-sql.ts'
import { deleteOldFailures } from './sign-in-throttle.ts'
import { deleteExpiredOffers } from './two-step-sql.ts'

const forgetSessions = jobKind('identity:forget-sessions', z.unknown())

export const identityJobs: JobHandler[] = [
  handleJob(forgetSessions, async ({ db }) => {
    const now = new Date()
    await deleteExpiredSessions(db, now)
    await deleteExpiredOffers(db, now)
    await deleteOldFailures(db, now)
  }),
]

/** Every ten minutes. */
export const identityCrontab = '*/10 * * * * identity:forget-sessions'
