import { z } from 'zod'
import { handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { deleteExpiredSessions } from './sessions-sql.ts'

const forgetSessions = jobKind('identity:forget-sessions', z.unknown())

export const identityJobs: JobHandler[] = [
  handleJob(forgetSessions, ({ db }) => deleteExpiredSessions(db, new Date())),
]

/** Every ten minutes. */
export const identityCrontab = '*/10 * * * * identity:forget-sessions'
