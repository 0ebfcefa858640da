import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  choice,
  filter,
  listOf,
  paging,
  recordId,
  textOrEmpty,
  userName,
  leavingUnchanged,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { OrganisationAncestor } from './search.ts'
import { lockFields, organisationFields, OrganisationProfile } from './organisation-fields.ts'

/** A row of the agent and merchant list (spec 1 §2). */
export const OrganisationRow = OrganisationProfile.extend({
  parentId: z.int(),
  /** Empty when the parent is above the caller. */
  parentName: z.string(),
  /** How many are below it, at any depth. */
  agents: z.int(),
  merchants: z.int(),
  /** Devices of its own and of all below it. */
  devices: z.int(),
})
export type OrganisationRow = z.output<typeof OrganisationRow>

const organisationColumns: readonly SheetColumn[] = [
  { field: 'userId', text: 'organisations.field.userId', kind: 'id' },
  { field: 'name', text: 'organisations.field.name', kind: 'text' },
  { field: 'type', text: 'organisations.field.type', kind: 'status', valueText: 'organisations.type' },
  { field: 'status', text: 'organisations.field.status', kind: 'status', valueText: 'organisations.status' },
  { field: 'parentName', text: 'organisations.field.parentName', kind: 'text' },
  { field: 'agents', text: 'organisations.field.agents', kind: 'integer' },
  { field: 'merchants', text: 'organisations.field.merchants', kind: 'integer' },
  { field: 'devices', text: 'organisations.field.devices', kind: 'integer' },
  { field: 'telephone', text: 'organisations.field.telephone', kind: 'id' },
  { field: 'mobile', text: 'organisations.field.mobile', kind: 'id' },
  { field: 'email', text: 'organisations.field.email', kind: 'text' },
  { field: 'address', text: 'organisations.field.address', kind: 'text' },
  { field: 'remark', text: 'organisations.field.remark', kind: 'text' },
  { field: 'createTime', text: 'organisations.field.createTime', kind: 'dateTime' },
]

const sheet = { fileName: 'merchants.xlsx', columns: organisationColumns }

/**
 * Spec 1 §7: what is directly below `parentid`, agents first, newest first; without it, below the caller. With `userid`
 * or `username` (parts of the user name and of the name), all that matches below it at any depth.
 */
export const listAgentMerchants = endpoint({
  verb: 'GET',
  path: '/api/agentmerchants',
  summary: 'A page of the agents and merchants below an agent',
  needs: 'users.list',
  input: z.object({
    ...paging,
    parentid: filter(recordId),
    userid: filter(textOrEmpty(50)),
    username: filter(textOrEmpty(50)),
  }),
  data: listOf(OrganisationRow).extend({
    /** From the caller's own view down to `parentid` itself, for the breadcrumb; not sent with a whole list. */
    chain: z.array(OrganisationAncestor).optional(),
  }),
  refuses: ['notFound'],
  sheet,
})

/** Spec 1 §7, "Search": the same rows for everything below the caller. `type=1` agents, `2` merchants, `A` (usual) both. */
export const listOrganisations = endpoint({
  verb: 'GET',
  path: '/api/merchants/user',
  summary: 'Agents and merchants below the caller by user name or name',
  needs: 'users.list',
  input: z.object({
    ...paging,
    userid: filter(textOrEmpty(50)),
    username: filter(textOrEmpty(50)),
    type: filter(choice(['1', '2', 'A'])),
  }),
  data: listOf(OrganisationRow),
  refuses: [],
  sheet,
})

export const getMerchant = endpoint({
  verb: 'GET',
  path: '/api/merchant/:id',
  summary: 'A merchant, for its form',
  needs: ['users.list', 'users.editmerchant'],
  input: z.object({ id: recordId }),
  data: OrganisationProfile,
  refuses: ['notFound'],
})

export const getAgent = endpoint({
  verb: 'GET',
  path: '/api/agent/:id',
  summary: 'An agent, for its form',
  needs: ['users.list', 'users.editagent'],
  input: z.object({ id: recordId }),
  data: OrganisationProfile,
  refuses: ['notFound'],
})

const created = {
  input: z.object({ ...organisationFields, parentid: filter(recordId) }),
  data: z.object({
    id: z.int(),
    userId: z.string(),
    /** The generated first password, shown this once (decisions §2). */
    password: z.string(),
  }),
  refuses: ['notFound', 'onlyBelowAgents', 'userNameTaken'],
} as const

/** Makes a merchant below `parentid`, or below the caller; its owner holds what the caller can grant. */
export const createMerchant = endpoint({
  verb: 'POST',
  path: '/api/merchant',
  summary: 'Adds a merchant with its owner’s account',
  needs: 'users.addmerchant',
  audit: 'users.addmerchant',
  ...created,
})

/** Makes an agent below `parentid`, or below the caller; its owner holds what the caller can grant. */
export const createAgent = endpoint({
  verb: 'POST',
  path: '/api/agent',
  summary: 'Adds an agent with its owner’s account',
  needs: 'users.addagent',
  audit: 'users.addagent',
  ...created,
})

const edited = {
  input: z.object({
    id: recordId,
    ...organisationFields,
    // The user name stays when it is not sent.
    userid: filter(organisationFields.userid),
    ...leavingUnchanged,
  }),
  data: OrganisationProfile,
  refuses: ['notFound', 'notPossible', 'userNameTaken'],
} as const

export const editMerchant = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/merchant/edit/:id',
  summary: 'Changes a merchant',
  needs: 'users.editmerchant',
  audit: 'users.editmerchant',
  ...edited,
})

export const editAgent = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/agent/edit/:id',
  summary: 'Changes an agent',
  needs: 'users.editagent',
  audit: 'users.editagent',
  ...edited,
})

const locked = {
  input: z.object(lockFields),
  data: z.object({ id: z.int(), status: z.enum(['1', '2']) }),
  refuses: ['notFound', 'notPossible'],
} as const

/** Its sessions end at once, and its devices sell nothing while it is locked (decisions §2). */
export const lockMerchant = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/merchant/lock',
  summary: 'Locks or unlocks a merchant',
  needs: 'users.statusmerchant',
  audit: 'users.statusmerchant',
  ...locked,
})

/** The sessions of its own accounts end at once; what is below it is not affected. */
export const lockAgent = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/agent/lock',
  summary: 'Locks or unlocks an agent',
  needs: 'users.statusagent',
  audit: 'users.statusagent',
  ...locked,
})

const passwordReset = {
  input: z.object({ userId: userName }),
  /** The new password, to be changed at the next login. */
  data: z.string(),
  refuses: ['notFound', 'notPossible', 'holdsMoreThanYou'],
} as const

export const resetMerchantPassword = endpoint({
  verb: 'POST',
  path: '/api/merchant/passwordreset/:userId',
  summary: 'Gives a merchant’s owner a new password and ends its sessions',
  needs: 'users.pwdmerchant',
  audit: 'users.pwdmerchant',
  ...passwordReset,
})

export const resetAgentPassword = endpoint({
  verb: 'POST',
  path: '/api/agent/passwordreset/:userId',
  summary: 'Gives an agent’s owner a new password and ends its sessions',
  needs: 'users.pwdagent',
  audit: 'users.pwdagent',
  ...passwordReset,
})

/** The whole mobile of an agent or merchant, of which lists and forms show a part (decisions §1); each look is in the audit trail. */
export const revealMobile = endpoint({
  verb: 'POST',
  path: '/api/merchant/reveal',
  summary: 'The whole mobile of an agent or merchant',
  needs: 'custom.reveal',
  types: [0, 1, 3],
  audit: 'custom.reveal',
  perMinute: 60,
  input: z.object({ id: recordId }),
  data: z.object({ mobile: z.string() }),
  refuses: ['notFound'],
})

export const organisationCalls = {
  revealMobile,
  listAgentMerchants,
  listOrganisations,
  getMerchant,
  getAgent,
  createMerchant,
  createAgent,
  editMerchant,
  editAgent,
  lockMerchant,
  lockAgent,
  resetMerchantPassword,
  resetAgentPassword,
}
