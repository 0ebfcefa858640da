import {
  permissionMenus,
  type ButtonDefinition,
  type MenuDefinition,
  type PermissionKey,
  type PermissionTree,
} from './permissions.ts'

/** A node of the tree that `GET /api/sessions/permissions` answers (spec 1 §2). */
export interface PermissionNode {
  id: number
  /** A key of the locales. */
  description: string
  url: string
  icon: string
  hidden: boolean
  leaf: boolean
  tag: string
  children: PermissionNode[]
}

const textKey = (level: 'menu' | 'page' | 'button', name: string) => `permissions.${level}.${name}`

/**
 * The part of the catalogue for one family of users, cut down to granted nodes; menus without a page left fall away.
 * @param granted ids of granted pages and buttons, or 'all'
 */
export function permissionTree(tree: PermissionTree, granted: ReadonlySet<number> | 'all'): PermissionNode[] {
  const has = (node: ButtonDefinition) =>
    node.trees.includes(tree) && (granted === 'all' || granted.has(node.id))
  const menus: readonly MenuDefinition[] = permissionMenus
  return menus.flatMap((menu) => {
    const pages = menu.pages.filter(has).map((page): PermissionNode => {
      const buttons = page.buttons.filter(has).map((button): PermissionNode => ({
        id: button.id,
        description: textKey('button', button.tag.replaceAll('.', '-')),
        url: '',
        icon: '',
        hidden: false,
        leaf: true,
        tag: button.tag,
        children: [],
      }))
      return {
        id: page.id,
        description: textKey('page', page.url.slice(1)),
        url: page.url,
        icon: '',
        hidden: false,
        leaf: buttons.length === 0,
        tag: page.tag,
        children: buttons,
      }
    })
    if (pages.length === 0) return []
    return [
      {
        id: menu.id,
        description: textKey('menu', menu.tag),
        url: '',
        icon: menu.icon,
        hidden: false,
        leaf: false,
        tag: menu.tag,
        children: pages,
      },
    ]
  })
}

/**
 * Ids of the pages and buttons of a family's tree.
 * @param granted those of what is granted alone; a button without its page is not
 */
export function permissionIds(tree: PermissionTree, granted: ReadonlySet<number> | 'all' = 'all'): number[] {
  return permissionTree(tree, granted).flatMap((menu) =>
    menu.children.flatMap((page) => [page.id, ...page.children.map((button) => button.id)]),
  )
}

/** Keys held by a user to whom these nodes are granted. */
export function permissionKeys(tree: PermissionTree, granted: ReadonlySet<number>): Set<PermissionKey> {
  const nodes = permissionTree(tree, granted).flatMap((menu) =>
    menu.children.flatMap((page) => [page, ...page.children]),
  )
  return new Set(nodes.map((node) => node.tag as PermissionKey))
}

/** Pages of owners alone (spec 1 §2, spec 2 §2), which their sub-accounts are turned away from, whatever they hold. */
const ownersPages: readonly string[] = ['/myinformation', '/notifications', '/place', '/goodstemp']

/** A tree without the pages of owners alone, as it is for sub-accounts of agents and merchants. */
export const withoutOwnersPages = (menus: readonly PermissionNode[]): PermissionNode[] =>
  menus
    .map((menu) => ({ ...menu, children: menu.children.filter(({ url }) => !ownersPages.includes(url)) }))
    .filter(({ children }) => children.length > 0)

/** Ids of the pages and buttons of a tree that are for owners alone. */
export function ownersIds(tree: PermissionTree): number[] {
  const menus = permissionTree(tree, 'all')
  const usable = new Set(withoutOwnersPages(menus).flatMap(({ children }) => children.map(({ id }) => id)))
  const pages = menus.flatMap(({ children }) => children.filter(({ id }) => !usable.has(id)))
  return pages.flatMap(({ id, children }) => [id, ...children.map((button) => button.id)])
}

/** The page of payment channels: nobody grants it who does not hold it, whatever their family (spec 1 §6). */
const payChannelsPageId = 9

/**
 * Nodes of a tree that a holder of some nodes may hand on (decisions §2): nobody grants what they don't hold. What the
 * holder's own tree has no node for, as a merchant's own refunds and starts, comes with its page, whose key is held; a
 * page of a kind that the holder's family never has, as sub-accounts for an admin, is nothing it could lack.
 * @param own the holder's own tree
 * @param held ids the holder holds
 */
export function grantableIds(tree: PermissionTree, own: PermissionTree, held: ReadonlySet<number>): number[] {
  const keys: ReadonlySet<string> = permissionKeys(own, held)
  const known = new Set(permissionIds(own))
  const keysOfFamily: ReadonlySet<string> = permissionKeys(own, known)
  return permissionTree(tree, 'all').flatMap((menu) =>
    menu.children.flatMap((page) => {
      const mayGrantPage =
        known.has(page.id) || page.id === payChannelsPageId
          ? held.has(page.id)
          : keys.has(page.tag) || !keysOfFamily.has(page.tag)
      if (!mayGrantPage) return []
      const buttons = page.children.filter(({ id }) => !known.has(id) || held.has(id))
      return [page.id, ...buttons.map(({ id }) => id)]
    }),
  )
}
