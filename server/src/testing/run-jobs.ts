import { Logger, runOnce } from 'graphile-worker'
import type pg from 'pg'
import type { JobContext, JobHandler } from '../kit/jobs.ts'

/** Does the jobs of these kinds whose time has come, and ends when their ends are written. */
export async function runJobs(
  { pool, db, log }: JobContext & { pool: pg.Pool },
  jobs: readonly JobHandler[],
): Promise<void> {
  await runOnce({
    pgPool: pool,
    logger: new Logger(() => () => undefined),
    noHandleSignals: true,
    taskList: Object.fromEntries(
      jobs.map(({ kind, work }) => [kind.name, (payload: unknown) => work({ db, log }, payload)]),
    ),
    // Only ends that are written in batches are waited for.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
}
