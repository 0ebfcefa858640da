import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { text, leavingUnchanged } from '../kit/fields.ts'
import { OrganisationProfile, profileFields, profileLimits } from './organisation-fields.ts'

/*
 * One's own basic information (spec 1 §2): for admins, agents and merchants; their sub-accounts are refused (103). Each
 * kind of profile page has a path of its own, and each answers the caller's own organisation.
 */

const types = [0, 1, 2] as const

const read = {
  verb: 'GET',
  needs: 'baseinfo.list',
  types,
  input: z.object({}),
  data: OrganisationProfile,
  refuses: [],
} as const

const save = {
  verb: 'PUT',
  needs: 'baseinfo.edit',
  types,
  audit: 'baseinfo.edit',
  input: z.object({ ...profileFields, ...leavingUnchanged }),
  data: OrganisationProfile,
  refuses: [],
} as const

export const getOwnMerchant = endpoint({
  path: '/api/merchant',
  summary: 'The caller’s own basic information',
  ...read,
})
export const getOwnAgent = endpoint({
  path: '/api/agent',
  summary: 'The caller’s own basic information',
  ...read,
})
export const getOwnAdmin = endpoint({
  path: '/api/admin/users/agent',
  summary: 'The caller’s own basic information',
  ...read,
})

export const saveOwnMerchant = endpoint({
  path: '/api/merchant',
  summary: 'Changes the caller’s own basic information',
  ...save,
})
export const saveOwnAgent = endpoint({
  path: '/api/agent',
  summary: 'Changes the caller’s own basic information',
  ...save,
})
export const saveOwnAdmin = endpoint({
  path: '/api/admin/users/agent',
  summary: 'Changes the caller’s own basic information',
  also: ['POST'],
  ...save,
})

/** Spec 1 §3, "Bank account". */
export const BankAccount = z.object({
  accountId: z.string(),
  accountName: z.string(),
  accountBank: z.string(),
})
export type BankAccount = z.output<typeof BankAccount>

export const getBankAccount = endpoint({
  verb: 'GET',
  path: '/api/merchant/account',
  summary: 'The caller’s own bank account',
  needs: 'baseinfo.list',
  types,
  input: z.object({}),
  data: BankAccount,
  refuses: [],
})

/** Saved only when number, holder and bank are all given (spec 1 §5). */
export const saveBankAccount = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/merchant/account',
  summary: 'Changes the caller’s own bank account',
  needs: 'baseinfo.edit',
  types,
  audit: 'baseinfo.account',
  input: z.object({
    accountid: text(profileLimits.accountid),
    accountname: text(profileLimits.accountname),
    accountbank: text(profileLimits.accountbank),
  }),
  data: BankAccount,
  refuses: [],
})

export const ownProfileCalls = {
  getOwnMerchant,
  getOwnAgent,
  getOwnAdmin,
  saveOwnMerchant,
  saveOwnAgent,
  saveOwnAdmin,
  getBankAccount,
  saveBankAccount,
}
