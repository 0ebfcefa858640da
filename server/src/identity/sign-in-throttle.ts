import { sql, type Database } from '../kit/database.ts'

/** Failures that cost nothing; from then on each doubles the wait. */
const freeFailures = 5
const longestWaitSeconds = 900
/** An address may belong to many people, so it may fail more often. */
const freeFailuresOfAddress = 30

const subjects = (userName: string, address: string) => [
  { subject: `name:${userName.toLowerCase()}`, free: freeFailures },
  { subject: `address:${address}`, free: freeFailuresOfAddress },
]

/** Whether the name or the address has to wait before the next try. */
export async function mustWait(db: Database, userName: string, address: string, now: Date): Promise<boolean> {
  const names = subjects(userName, address).map(({ subject }) => subject)
  const { rows } = await sql`
    select 1 from sign_in_failures where subject = any(${names}) and blocked_until > ${now} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Counts a failure; the wait grows with each one and is forgotten after a quiet day. */
export async function countFailure(
  db: Database,
  userName: string,
  address: string,
  now: Date,
): Promise<void> {
  for (const { subject, free } of subjects(userName, address)) {
    await sql`
      insert into sign_in_failures as f (subject, failures, last_at, blocked_until) values (${subject}, 1, ${now}, ${now})
      on conflict (subject) do update set
        failures = case when f.last_at < ${now}::timestamptz - interval '1 day' then 1 else f.failures + 1 end,
        last_at = ${now},
        blocked_until = ${now}::timestamptz + make_interval(secs => case when f.failures + 1 <= ${free} then 0
          else least(${longestWaitSeconds}, power(2, least(f.failures + 1 - ${free}, 20))) end)`.execute(db)
  }
}

/** A success forgets the failures of the name; those of the address stay. */
export async function forgetFailures(db: Database, userName: string): Promise<void> {
  await sql`delete from sign_in_failures where subject = ${`name:${userName.toLowerCase()}`}`.execute(db)
}
