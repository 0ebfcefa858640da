import { permissionTree, withoutOwnersPages, type PermissionNode } from '../permission-trees.ts'
import type { PermissionTree } from '../permissions.ts'
import { isAgentMode, isSubordinate, userTypes, type UserType } from './user-types.ts'

/** The permission tree a type of user is granted from. */
export function treeOfType(type: UserType): PermissionTree {
  if (type === userTypes.admin) return 'admin'
  return isAgentMode(type) ? 'agent' : 'merchant'
}

/** The menus of a type of user, cut down to what is granted; sub-accounts have none of the pages of owners. */
export function menusOfType(type: UserType, granted: ReadonlySet<number> | 'all'): PermissionNode[] {
  const menus = permissionTree(treeOfType(type), granted)
  return isSubordinate(type) ? withoutOwnersPages(menus) : menus
}
