import { inTransaction, sql, type Database } from '../kit/database.ts'
import { networkOfAddress } from '../kit/network-of-address.ts'

/** Failures that cost nothing; from then on each doubles the wait. */
const freeFailures = 5
const longestWaitSeconds = 900
/** An address may belong to many people, so it may fail more often. */
const freeFailuresOfAddress = 30

/** Somebody's try to prove who they are. */
export interface Attempt {
  userName: string
  address: string
  now: Date
}

const subjectsOf = ({ userName, address }: Attempt) => [
  { subject: `address:${networkOfAddress(address)}`, free: freeFailuresOfAddress },
  { subject: `name:${userName.toLowerCase()}`, free: freeFailures },
]

/** Ends a transaction that must leave no trace. */
class MustWait extends Error {}

/**
 * Counts a try as failed before it is looked at, so that a thousand at once get no further than a thousand in a row;
 * `endAttempt` takes it back. The wait grows with each failure and is forgotten after a quiet day.
 * @returns false when the name or the address has to wait before the next try; that costs nothing more
 */
export async function beginAttempt(db: Database, attempt: Attempt): Promise<boolean> {
  const { now } = attempt
  try {
    await inTransaction(db, async (trx) => {
      for (const { subject, free } of subjectsOf(attempt)) {
        const { rows } = await sql`
          insert into sign_in_failures as f (subject, failures, last_at, blocked_until) values (${subject}, 1, ${now}, '-infinity')
          on conflict (subject) do update set
            failures = case when f.last_at < ${now}::timestamptz - interval '1 day' then 1 else f.failures + 1 end,
            last_at = ${now},
            -- Who need not wait is not made to by another try of the same moment, whose clock ran ahead.
            blocked_until = case when f.failures + 1 <= ${free} or f.last_at < ${now}::timestamptz - interval '1 day' then '-infinity'
              else ${now}::timestamptz + make_interval(secs => least(${longestWaitSeconds}, power(2, least(f.failures + 1 - ${free}, 20)))) end
          where f.blocked_until <= ${now} returning 1`.execute(trx)
        if (rows.length === 0) throw new MustWait()
      }
    })
    return true
  } catch (error) {
    if (error instanceof MustWait) return false
    throw error
  }
}

/** Takes back what `beginAttempt` counted, for a try that was no wrong guess. */
export async function endAttempt(db: Database, attempt: Attempt): Promise<void> {
  for (const { subject } of subjectsOf(attempt)) {
    await sql`
      update sign_in_failures set failures = greatest(failures - 1, 0), blocked_until = '-infinity'
       where subject = ${subject}`.execute(db)
  }
}

/** A success forgets the failures of the name; those of the address stay. */
export async function forgetFailures(db: Database, userName: string): Promise<void> {
  await sql`delete from sign_in_failures where subject = ${`name:${userName.toLowerCase()}`}`.execute(db)
}

/** What nobody has tried for a day counts no more. */
export async function deleteOldFailures(db: Database, now: Date): Promise<void> {
  await sql`delete from sign_in_failures where last_at < ${now}::timestamptz - interval '1 day'`.execute(db)
}
