import {
  addAdminUser,
  agentSubAccounts,
  deleteAdminUser,
  getAdminPermissionTree,
  getSubMerchantPermissionTree,
  grantToAdminUser,
  grantToAgentSubAccount,
  grantToMerchantSubAccount,
  isMerchantMode,
  listAdminUsers,
  merchantSubAccounts,
  modifyAdminUser,
  resetAdminUserPassword,
  type SessionUser,
} from '@chairside/contract'

/** What a screen of accounts is made of; who looks at it decides which calls those are (spec 1 §6). */
export const adminUsers = {
  title: 'identity.account.adminTitle',
  addTitle: 'identity.account.addAdmin',
  list: listAdminUsers,
  add: addAdminUser,
  modify: modifyAdminUser,
  remove: deleteAdminUser,
  resetPassword: resetAdminUserPassword,
  tree: getAdminPermissionTree,
  grant: grantToAdminUser,
  keys: {
    add: 'superusers.add',
    modify: 'superusers.edit',
    remove: 'superusers.delete',
    resetPassword: 'superusers.resetpassword',
    grant: 'superusers.assignpermissions',
  },
} as const

const subAccounts = {
  title: 'identity.account.subTitle',
  addTitle: 'identity.account.addSub',
  tree: getSubMerchantPermissionTree,
  keys: {
    add: 'subaccount.add',
    modify: 'subaccount.modify',
    remove: 'subaccount.delete',
    resetPassword: 'subaccount.password',
    grant: 'subaccount.permission',
  },
} as const
const ofMerchant = { ...subAccounts, ...merchantSubAccounts, grant: grantToMerchantSubAccount }
const ofAgent = { ...subAccounts, ...agentSubAccounts, grant: grantToAgentSubAccount }

export type AccountCalls = typeof adminUsers | typeof ofMerchant | typeof ofAgent

/** Merchants and agents have calls of their own for the same. */
export const subAccountsOf = ({ type }: SessionUser): AccountCalls =>
  isMerchantMode(type) ? ofMerchant : ofAgent
