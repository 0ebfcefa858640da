import { lockAgent, lockMerchant, organisationStatuses } from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { findProfileToChange, updateStatus } from './organisations-sql.ts'
import { endSessionsOfOrganisation } from './owner-accounts-sql.ts'

type Context = CallContext<typeof lockAgent> | CallContext<typeof lockMerchant>

/**
 * Locks or unlocks an agent or merchant below the caller (spec 1 §4). Sessions end both times: one that was opened by a
 * login under way at the lock must not come back to life with the unlock.
 */
async function lockOrganisation(kind: 'agent' | 'merchant', context: Context) {
  const { db, scope, input, caller, refuse, audit } = context
  const found = await findProfileToChange(db, scope, kind, input.id)
  if (!found) return refuse('notFound')
  audit({ target: found.userId })
  if (found.id === caller().organisationId) return refuse('notPossible')
  const status = input.option === '1' ? organisationStatuses.locked : organisationStatuses.enabled
  await updateStatus(db, found.id, status === organisationStatuses.locked ? 2 : 1)
  await endSessionsOfOrganisation(db, found.id)
  audit({ target: found.userId, before: { status: found.status }, after: { status } })
  return { id: found.id, status }
}

export const lockOrganisationCalls: Call[] = [
  handle(lockMerchant, (context) => lockOrganisation('merchant', context)),
  handle(lockAgent, (context) => lockOrganisation('agent', context)),
]
