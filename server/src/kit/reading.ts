import { Kysely, PostgresDialect, type CompiledQuery, type DatabaseConnection } from 'kysely'
import type pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { planNameOf } from './planned-once.ts'
import { StatementBatch, type AskedStatement } from './statement-batch.ts'

async function send(pool: pg.Pool, asked: readonly AskedStatement[]): Promise<void> {
  try {
    const client = await pool.connect()
    client.query(new StatementBatch(asked, (error) => client.release(error !== undefined)))
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}

/** Keeps what it is asked until the event loop turns, and sends it together. */
function gatheringConnection(pool: pg.Pool): DatabaseConnection {
  let asked: AskedStatement[] = []
  const sendAll = () => {
    const together = asked
    asked = []
    void send(pool, together)
  }
  return {
    executeQuery: <Found>({ sql, parameters }: CompiledQuery) =>
      new Promise<{ rows: Found[] }>((resolve, reject) => {
        // Before anything is kept: what cannot be sent fails alone.
        const values = parameters.map(prepareValue)
        if (asked.length === 0) setImmediate(sendAll)
        asked.push({
          text: sql,
          values,
          name: planNameOf(sql),
          resolve: (rows) => resolve({ rows: rows as Found[] }),
          reject,
        })
      }),
    streamQuery: () => {
      throw new Error('rows are streamed from the pool, not while reading together')
    },
  }
}

/** A driver for those who only read: there are no transactions, since statements may go over several connections. */
function withoutTransactions(): never {
  throw new Error('a call that only reads has no transaction')
}

/**
 * Databases for one call each that only reads: statements that do not wait for each other are sent as one message over
 * one connection and answered with one, in the order in which they were asked.
 */
export function createReading(pool: pg.Pool, db: Kysely<unknown>): () => Kysely<unknown> {
  const dialect = new PostgresDialect({ pool })
  const driver = {
    init: async () => undefined,
    acquireConnection: async () => gatheringConnection(pool),
    beginTransaction: withoutTransactions,
    commitTransaction: withoutTransactions,
    rollbackTransaction: withoutTransactions,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  }
  return () => {
    const connection = gatheringConnection(pool)
    const executor = db.getExecutor().withConnectionProvider({
      provideConnection: (consumer) => consumer(connection),
    })
    return new Kysely<unknown>({ config: { dialect }, dialect, driver, executor })
  }
}
