import type pg from 'pg'
import { expect } from 'vitest'

/** Waits until statements in a database, so many of them, wait for what others have locked. */
export async function untilBlocked(pool: pg.Pool, statements = 1): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBeGreaterThanOrEqual(statements)
}
