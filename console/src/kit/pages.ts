import {
  getPermissions,
  menusOfType,
  permissionMenus,
  type PermissionNode,
  type UserType,
} from '@chairside/contract'
import { useRead } from './call.ts'

/** The pages a user may see, as the server's tree has them. */
export function usePages() {
  const read = useRead(getPermissions, {})
  const menus: PermissionNode[] = read.data ?? []
  return { menus, pages: menus.flatMap(({ children }) => children), isKnown: read.data !== undefined, read }
}

const everyPage = permissionMenus.flatMap(({ pages }) => pages.map(({ url }): string => url))

/** Whether an address is that of a page in the catalogue which is not among the user's. */
export function isBlocked(path: string, pages: readonly { url: string }[]): boolean {
  const isAt = (url: string) => path === url || path.startsWith(`${url}/`)
  return everyPage.some(isAt) && !pages.some(({ url }) => isAt(url))
}

/** Whether an address is that of a page which a type of user never has, whatever is granted. */
export const isForOthers = (path: string, type: UserType): boolean =>
  isBlocked(
    path,
    menusOfType(type, 'all').flatMap(({ children }) => children),
  )

/** Orders of this year are a page for merchants and another one for everybody else (spec 1 §2). */
const orderPages = ['/orders', '/agentorder']

/** Where somebody has what another kind of user, who sent the address, has at this path. */
export function ownPathOf(path: string, pages: readonly { url: string }[]): string {
  if (!orderPages.includes(path) || !isBlocked(path, pages)) return path
  return orderPages.find((own) => !isBlocked(own, pages)) ?? path
}
