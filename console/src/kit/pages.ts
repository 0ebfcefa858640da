import { getPermissions, type PermissionNode } from '@chairside/contract'
import { useRead } from './call.ts'

/** The pages a user may see, as the server's tree has them. */
export function usePages(): { menus: PermissionNode[]; pages: PermissionNode[] } {
  const read = useRead(getPermissions, {})
  const menus = read.data ?? []
  return { menus, pages: menus.flatMap(({ children }) => children) }
}
