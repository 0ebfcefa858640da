import { isAgentMode, login, type HiddenColumns, type SessionUser } from '@chairside/contract'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { handleOutside, type Call } from '../kit/call.ts'
import type { Principal } from '../kit/principal.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { findHiddenColumns } from './list-columns-sql.ts'
import { checkPassword, checkPasswordOfNobody } from './passwords.ts'
import { findAccountToSignIn, principalOf } from './principal-sql.ts'
import type { SessionGate } from './session-gate.ts'
import { beginAttempt, endAttempt, forgetFailures } from './sign-in-throttle.ts'
import { takeCode } from './two-step.ts'

/** The session user as the wire has it (spec 1 §3). */
export function sessionUserOf(
  principal: Principal,
  hiddenColumns: HiddenColumns,
  token: string,
): SessionUser {
  return {
    id: principal.accountId,
    userName: principal.userName,
    realName: principal.realName,
    avatar: '',
    lastLogin: principal.previousLoginAt?.toISOString() ?? null,
    type: principal.type,
    merchantId: principal.organisationId,
    merchantName: principal.organisationName,
    merchantUserID: principal.ownerUserName,
    twoStepEnabled: principal.twoStepEnabled,
    needTwoStep: principal.twoStepRequired && !principal.twoStepEnabled,
    mustChangePassword: principal.mustChangePassword,
    permissions: [...principal.permissions].toSorted(),
    hiddenColumns,
    token,
  }
}

/**
 * Signs in (spec 1 §§5, 7). A wrong name and a wrong password answer the same words in the same time; failures make
 * the name and the address wait. The password is checked outside any transaction, since that takes its time.
 */
export function createLogin(gate: SessionGate, secrets: SecretBox): Call {
  return handleOutside(login, async ({ db, input, now, address, userAgent, refuse, audit }) => {
    audit({ target: input.username })
    const attempt = { userName: input.username, address, now }
    if (!(await beginAttempt(db, attempt))) refuse('tooManyAttempts')
    const account = await findAccountToSignIn(db, input.username)
    const principal = account && principalOf(account)
    if (principal) audit({ by: principal })
    const matches = account
      ? await checkPassword(account.passwordHash, input.password)
      : await checkPasswordOfNobody(input.password)
    if (!account || !principal || !matches) return refuse('wrongCredentials')
    const refuseWithoutWait = async (refusal: 'accountLocked' | 'onlyAgents' | 'twoStepNeeded') => {
      await endAttempt(db, attempt)
      return refuse(refusal)
    }
    if (account.accountStatus !== 1 || account.organisationStatus !== 1)
      return refuseWithoutWait('accountLocked')
    if (input.agent && !isAgentMode(principal.type)) return refuseWithoutWait('onlyAgents')
    if (account.twoStepEnabled && account.twoStepSecret) {
      if (!input.otp) return refuseWithoutWait('twoStepNeeded')
      const secret = secrets.open(account.twoStepSecret)
      // Whoever is asked for a code already knows that the password was right.
      if (!(await takeCode(db, account.accountId, secret, input.otp, now))) refuse('wrongCode')
    }
    const begun = await inTransaction(db, async (trx) => {
      const recorded = await recordSignIn(trx, account, now)
      if (!recorded) return undefined
      await endAttempt(trx, attempt)
      await forgetFailures(trx, input.username)
      const token = await gate.openSession(trx, { accountId: account.accountId, now, address, userAgent })
      return { token, ...recorded }
    })
    if (begun === undefined) return refuse('wrongCredentials')
    const { token, previousLoginAt } = begun
    const hiddenColumns = await findHiddenColumns(db, account.accountId)
    return sessionUserOf({ ...principal, previousLoginAt }, hiddenColumns, token)
  })
}

/**
 * Notes the sign-in at the account, and the one before it.
 * @returns undefined when its password was changed, or the account deleted, since it was looked up
 */
async function recordSignIn(
  db: Database,
  { accountId, passwordHash }: { accountId: number; passwordHash: string },
  now: Date,
): Promise<{ previousLoginAt: Date | null } | undefined> {
  const { rows } = await sql<{ previousLoginAt: Date | null }>`
    update accounts set previous_login_at = last_login_at, last_login_at = ${now}
     where id = ${accountId} and password_hash = ${passwordHash}
    returning previous_login_at as "previousLoginAt"`.execute(db)
  return rows[0]
}
