import type pg from 'pg'
import type { Logger } from 'pino'
import { inTransaction, sql, type Database } from './database.ts'
import { advisoryLocks } from './advisory-locks.ts'

const announceAgainMs = 1000

/**
 * Tells the other processes that these workers live, for as long as this process and its connection do.
 * @returns takes it back
 */
export async function announceWorkers(
  pool: pg.Pool,
  workerIds: readonly string[],
  log: Logger,
): Promise<() => Promise<void>> {
  let held: { client: pg.PoolClient; lockKey: number } | undefined
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  const announce = async () => {
    const client = await pool.connect()
    try {
      const { rows } = await client.query<{ lockKey: number }>(
        `insert into worker_processes (worker_ids) values ($1)
         returning lock_key as "lockKey", pg_advisory_lock($2, lock_key)`,
        [workerIds, advisoryLocks.workerProcess],
      )
      held = { client, lockKey: rows[0]?.lockKey ?? 0 }
      client.once('end', announceAgain)
    } catch (error) {
      client.release(true)
      throw error
    }
  }
  let announcing = announce()
  // The database went away, and with it the lock: others may do our jobs too, which is harmless.
  const announceAgain = () => {
    held?.client.release(true)
    held = undefined
    if (isOver) return
    timer = setTimeout(() => {
      announcing = announce()
      announcing.catch((error: unknown) => {
        log.warn({ err: error }, 'the workers could not be announced')
        announceAgain()
      })
    }, announceAgainMs)
  }
  await announcing
  return async () => {
    isOver = true
    clearTimeout(timer)
    await announcing.catch(() => undefined)
    if (!held) return
    const { client, lockKey } = held
    client.off('end', announceAgain)
    try {
      await client.query('delete from worker_processes where lock_key = $1', [lockKey])
    } finally {
      // The lock goes with its connection.
      client.release(true)
    }
  }
}

/** A process has some moments between being given a job and beginning it, or announcing itself. */
const takenWithinSeconds = 5

/** The jobs that this process does. */
export interface OwnJobs {
  lockedBy: string | undefined
  underWay: readonly string[]
}

/**
 * Frees the jobs that nobody does, so that somebody does: those of processes that died, and those of this one that it
 * knows nothing of, because the answer that gave them to it was lost with its connection. Every job is harmless when
 * done again.
 */
export function releaseLostJobs(db: Database, own: OwnJobs): Promise<void> {
  return inTransaction(db, async (trx) => {
    await sql`
      delete from worker_processes
       where lock_key in (select lock_key from worker_processes where pg_try_advisory_xact_lock(${advisoryLocks.workerProcess}, lock_key))`.execute(
      trx,
    )
    const { rows: lost } = await sql<{ id: string }>`
      select id::text as id from graphile_worker.jobs
       where locked_at < now() - make_interval(secs => ${takenWithinSeconds})
         and (locked_by not in (select unnest(worker_ids) from worker_processes)
              or locked_by = ${own.lockedBy ?? null} and id <> all (${own.underWay}::bigint[]))`.execute(trx)
    if (lost.length > 0)
      await unlockJobs(
        trx,
        lost.map(({ id }) => id),
      )
    await endReplacedJobs(trx)
  })
}

/**
 * Ends the jobs that asked for a successor under their key while they were done, and then were lost or failed: it takes
 * their key and all of their tries, so that they are not done again. Whatever fails as often by itself takes days.
 */
async function endReplacedJobs(trx: Database): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
     where locked_at is null and key is null and attempts >= max_attempts and created_at > now() - interval '1 day'
    having count(*) > 0`.execute(trx)
}

/** What `graphile_worker.force_unlock_workers` does, job by job: it knows only all jobs of a worker. */
async function unlockJobs(trx: Database, ids: readonly string[]): Promise<void> {
  await sql`
    with lost as materialized (
      select id, job_queue_id, locked_by from graphile_worker._private_jobs where id = any (${ids}::bigint[]) for update
    ), unlocked as (
      update graphile_worker._private_job_queues as queue
         set locked_at = null, locked_by = null
        from lost where queue.id = lost.job_queue_id and queue.locked_by = lost.locked_by
    )
    update graphile_worker._private_jobs as job
       set locked_at = null, locked_by = null
      from lost where job.id = lost.id`.execute(trx)
}
