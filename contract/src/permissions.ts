/*
 * The permission catalogue: menu > page > button. Ids are fixed for ever, since grants are stored by id; tags are the
 * permission keys of the specs (spec 1 §6, spec 2 §6, spec 3 §6) and decisions §2. A key may stand on several nodes
 * (the order list is one page for merchants and another for agents); holding any of them is holding the key.
 */

/** The families of users that a node can be granted to; each has a tree of its own (spec 1 §7). */
export type PermissionTree = 'admin' | 'agent' | 'merchant'

interface ButtonDefinition {
  id: number
  tag: string
  trees: readonly PermissionTree[]
}
interface PageDefinition extends ButtonDefinition {
  url: string
  buttons: readonly ButtonDefinition[]
}
interface MenuDefinition {
  id: number
  tag: string
  icon: string
  pages: readonly PageDefinition[]
}

const all = ['admin', 'agent', 'merchant'] as const
const merchantOnly = ['merchant'] as const
const adminOnly = ['admin'] as const
const agentAndMerchant = ['agent', 'merchant'] as const
const adminAndAgent = ['admin', 'agent'] as const

export const permissionMenus = [
  {
    id: 1,
    tag: 'orders',
    icon: 'orders',
    pages: [
      {
        id: 11,
        tag: 'order.list',
        url: '/orders',
        trees: merchantOnly,
        buttons: [
          { id: 111, tag: 'order.refund', trees: merchantOnly },
          { id: 112, tag: 'order.start', trees: merchantOnly },
        ],
      },
      { id: 12, tag: 'order.list', url: '/agentorder', trees: adminAndAgent, buttons: [] },
      { id: 13, tag: 'order.list', url: '/historyorder', trees: all, buttons: [] },
      {
        id: 14,
        tag: 'refund.list',
        url: '/refunds',
        trees: all,
        buttons: [
          { id: 141, tag: 'order.auditrefund', trees: adminAndAgent },
          { id: 142, tag: 'order.endrefund', trees: adminAndAgent },
        ],
      },
    ],
  },
  {
    id: 2,
    tag: 'users',
    icon: 'users',
    pages: [
      {
        id: 21,
        tag: 'users.list',
        url: '/merchants',
        trees: adminAndAgent,
        buttons: [
          { id: 211, tag: 'users.addagent', trees: adminAndAgent },
          { id: 212, tag: 'users.addmerchant', trees: adminAndAgent },
          { id: 213, tag: 'users.move', trees: adminAndAgent },
          { id: 214, tag: 'users.statusmerchant', trees: adminAndAgent },
          { id: 215, tag: 'users.statusagent', trees: adminAndAgent },
          { id: 216, tag: 'users.editmerchant', trees: adminAndAgent },
          { id: 217, tag: 'users.editagent', trees: adminAndAgent },
          { id: 218, tag: 'users.permmerchant', trees: adminAndAgent },
          { id: 219, tag: 'users.permagent', trees: adminAndAgent },
          { id: 2110, tag: 'users.pwdmerchant', trees: adminAndAgent },
          { id: 2111, tag: 'users.pwdagent', trees: adminAndAgent },
          { id: 2112, tag: 'users.log', trees: adminAndAgent },
          { id: 2113, tag: 'users.twostepreset', trees: adminAndAgent },
        ],
      },
      {
        id: 22,
        tag: 'baseinfo.list',
        url: '/myinformation',
        trees: all,
        buttons: [{ id: 221, tag: 'baseinfo.edit', trees: all }],
      },
      {
        id: 23,
        tag: 'superusers.list',
        url: '/users',
        trees: adminOnly,
        buttons: [
          { id: 231, tag: 'superusers.add', trees: adminOnly },
          { id: 232, tag: 'superusers.edit', trees: adminOnly },
          { id: 233, tag: 'superusers.assignpermissions', trees: adminOnly },
          { id: 234, tag: 'superusers.resetpassword', trees: adminOnly },
          { id: 235, tag: 'superusers.delete', trees: adminOnly },
        ],
      },
      {
        id: 24,
        tag: 'subaccount.list',
        url: '/subaccount',
        trees: agentAndMerchant,
        buttons: [
          { id: 241, tag: 'subaccount.add', trees: agentAndMerchant },
          { id: 242, tag: 'subaccount.modify', trees: agentAndMerchant },
          { id: 243, tag: 'subaccount.permission', trees: agentAndMerchant },
          { id: 244, tag: 'subaccount.password', trees: agentAndMerchant },
          { id: 245, tag: 'subaccount.delete', trees: agentAndMerchant },
          // An agent has it with the list of agents and merchants.
          { id: 246, tag: 'users.twostepreset', trees: merchantOnly },
        ],
      },
      { id: 25, tag: 'audit.list', url: '/audit', trees: all, buttons: [] },
    ],
  },
  {
    id: 3,
    tag: 'devices',
    icon: 'devices',
    pages: [
      {
        id: 31,
        tag: 'device.list',
        url: '/devices',
        trees: all,
        buttons: [
          { id: 311, tag: 'device.add', trees: adminOnly },
          { id: 312, tag: 'device.move', trees: adminAndAgent },
          // Places and goods templates are a merchant's own (spec 2 §6).
          { id: 313, tag: 'device.linkplace', trees: merchantOnly },
          { id: 314, tag: 'device.goods', trees: merchantOnly },
          { id: 315, tag: 'device.qrcode', trees: all },
          { id: 316, tag: 'device.lock', trees: all },
          { id: 317, tag: 'device.bind', trees: all },
          { id: 318, tag: 'device.wifi', trees: all },
          { id: 319, tag: 'device.edit', trees: all },
          { id: 3110, tag: 'device.massage', trees: all },
          { id: 3111, tag: 'device.online', trees: all },
          { id: 3112, tag: 'device.log', trees: all },
        ],
      },
      {
        id: 32,
        tag: 'model.list',
        url: '/models',
        trees: adminOnly,
        buttons: [
          { id: 321, tag: 'model.add', trees: adminOnly },
          { id: 322, tag: 'model.edit', trees: adminOnly },
        ],
      },
      // Seeing an alert is noting that one has; muting a device is changing it (device.edit).
      { id: 35, tag: 'alert.list', url: '/alerts', trees: all, buttons: [] },
      {
        id: 33,
        tag: 'batch.list',
        url: '/batchdevice',
        trees: adminOnly,
        buttons: [
          { id: 331, tag: 'batch.add', trees: adminOnly },
          { id: 332, tag: 'batch.modify', trees: adminOnly },
          { id: 333, tag: 'batch.delete', trees: adminOnly },
        ],
      },
      { id: 34, tag: 'device.online', url: '/api/device/status', trees: all, buttons: [] },
    ],
  },
  {
    id: 4,
    tag: 'catalogue',
    icon: 'catalogue',
    pages: [
      {
        id: 41,
        tag: 'place.list',
        url: '/place',
        trees: merchantOnly,
        buttons: [
          { id: 411, tag: 'place.add', trees: merchantOnly },
          { id: 412, tag: 'place.bind', trees: merchantOnly },
          { id: 413, tag: 'place.modify', trees: merchantOnly },
          { id: 414, tag: 'place.hours', trees: merchantOnly },
          { id: 415, tag: 'place.delete', trees: merchantOnly },
        ],
      },
      {
        id: 42,
        tag: 'goodstemp.list',
        url: '/goodstemp',
        trees: merchantOnly,
        buttons: [
          { id: 421, tag: 'goodstemp.add', trees: merchantOnly },
          { id: 422, tag: 'goodstemp.modify', trees: merchantOnly },
          { id: 423, tag: 'goodstemp.delete', trees: merchantOnly },
          { id: 424, tag: 'goods.add', trees: merchantOnly },
          { id: 425, tag: 'goods.modify', trees: merchantOnly },
          { id: 426, tag: 'goods.delete', trees: merchantOnly },
        ],
      },
      {
        id: 43,
        tag: 'banner.list',
        url: '/banner',
        trees: all,
        buttons: [
          { id: 431, tag: 'banner.edit', trees: all },
          { id: 432, tag: 'banner.review', trees: adminAndAgent },
          { id: 433, tag: 'banner.change', trees: all },
          { id: 434, tag: 'banner.time', trees: all },
          { id: 435, tag: 'banner.upload', trees: all },
          { id: 436, tag: 'banner.modifyprompt', trees: all },
          { id: 437, tag: 'banner.removeprompt', trees: all },
        ],
      },
    ],
  },
  {
    id: 7,
    tag: 'reports',
    icon: 'reports',
    pages: [{ id: 71, tag: 'reportorderday.list', url: '/reportorderday', trees: all, buttons: [] }],
  },
] as const satisfies readonly MenuDefinition[]

type Menu = (typeof permissionMenus)[number]
type Page = Menu['pages'][number]
type Button = Page['buttons'][number]

/** A key as it stands in the tags of the second and third level. */
export type PermissionKey = Page['tag'] | Button['tag']

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
const ownersPages: readonly string[] = ['/myinformation', '/place', '/goodstemp']

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
