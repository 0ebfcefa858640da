import type pg from 'pg'
import { sql, type Database } from '../kit/database.ts'
import { listenToSignals } from '../kit/database-signals.ts'
import type { Log } from '../kit/limited-log.ts'

/** Said by `retire_devices()`: the ids of removed devices, by commas. */
const channel = 'boards_removed'

/** What a connection may have missed begins this much earlier: a transaction is older than its commit. */
const marginSeconds = 60

/** Devices that were removed, or came back as new, since an instant. */
async function findRemovedSince(db: Database, since: Date): Promise<string[]> {
  const { rows } = await sql<{ sid: string }>`
    select sid from devices
     where greatest(removed_at, created_at) > ${since}::timestamptz - make_interval(secs => ${marginSeconds})`.execute(
    db,
  )
  return rows.map(({ sid }) => sid)
}

/**
 * Ends the connections of boards whose devices are removed, by whichever process. Their passwords are worth nothing from
 * then on, but who is connected already is not asked for one again.
 */
export const disconnectRemovedBoards = (options: {
  pool: pg.Pool
  db: Database
  disconnect(sid: string): void
  log: Log
  everyMs?: number
}): Promise<{ stop(): Promise<void> }> => {
  const { pool, db, disconnect, log, everyMs } = options
  return listenToSignals({
    pool,
    channel,
    log,
    ...(everyMs === undefined ? {} : { everyMs }),
    onSignal: (sids) => sids.split(',').forEach(disconnect),
    onMissed: async (since) => (await findRemovedSince(db, since)).forEach(disconnect),
  })
}
