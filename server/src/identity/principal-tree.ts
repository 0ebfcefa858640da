import { isAgentMode, userTypes, type PermissionTree, type UserType } from '@chairside/contract'

/** The permission tree a type of user is granted from. */
export function treeOfType(type: UserType): PermissionTree {
  if (type === userTypes.admin) return 'admin'
  return isAgentMode(type) ? 'agent' : 'merchant'
}
