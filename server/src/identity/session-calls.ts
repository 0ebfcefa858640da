import { getPermissions, loginByToken, logout, menusOfType } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { changePasswordCall } from './change-password.ts'
import { chooseColumnsCall } from './choose-columns.ts'
import { findHiddenColumns } from './list-columns-sql.ts'
import { ownSessionCalls } from './own-sessions-api.ts'
import { savedViewCalls } from './saved-views-api.ts'
import type { SessionGate } from './session-gate.ts'
import { createLogin, sessionUserOf } from './sign-in.ts'
import { deleteSession } from './sessions-sql.ts'
import { hashToken } from './tokens.ts'
import { createTwoStepCalls } from './two-step-api.ts'

/** Calls of spec 1 §7, "Session". */
export function createSessionCalls(gate: SessionGate, secrets: SecretBox): Call[] {
  return [
    createLogin(gate, secrets),
    changePasswordCall,
    ...createTwoStepCalls(secrets),
    ...ownSessionCalls,
    chooseColumnsCall,
    ...savedViewCalls,
    handle(loginByToken, async ({ db, caller, token }) => {
      const principal = caller()
      return sessionUserOf(principal, await findHiddenColumns(db, principal.accountId), token)
    }),
    handle(logout, async ({ db, caller, token }) => {
      await deleteSession(db, caller().accountId, hashToken(token))
      return null
    }),
    handle(getPermissions, async ({ caller }) => {
      const { type, permissionIds } = caller()
      return menusOfType(type, permissionIds)
    }),
  ]
}
