import type pg from 'pg'
import { sql, type Database } from '../kit/database.ts'
import { listenToSignals } from '../kit/database-signals.ts'
import type { Log } from '../kit/limited-log.ts'

/** Said by `dismiss_boards()`: the ids of devices whose boards have to go, by commas. */
const channel = 'boards_removed'

/** What a connection may have missed begins this much earlier: a transaction is older than its commit. */
const marginSeconds = 60

/** Boards that had to go since an instant. */
async function findDismissedSince(db: Database, since: Date): Promise<string[]> {
  const { rows } = await sql<{ sid: string }>`
    select sid from dismissed_boards where dismissed_at > ${since}::timestamptz - make_interval(secs => ${marginSeconds})`.execute(
    db,
  )
  return rows.map(({ sid }) => sid)
}

/**
 * Ends the connections of boards whose devices are removed or have another password, by whichever process. Their
 * passwords are no longer valid, but whoever is already connected is not asked for one again.
 */
export const disconnectDismissedBoards = (options: {
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
    onMissed: async (since) => (await findDismissedSince(db, since)).forEach(disconnect),
  })
}
