import { successCode } from '@chairside/contract'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { resetPassword } from './accounts-sql.ts'
import { insertAudit } from './audit-sql.ts'
import { forgetFailures } from './sign-in-throttle.ts'
import { clearTwoStep } from './two-step-sql.ts'

/** No account has such a name. */
const byCommand = 'admin:reset'

/**
 * Lets an admin in again who cannot sign in, and whom no other admin could help: a new first password, no authenticator, not
 * locked, nothing to wait for. Kept in the audit trail.
 * @returns the account's name and the password, to be shown once; undefined when no admin has the name
 */
export function resetAdmin(
  db: Database,
  userName: string,
): Promise<{ userName: string; password: string } | undefined> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: number; userName: string }>`
      update accounts set status = 1 where organisation_id = 1 and lower(user_name) = lower(${userName})
      returning id, user_name as "userName"`.execute(trx)
    const [account] = rows
    if (!account) return undefined
    await clearTwoStep(trx, account.id)
    await forgetFailures(trx, account.userName)
    const password = await resetPassword(trx, account.id)
    await insertAudit(trx, {
      at: new Date(),
      principal: null,
      userName: byCommand,
      action: 'superusers.resetpassword',
      target: account.userName,
      outcome: successCode,
      details: {},
      address: '',
    })
    return { userName: account.userName, password }
  })
}
