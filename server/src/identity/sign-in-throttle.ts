import { inTransaction, sql, type Database } from '../kit/database.ts'
import { networkOfAddress } from '../kit/network-of-address.ts'

/** Failures that cost nothing; from then on each doubles the wait. */
const freeFailures = 5
const longestWaitSeconds = 900
/** An address may belong to many people, so it may fail more often. */
const freeFailuresOfAddress = 30
/** So often an address is forgiven one failure: where many people work, there is never a day without any. */
const addressForgivenSeconds = 900

/** Somebody's try to prove who they are. */
export interface Attempt {
  userName: string
  address: string
  now: Date
}

const subjectsOf = ({ userName, address }: Attempt) => [
  {
    subject: `address:${networkOfAddress(address)}`,
    free: freeFailuresOfAddress,
    forgivenSeconds: addressForgivenSeconds,
  },
  { subject: `name:${userName.toLowerCase()}`, free: freeFailures },
]

/** Failures of a row `f` that time has forgiven, one after another, by some moment. */
const forgivenBy = (now: Date, forgivenSeconds: number | undefined) =>
  forgivenSeconds === undefined
    ? sql<number>`0`
    : sql<number>`greatest(0, floor(extract(epoch from ${now}::timestamptz - f.forgiven_at) / ${forgivenSeconds}))::integer`

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
      for (const { subject, free, forgivenSeconds } of subjectsOf(attempt)) {
        const forgiven = forgivenBy(now, forgivenSeconds)
        const failures = sql`
          case when f.last_at < ${now}::timestamptz - interval '1 day' then 1 else greatest(f.failures - ${forgiven}, 0) + 1 end`
        const { rows } = await sql`
          insert into sign_in_failures as f (subject, failures, last_at, blocked_until, forgiven_at)
          values (${subject}, 1, ${now}, '-infinity', ${now})
          on conflict (subject) do update set
            failures = ${failures},
            last_at = ${now},
            forgiven_at = f.forgiven_at + make_interval(secs => ${forgiven} * ${forgivenSeconds ?? 0}),
            -- Who need not wait is not made to by another try of the same moment, whose clock ran ahead.
            blocked_until = case when ${failures} <= ${free} then '-infinity'
              else ${now}::timestamptz + make_interval(secs => least(${longestWaitSeconds}, power(2, least(${failures} - ${free}, 20)))) end
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
