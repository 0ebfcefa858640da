import { verifySync } from 'otplib'
import { sql, type Database } from '../kit/database.ts'

const stepSeconds = 30

/**
 * Takes a one-time code (RFC 6238) of the present step or one beside it. A code works once, also when many callers
 * send it at the same moment: the step used last moves forward in a guarded update.
 */
export async function takeCode(
  db: Database,
  accountId: number,
  secret: string,
  code: string,
  now: Date,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return false
  const epoch = Math.floor(now.getTime() / 1000)
  const checked = verifySync({ secret, token: code, epoch, epochTolerance: stepSeconds })
  if (!checked.valid) return false
  const step = Math.floor(epoch / stepSeconds) + checked.delta
  const { rows } = await sql`
    update accounts set two_step_last_counter = ${step}
     where id = ${accountId} and two_step_last_counter < ${step} returning 1`.execute(db)
  return rows.length === 1
}
