import { sql, type Database, type RawBuilder } from '../../kit/database.ts'

/** A claim, with the statement that looks for what contradicts it. */
export interface Check {
  claim: string
  /**
   * Compares `expected` with `found`, both text, one row for each `subject`. Every row is one examined thing, also
   * where both agree.
   */
  compared: RawBuilder<unknown>
}

interface Difference {
  subject: string
  expected: string
  found: string
}

export interface CheckResult {
  claim: string
  /** How many things were compared. */
  examined: number
  differing: number
  /** The first few of what differs. */
  examples: Difference[]
}

const mostExamples = 5

async function runCheck(db: Database, { claim, compared }: Check): Promise<CheckResult> {
  const { rows } = await sql<Omit<CheckResult, 'claim'>>`
    select count(*) as examined, count(*) filter (where expected is distinct from found) as differing,
           coalesce(to_jsonb((array_agg(jsonb_build_object('subject', subject, 'expected', expected, 'found', found))
                                filter (where expected is distinct from found))[1:${sql.lit(mostExamples)}]), '[]') as examples
      from (${compared}) compared`.execute(db)
  return { claim, ...(rows[0] ?? { examined: 0, differing: 0, examples: [] }) }
}

/** Compares everything at one moment, while business goes on. */
export function runChecks(db: Database, checks: readonly Check[]): Promise<CheckResult[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      // Sets as large as the book are hashed and sorted; the usual memory would send each of them to disk.
      await sql`select set_config('work_mem', '128MB', true), set_config('idle_in_transaction_session_timeout', '0', true)`.execute(
        trx,
      )
      const results: CheckResult[] = []
      for (const check of checks) results.push(await runCheck(trx, check))
      return results
    })
}
