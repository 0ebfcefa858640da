import {
  createAgent,
  createMerchant,
  editAgent,
  editMerchant,
  getAgent,
  getAgentPermissionTree,
  getMerchant,
  getMerchantPermissionTree,
  grantToAgent,
  grantToMerchant,
  lockAgent,
  lockMerchant,
  resetAgentPassword,
  resetMerchantPassword,
} from '@chairside/contract'

/* Agents and merchants have calls, keys (spec 1 §6) and addresses of their own for the same. */

const agent = {
  create: createAgent,
  get: getAgent,
  edit: editAgent,
  lock: lockAgent,
  resetPassword: resetAgentPassword,
  tree: getAgentPermissionTree,
  grant: grantToAgent,
  keys: {
    add: 'users.addagent',
    edit: 'users.editagent',
    lock: 'users.statusagent',
    grant: 'users.permagent',
    resetPassword: 'users.pwdagent',
  },
  addAddress: '/addagent',
  editAddress: '/editagent/$id',
  texts: {
    add: 'organisations.form.addAgent',
    edit: 'organisations.form.editAgent',
    lock: 'organisations.lock.lockAgent',
    unlock: 'organisations.lock.unlockAgent',
  },
} as const

const merchant = {
  create: createMerchant,
  get: getMerchant,
  edit: editMerchant,
  lock: lockMerchant,
  resetPassword: resetMerchantPassword,
  tree: getMerchantPermissionTree,
  grant: grantToMerchant,
  keys: {
    add: 'users.addmerchant',
    edit: 'users.editmerchant',
    lock: 'users.statusmerchant',
    grant: 'users.permmerchant',
    resetPassword: 'users.pwdmerchant',
  },
  addAddress: '/addmerchant',
  editAddress: '/editmerchant/$id',
  texts: {
    add: 'organisations.form.addMerchant',
    edit: 'organisations.form.editMerchant',
    lock: 'organisations.lock.lockMerchant',
    unlock: 'organisations.lock.unlockMerchant',
  },
} as const

export const organisationCalls = { agent, merchant } as const
export type OrganisationKind = keyof typeof organisationCalls
