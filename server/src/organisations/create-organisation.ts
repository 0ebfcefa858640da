import { createAgent, createMerchant, grantableIds, treeOfType } from '@chairside/contract'
import { insertAccount } from '../identity/accounts-sql.ts'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { askForInitials } from './name-initials.ts'
import { findOrganisationsById, holdTree, insertOrganisation } from './organisations-sql.ts'

type Context = CallContext<typeof createAgent> | CallContext<typeof createMerchant>

/**
 * Makes an agent or merchant with its owner's account, below the caller or a parent in its view (decisions §2). The
 * owner is granted what the caller can hand on: nobody grants what they don't hold.
 */
async function createOrganisation(kind: 'agent' | 'merchant', context: Context) {
  const { db, scope, input, caller, refuse, audit } = context
  const creator = caller()
  audit({ target: input.userid })
  await holdTree(db)
  const parentId = input.parentid ?? creator.organisationId
  const [parent] = await findOrganisationsById(db, scope, [parentId])
  if (!parent) return refuse('notFound')
  if (parent.kind === 'merchant') return refuse('onlyBelowAgents')
  const profile = {
    name: input.name,
    telephone: input.telephone ?? '',
    mobile: input.mobile ?? '',
    email: input.email ?? '',
    address: input.address ?? '',
    remark: input.remark ?? '',
    mchId: input.mchId ?? '',
    appId: input.appId ?? '',
  }
  const id = await insertOrganisation(db, {
    ...profile,
    kind,
    parentId,
    ownerUserName: input.userid,
    createdBy: creator.userName,
  })
  const permissionIds = grantableIds(kind, treeOfType(creator.type), creator.permissionIds)
  const account = await insertAccount(db, {
    organisationId: id,
    userName: input.userid,
    realName: input.name,
    isOwner: true,
    permissionIds,
  })
  if (!account) return refuse('userNameTaken')
  await askForInitials(db)
  audit({ after: { id, parentId, name: input.name, permissionIds } })
  return { id, userId: input.userid, password: account.password }
}

export const createOrganisationCalls: Call[] = [
  handle(createMerchant, (context) => createOrganisation('merchant', context)),
  handle(createAgent, (context) => createOrganisation('agent', context)),
]
