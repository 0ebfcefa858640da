import { resetAgentPassword, resetMerchantPassword } from '@chairside/contract'
import { resetPassword } from '../identity/accounts-sql.ts'
import { holdsMore } from '../identity/manage-accounts.ts'
import { lockAccountWithinScope } from '../identity/managed-accounts-sql.ts'
import { handle, type Call, type CallContext } from '../kit/call.ts'

type Context = CallContext<typeof resetAgentPassword> | CallContext<typeof resetMerchantPassword>

/**
 * Gives the owner of an agent or merchant below the caller a new first password; its sessions end at once. Who resets it
 * can sign in with it, so that the owner must hold nothing that the caller could not grant.
 */
async function resetOwnerPassword(kind: 'agent' | 'merchant', context: Context) {
  const { db, scope, input, caller, refuse, audit } = context
  audit({ target: input.userId })
  const owner = await lockAccountWithinScope(db, scope, input.userId)
  if (!owner?.isOwner || owner.organisationKind !== kind) return refuse('notFound')
  if (owner.organisationId === caller().organisationId) return refuse('notPossible')
  if (holdsMore(owner, caller())) return refuse('holdsMoreThanYou')
  return resetPassword(db, owner.accountId)
}

export const resetOwnerPasswordCalls: Call[] = [
  handle(resetMerchantPassword, (context) => resetOwnerPassword('merchant', context)),
  handle(resetAgentPassword, (context) => resetOwnerPassword('agent', context)),
]
