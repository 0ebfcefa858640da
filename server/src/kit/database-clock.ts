import { sql, type Database } from './database.ts'

/** The time of the database, which is the same for all processes, whatever their own clocks say. */
export interface DatabaseClock {
  /** Told without asking; never goes back unless the database itself did. */
  now(): Date
  /** Asks the database, and corrects what was wrong; to be done now and then, since clocks drift and machines sleep. */
  compare(): Promise<void>
}

/** Asks what time it is for the database: jobs become due by that, and a process's own clock may be behind it. */
export async function databaseNow(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  if (!rows[0]) throw new Error('the database did not say what time it is')
  return rows[0].now
}

/**
 * Follows the clock of the database. An answer says no more than that it was given between question and arrival, so what
 * agrees with it stays as it is: reports of one board keep their order, however slowly the database answers.
 */
export async function followDatabaseClock(db: Database): Promise<DatabaseClock> {
  /** By how much the database's milliseconds are ahead of this process's steady ones. */
  let aheadMs: number | undefined
  const compare = async () => {
    const askedAtMs = performance.now()
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(db)
    const answeredAtMs = performance.now()
    if (!rows[0]) return
    const [least, most] = [rows[0].ms - answeredAtMs, rows[0].ms - askedAtMs]
    aheadMs = Math.min(most, Math.max(least, aheadMs ?? (least + most) / 2))
  }
  // The first answer may have waited for a connection to be made, and says little.
  await compare()
  await compare()
  return { compare, now: () => new Date(performance.now() + (aheadMs ?? 0)) }
}
