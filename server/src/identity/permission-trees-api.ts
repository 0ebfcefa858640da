import {
  getAdminPermissionTree,
  getAgentPermissionTree,
  getMerchantPermissionTree,
  getPermissionsOfUser,
  getSubMerchantPermissionTree,
  grantableIds,
  permissionTree,
  treeOfType,
  withoutOwnersPages,
  type PermissionKey,
  type PermissionNode,
  type PermissionTree,
} from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import type { Principal } from '../kit/principal.ts'
import { heldOf } from './grant-permissions.ts'
import { findAccount } from './grants-sql.ts'
import { heldIds, type AccountRow } from './principal-sql.ts'

/** A tree cut down to what somebody may hand on. */
const grantableTree = (tree: PermissionTree, { type, permissionIds }: Principal): PermissionNode[] =>
  permissionTree(tree, new Set(grantableIds(tree, treeOfType(type), permissionIds)))

/** The key that changing the permissions of an account takes. */
function keyFor(account: AccountRow, caller: Principal): PermissionKey | undefined {
  if (account.organisationKind === 'platform') return 'superusers.assignpermissions'
  if (account.organisationId === caller.organisationId)
    return account.isOwner ? undefined : 'subaccount.permission'
  return account.organisationKind === 'agent' ? 'users.permagent' : 'users.permmerchant'
}

/** What there is to grant, and what a user holds (spec 1 §§6, 7). */
export const permissionTreeCalls: Call[] = [
  handle(getPermissionsOfUser, async ({ db, scope, input, caller, refuse }) => {
    const { organisationId, permissions } = caller()
    const account = await findAccount(db, scope, {
      userName: input.userId,
      ownOrganisationId: organisationId,
    })
    const key = account && keyFor(account, caller())
    if (!account || !key || !permissions.has(key)) return refuse('notFound')
    return heldOf(heldIds(account))
  }),
  handle(getMerchantPermissionTree, async ({ caller }) => grantableTree('merchant', caller())),
  handle(getAgentPermissionTree, async ({ caller }) => grantableTree('agent', caller())),
  handle(getAdminPermissionTree, async ({ caller }) => grantableTree('admin', caller())),
  handle(getSubMerchantPermissionTree, async ({ caller }) =>
    withoutOwnersPages(grantableTree(treeOfType(caller().type), caller())),
  ),
]
