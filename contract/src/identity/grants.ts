import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { choice, filter, idList, recordId, text, userName } from '../kit/fields.ts'
import { PermissionNodeSchema } from './sessions.ts'

/** Nodes that a user holds, as they are stored. */
const HeldPermissions = z.array(z.object({ permissionId: z.int() }))

/** Whoever may change the permissions of somebody may see them. */
const anyGrantKey = [
  'users.permmerchant',
  'users.permagent',
  'superusers.assignpermissions',
  'subaccount.permission',
] as const

export const getPermissionsOfUser = endpoint({
  verb: 'GET',
  path: '/api/admin/permissions/users/:userId',
  summary: 'Permissions of a user of ours, by user name',
  needs: anyGrantKey,
  input: z.object({ userId: userName }),
  data: HeldPermissions,
  refuses: ['notFound'],
})

const treeOf = <const Path extends string>(path: Path, summary: string) => ({
  verb: 'GET' as const,
  path,
  summary,
  input: z.object({}),
  data: z.array(PermissionNodeSchema),
  refuses: [] as const,
})

/** Trees to grant from, cut down to what the caller may grant; without node 9 unless the caller holds it (spec 1 §6). */
export const getMerchantPermissionTree = endpoint({
  ...treeOf('/api/admin/permissions/merchant', 'The tree a merchant is granted from'),
  needs: 'users.permmerchant',
  types: [0, 1, 3],
})
export const getAgentPermissionTree = endpoint({
  ...treeOf('/api/admin/permissions/agent', 'The tree an agent is granted from'),
  needs: 'users.permagent',
  types: [0, 1, 3],
})
export const getAdminPermissionTree = endpoint({
  ...treeOf('/api/admin/permissions/admin', 'The tree an admin user is granted from'),
  needs: 'superusers.assignpermissions',
  types: [0],
})
export const getSubMerchantPermissionTree = endpoint({
  ...treeOf('/api/sessions/permissions/submerch', "The tree the caller's sub-accounts are granted from"),
  needs: 'subaccount.permission',
  types: [1, 2, 3, 4],
})

/**
 * Fields of a change of permissions (spec 1 §7). What is wanted is `selectedRoles` with `halfSelectedRoles` (a page of
 * which only some buttons are checked), or `roles` where those two are absent; ids of menus say nothing. `oldRoles` is
 * what the caller saw; `id` and `userId` name the same one.
 */
const grantFields = {
  id: recordId,
  userId: filter(text(50)),
  roles: idList.optional(),
  oldRoles: idList,
  selectedRoles: idList.optional(),
  halfSelectedRoles: idList.optional(),
}
const grantRefusals = ['notFound', 'notYourself', 'grantExceedsOwn', 'changedMeanwhile'] as const

/** `id` is an organisation here, `userId` its owner; what is stored then is answered. */
export const grantToMerchant = endpoint({
  verb: 'POST',
  path: '/api/merchant/permissions',
  summary: 'Sets the permissions of a merchant',
  needs: 'users.permmerchant',
  types: [0, 1, 3],
  audit: 'users.permmerchant',
  input: z.object({ ...grantFields, type: filter(choice(['2'])) }),
  data: HeldPermissions,
  refuses: grantRefusals,
})
export const grantToAgent = endpoint({
  verb: 'POST',
  path: '/api/agent/permissions',
  summary: 'Sets the permissions of an agent',
  needs: 'users.permagent',
  types: [0, 1, 3],
  audit: 'users.permagent',
  input: z.object({ ...grantFields, type: filter(choice(['1'])) }),
  data: HeldPermissions,
  refuses: grantRefusals,
})

/** A permission holds for all places of whoever gets it, so whoever grants or takes it has to see them all. */
const subAccountRefusals = [...grantRefusals, 'seesOtherPlaces'] as const

/** `id` is an account from here on, `userId` its user name. */
export const grantToMerchantSubAccount = endpoint({
  verb: 'POST',
  path: '/api/merchant/users/permissions',
  summary: "Sets the permissions of a sub-account of the caller's merchant",
  needs: 'subaccount.permission',
  types: [2, 4],
  audit: 'subaccount.permission',
  input: z.object(grantFields),
  data: HeldPermissions,
  refuses: subAccountRefusals,
})
export const grantToAgentSubAccount = endpoint({
  verb: 'POST',
  path: '/api/agent/users/permissions',
  summary: "Sets the permissions of a sub-account of the caller's agent",
  needs: 'subaccount.permission',
  types: [1, 3],
  audit: 'subaccount.permission',
  input: z.object(grantFields),
  data: HeldPermissions,
  refuses: subAccountRefusals,
})
export const grantToAdminUser = endpoint({
  verb: 'POST',
  path: '/api/admin/users/permissions',
  summary: 'Sets the permissions of an admin user',
  needs: 'superusers.assignpermissions',
  types: [0],
  audit: 'superusers.assignpermissions',
  input: z.object(grantFields),
  data: HeldPermissions,
  refuses: [...grantRefusals, 'firstAdminStays'],
})

export const grantCalls = {
  getPermissionsOfUser,
  getMerchantPermissionTree,
  getAgentPermissionTree,
  getAdminPermissionTree,
  getSubMerchantPermissionTree,
  grantToMerchant,
  grantToAgent,
  grantToMerchantSubAccount,
  grantToAgentSubAccount,
  grantToAdminUser,
}
