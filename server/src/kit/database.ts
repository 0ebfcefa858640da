import { Kysely, PostgresDialect, sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { planNameOf } from './planned-once.ts'
import { createReading } from './reading.ts'
import { reachStep } from './steps.ts'
import { watchLines } from './watched-lines.ts'

/** A connection pool or a running transaction; SQL functions take it first and never care which. */
export type Database = Kysely<unknown>

const { builtins } = pg.types
const readInstant: (value: string) => Date = pg.types.getTypeParser(builtins.TIMESTAMPTZ)
/** Arrays of bigint, for which the driver has no name. */
const int8Array: number = 1016
const readBigintTexts: (value: string) => (string | null)[] = pg.types.getTypeParser(int8Array)
const space = 0x20

// Cents and ids stay below 2^53, so bigint and sums of it are numbers; calendar days stay text, free of time zones.
pg.types.setTypeParser(builtins.INT8, Number)
pg.types.setTypeParser(int8Array, (value) =>
  readBigintTexts(value).map((text) => (text === null ? null : Number(text))),
)
pg.types.setTypeParser(builtins.NUMERIC, Number)
pg.types.setTypeParser(builtins.DATE, (value) => value)
pg.types.setTypeParser(builtins.TIMESTAMPTZ, instantOf)

/** Sessions speak UTC, so that an instant reads `2026-11-21 09:30:00.123+00`; any other is left to the driver's reader. */
function instantOf(value: string): Date {
  if (value.charCodeAt(10) !== space || !value.endsWith('+00')) return readInstant(value)
  return new Date(`${value.slice(0, 10)}T${value.slice(11, -3)}Z`)
}

export interface DatabasePool {
  db: Database
  /** A database for one call that only reads; what it is asked at once travels together. */
  openReading(): Database
  pool: pg.Pool
  close(): Promise<void>
}

/** Who waits longer for a connection is told that the database is away, as it is when it hangs. */
const longestWaitMs = 15_000
/** A line to a machine that is gone says nothing by itself. */
const idleBeforeProbeMs = 10_000

/** Opens a pool. Sessions speak UTC and refuse to wait for ever on a lock. */
export function openDatabase(
  url: string,
  options: { maxConnections?: number; applicationName?: string; longestWaitMs?: number } = {},
): DatabasePool {
  const lines = watchLines()
  const pool = new pg.Pool({
    connectionString: url,
    stream: lines.open,
    max: options.maxConnections ?? 20,
    connectionTimeoutMillis: options.longestWaitMs ?? longestWaitMs,
    // It is kept with all that it has planned; a clock would be set anew each time it is given back.
    idleTimeoutMillis: 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: idleBeforeProbeMs,
    application_name: options.applicationName ?? 'chairside',
    // Without compilation: what is asked is short, however many rows the planner takes it for.
    options: '-c timezone=UTC -c jit=off -c lock_timeout=10s -c idle_in_transaction_session_timeout=60s',
  })
  // A connection the server drops while idle must not end the process; the pool opens a new one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    prepareQueries(client)
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) })
  const close = () => db.destroy().finally(lines.stop)
  return { db, openReading: createReading(pool, db), pool, close }
}

/** Sends statements that begin with the mark under a name, by which the server keeps their plan; cursors end with the connection. */
function prepareQueries(client: pg.PoolClient): void {
  const send: (...parts: unknown[]) => unknown = client.query.bind(client)
  const query = (...parts: unknown[]) => {
    const [asked, values] = parts
    if (asked instanceof Cursor) endWithConnection(asked, client)
    const name = typeof asked === 'string' && Array.isArray(values) ? planNameOf(asked) : undefined
    return name === undefined ? send(...parts) : send({ name, text: asked, values })
  }
  Object.assign(client, { query })
}

/**
 * What is asked of a connection, or `ifGone` when that breaks first. A race with one promise for the whole connection would
 * hold every answer for as long as that lives.
 */
function unlessGone<Answer>(
  client: pg.PoolClient,
  asked: Promise<Answer>,
  ifGone: () => Answer | Promise<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(ifGone())
    client.once('end', leave)
    asked.then(resolve, reject).finally(() => client.off('end', leave))
  })
}

/**
 * Where a connection breaks, a cursor that has come to its last row is not told of it, and nobody says any more that it is
 * closed: the driver would wait for either for ever, and the connection would keep its place in the pool.
 */
function endWithConnection(cursor: Cursor, client: pg.PoolClient): void {
  let isGone = false
  const noteEnd = () => void (isGone = true)
  client.once('end', noteEnd)
  const read: (rows: number) => Promise<unknown[]> = cursor.read.bind(cursor)
  const close: () => Promise<void> = cursor.close.bind(cursor)
  const terminated = () => Promise.reject(new Error('Connection terminated'))
  Object.assign(cursor, {
    read: (rows: number) => (isGone ? terminated() : unlessGone(client, read(rows), terminated)),
    close: async () => {
      if (!isGone) await unlessGone(client, close(), () => undefined)
      client.off('end', noteEnd)
    },
  })
}

/** Runs `work` in one transaction; an error rolls it back. */
export async function inTransaction<Result>(
  db: Database,
  work: (trx: Database) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db)
  const result = await db.transaction().execute(async (trx) => {
    const done = await work(trx)
    reachStep('transaction done')
    return done
  })
  reachStep('transaction committed')
  return result
}

/** Runs `work` in a transaction that is taken back: what it answers is what would happen. */
export async function inTrial<Result>(
  db: Database,
  work: (trx: Database) => Promise<Result>,
): Promise<Result> {
  const trial = await db.startTransaction().execute()
  try {
    return await work(trial)
  } finally {
    await trial.rollback().execute()
  }
}

/** Rows fetched at a time by a cursor: with more, many of them outlive a collection and are copied by it. */
const rowsPerFetch = 250

/**
 * Yields the rows of a query, as many as were fetched at a time, through a cursor: one snapshot, flat memory. The next rows
 * are fetched while these are used, so that neither side waits for the other.
 */
export async function* streamRows<Row>(db: Database, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  const fetches = db.getExecutor().stream<Row>(query.compile(db), rowsPerFetch)
  let fetching = fetches.next()
  try {
    for (let fetched = await fetching; !fetched.done; fetched = await fetching) {
      fetching = fetches.next()
      // It is awaited when its turn comes, which may be never.
      fetching.catch(() => undefined)
      yield fetched.value.rows
    }
  } finally {
    await fetches.return?.()
  }
}

export { plannedOnce } from './planned-once.ts'
export { sql, type RawBuilder }
