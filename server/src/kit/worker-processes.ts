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

/** A process has some moments between its first job and its announcement. */
const announcedWithinSeconds = 5

interface DeadJob {
  id: string
  workerId: string
  /** It asked for a successor under its key while it was done, and is not to be done again. */
  isReplaced: boolean
}

/** Frees the jobs of processes that died, so that others do them; every job is harmless when done again. */
export function releaseDeadWorkers(db: Database): Promise<void> {
  return inTransaction(db, async (trx) => {
    await sql`
      delete from worker_processes
       where lock_key in (select lock_key from worker_processes where pg_try_advisory_xact_lock(${advisoryLocks.workerProcess}, lock_key))`.execute(
      trx,
    )
    const { rows: dead } = await sql<DeadJob>`
      select id::text as id, locked_by as "workerId",
             key is null and attempts >= max_attempts and last_error is null as "isReplaced"
        from graphile_worker.jobs
       where locked_at < now() - make_interval(secs => ${announcedWithinSeconds})
         and locked_by not in (select unnest(worker_ids) from worker_processes)`.execute(trx)
    if (dead.length === 0) return
    const workerIds = [...new Set(dead.map(({ workerId }) => workerId))]
    await sql`select graphile_worker.force_unlock_workers(${workerIds}::text[])`.execute(trx)
    const replaced = dead.flatMap(({ id, isReplaced }) => (isReplaced ? [id] : []))
    await sql`select graphile_worker.complete_jobs(${replaced}::bigint[])`.execute(trx)
  })
}
