import { resetAgentPassword, resetMerchantPassword } from '@chairside/contract'
import { resetPassword } from '../identity/accounts-sql.ts'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { findOwner } from './owner-accounts-sql.ts'

type Context = CallContext<typeof resetAgentPassword> | CallContext<typeof resetMerchantPassword>

/** Gives the owner of an agent or merchant below the caller a new first password; its sessions end at once. */
async function resetOwnerPassword(kind: 'agent' | 'merchant', context: Context) {
  const { db, scope, input, caller, refuse, audit } = context
  audit({ target: input.userId })
  const owner = await findOwner(db, scope, kind, input.userId)
  if (!owner) return refuse('notFound')
  if (owner.organisationId === caller().organisationId) return refuse('notPossible')
  return resetPassword(db, owner.accountId)
}

export const resetOwnerPasswordCalls: Call[] = [
  handle(resetMerchantPassword, (context) => resetOwnerPassword('merchant', context)),
  handle(resetAgentPassword, (context) => resetOwnerPassword('agent', context)),
]
