import { verifySync } from 'otplib'
import { sql, type Database } from '../kit/database.ts'

const stepSeconds = 30

/** The step that a one-time code (RFC 6238) belongs to: the present one or one beside it; undefined when wrong. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const epoch = Math.floor(now.getTime() / 1000)
  const checked = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
  return checked.valid ? Math.floor(epoch / stepSeconds) + checked.delta : undefined
}

/**
 * Takes a one-time code. A code works once, also when many callers send it at the same moment: the step used last
 * moves forward in a guarded update.
 */
export async function takeCode(
  db: Database,
  accountId: number,
  secret: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const step = stepOfCode(secret, code, now)
  if (step === undefined) return false
  const { rows } = await sql`
    update accounts set two_step_last_counter = ${step}
     where id = ${accountId} and two_step_last_counter < ${step} returning 1`.execute(db)
  return rows.length === 1
}
