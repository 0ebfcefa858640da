import {
  firstAdminId,
  grantToAdminUser,
  grantToAgent,
  grantToAgentSubAccount,
  grantToMerchant,
  grantToMerchantSubAccount,
  ownersIds,
  treeOfType,
} from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { decideGrant } from './decide-grant.ts'
import { lockOwner, storePermissions } from './grants-sql.ts'
import { ownTeam, seesOtherPlaces } from './manage-accounts.ts'
import { lockManagedAccount } from './managed-accounts-sql.ts'
import { permissionTreeOf, type AccountRow } from './principal-sql.ts'

type SubAccountContext = CallContext<typeof grantToMerchantSubAccount>
/** What all of these calls have in common. */
interface GrantContext extends Pick<SubAccountContext, 'db' | 'input' | 'caller' | 'audit'> {
  refuse(refusal: (typeof grantToMerchant)['refuses'][number]): never
  refuseField(field: 'selectedRoles', messageKey: string, values: Record<string, string>): never
}

/** Granted nodes as the lists of accounts tell them (spec 1 §3, `permissionsDetail`). */
export const heldOf = (ids: readonly number[]) => ids.map((permissionId) => ({ permissionId }))

/** Changes the permissions of an account that is locked already. */
async function grant(context: GrantContext, account: AccountRow) {
  const { db, input, caller, refuse, refuseField, audit } = context
  audit({ target: account.userName })
  if (input.userId !== undefined && input.userId.toLowerCase() !== account.userName.toLowerCase())
    return refuse('notFound')
  const { accountId, type, permissionIds: held } = caller()
  if (account.accountId === accountId) return refuse('notYourself')
  const { roles = [], selectedRoles = roles, halfSelectedRoles = [] } = input
  const tree = permissionTreeOf(account.organisationKind)
  const decision = decideGrant({
    tree,
    ownersOnly: tree === 'admin' || account.isOwner ? [] : ownersIds(tree),
    grantor: { tree: treeOfType(type), held },
    stored: account.permissionIds,
    old: input.oldRoles,
    wanted: [...selectedRoles, ...halfSelectedRoles],
  })
  if ('ids' in decision) {
    const isUnknown = decision.outcome === 'unknown'
    const reason = isUnknown ? 'validation.permissionUnknown' : 'validation.permissionOfOwners'
    return refuseField('selectedRoles', reason, { ids: decision.ids.join(', ') })
  }
  if (decision.outcome !== 'granted') return refuse(decision.outcome)
  await storePermissions(db, account.accountId, decision.permissionIds)
  audit({ before: account.permissionIds, after: decision.permissionIds })
  return heldOf(decision.permissionIds)
}

const toOrganisation = (endpoint: typeof grantToMerchant | typeof grantToAgent, kind: 'agent' | 'merchant') =>
  handle(endpoint, async (context) => {
    const { db, scope, input, caller, refuse } = context
    // One's own agent is within one's scope; its rights are for those above it to change.
    if (input.id === caller().organisationId) return refuse('notFound')
    const owner = await lockOwner(db, scope, { organisationId: input.id, kind })
    return owner ? grant(context, owner) : refuse('notFound')
  })

const toSubAccount = (endpoint: typeof grantToMerchantSubAccount | typeof grantToAgentSubAccount) =>
  handle(endpoint, async (context) => {
    const { db, input, caller, refuse, audit } = context
    const account = await lockManagedAccount(db, ownTeam(caller()), { id: input.id })
    if (!account) return refuse('notFound')
    if (seesOtherPlaces(account, caller())) {
      audit({ target: account.userName })
      return refuse('seesOtherPlaces')
    }
    return grant(context, account)
  })

/** Changes of permissions (spec 1 §§6, 7; decisions §2). */
export const grantCalls: Call[] = [
  toOrganisation(grantToMerchant, 'merchant'),
  toOrganisation(grantToAgent, 'agent'),
  toSubAccount(grantToMerchantSubAccount),
  toSubAccount(grantToAgentSubAccount),
  handle(grantToAdminUser, async (context) => {
    const { db, input, refuse } = context
    const team = { organisationId: 1, withOwner: true }
    const account = await lockManagedAccount(db, team, { id: input.id })
    if (!account) return refuse('notFound')
    if (account.accountId === firstAdminId || account.isOwner) return refuse('firstAdminStays')
    return grant(context, account)
  }),
]
