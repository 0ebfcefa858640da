/*
 * The permission catalogue: menu > page > button. Ids are fixed for ever, since grants are stored by id; tags are the
 * permission keys of the specs (spec 1 §6, spec 2 §6, spec 3 §6) and decisions §2. A key may stand on several nodes
 * (the order list is one page for merchants and another for agents); holding any of them is holding the key.
 */

/** The families of users that a node can be granted to; each has a tree of its own (spec 1 §7). */
export type PermissionTree = 'admin' | 'agent' | 'merchant'

export interface ButtonDefinition {
  id: number
  tag: string
  trees: readonly PermissionTree[]
}
interface PageDefinition extends ButtonDefinition {
  url: string
  buttons: readonly ButtonDefinition[]
}
export interface MenuDefinition {
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
          { id: 143, tag: 'custom.reveal', trees: all },
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
          { id: 2114, tag: 'custom.reveal', trees: adminAndAgent },
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
      {
        id: 26,
        tag: 'notification.list',
        url: '/notifications',
        trees: all,
        buttons: [{ id: 261, tag: 'notification.edit', trees: all }],
      },
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

/** A key, the tag of a page or a button. */
export type PermissionKey = Page['tag'] | Button['tag']
