import { isAgentMode, login, type SessionUser } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { handleOutside, type Call } from '../kit/call.ts'
import type { Principal } from '../kit/principal.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { checkPassword, checkPasswordOfNobody } from './passwords.ts'
import { findAccountToSignIn, principalOf } from './principal-sql.ts'
import type { SessionGate } from './session-gate.ts'
import { countFailure, forgetFailures, mustWait } from './sign-in-throttle.ts'
import { takeCode } from './two-step.ts'

/** The session user as the wire has it (spec 1 §3). */
export function sessionUserOf(principal: Principal, token: string): SessionUser {
  return {
    id: principal.accountId,
    userName: principal.userName,
    realName: principal.realName,
    avatar: '',
    lastLogin: principal.lastLoginAt?.toISOString() ?? null,
    type: principal.type,
    merchantId: principal.organisationId,
    merchantName: principal.organisationName,
    merchantUserID: principal.ownerUserName,
    twoStepEnabled: principal.twoStepEnabled,
    needTwoStep: principal.twoStepRequired,
    permissions: [...principal.permissions].toSorted(),
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
    if (await mustWait(db, input.username, address, now)) refuse('tooManyAttempts')
    const account = await findAccountToSignIn(db, input.username)
    const matches = account
      ? await checkPassword(account.passwordHash, input.password)
      : await checkPasswordOfNobody(input.password)
    if (!account || !matches) {
      await countFailure(db, input.username, address, now)
      return refuse('wrongCredentials')
    }
    if (account.accountStatus !== 1 || account.organisationStatus !== 1) refuse('accountLocked')
    const principal = principalOf(account)
    if (input.agent && !isAgentMode(principal.type)) refuse('onlyAgents')
    if (account.twoStepEnabled && account.twoStepSecret) {
      const { otp } = input
      if (!otp) return refuse('twoStepNeeded')
      const secret = secrets.open(account.twoStepSecret)
      if (!(await takeCode(db, account.accountId, secret, otp, now))) {
        await countFailure(db, input.username, address, now)
        refuse('wrongCredentials')
      }
    }
    const token = await recordSignIn(db, gate, {
      accountId: account.accountId,
      now,
      address,
      userAgent,
      userName: input.username,
    })
    return sessionUserOf(principal, token)
  })
}

function recordSignIn(
  db: Database,
  gate: SessionGate,
  session: { accountId: number; now: Date; address: string; userAgent: string; userName: string },
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    await forgetFailures(trx, session.userName)
    await sql`update accounts set last_login_at = ${session.now} where id = ${session.accountId}`.execute(trx)
    return gate.openSession(trx, session)
  })
}
