import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  filter,
  flag,
  instant,
  listOf,
  paging,
  recordId,
  text,
  textOrEmpty,
  userName,
  leavingUnchanged,
} from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { newUserName } from './new-user-name.ts'

/** Spec 1 §5. */
export const realNameMax = 100

/** An account of an organisation; what is after `updateTime` is ours. */
export const ListedAccount = z.object({
  id: z.int(),
  userName: z.string(),
  realName: z.string(),
  createTime: instant,
  updateTime: instant,
  lastLogin: instant.nullable(),
  twoStepEnabled: z.boolean(),
  /** Two-step is asked of the account whether it has activated it or not. */
  twoStepRequired: z.boolean(),
  /** Its first password was never changed. */
  mustChangePassword: z.boolean(),
})
export type ListedAccount = z.output<typeof ListedAccount>

/** A sub-account (spec 1 §3); as a node (spec 2 §3) it has nobody below it. */
export const SubAccountRow = ListedAccount.extend({ children: z.array(z.never()) })
export type SubAccountRow = z.output<typeof SubAccountRow>

const columnsOfAccounts = [
  { field: 'userName', text: 'identity.account.field.userName', kind: 'id' },
  { field: 'realName', text: 'identity.account.field.realName', kind: 'text' },
  {
    field: 'twoStepEnabled',
    text: 'identity.account.field.twoStep',
    kind: 'status',
    valueText: 'identity.account.twoStep',
  },
  {
    field: 'mustChangePassword',
    text: 'identity.account.field.password',
    kind: 'status',
    valueText: 'identity.account.firstPassword',
  },
  { field: 'lastLogin', text: 'identity.account.field.lastLogin', kind: 'dateTime' },
  { field: 'createTime', text: 'identity.account.field.createTime', kind: 'dateTime' },
  { field: 'updateTime', text: 'identity.account.field.updateTime', kind: 'dateTime' },
] as const satisfies readonly SheetColumn[]

/** Columns of the lists of accounts, on screen and in Excel. */
export const accountSheet = { fileName: 'accounts.xlsx', columns: columnsOfAccounts }

/** A made account with its first password, which is shown this once. */
export const MadeAccount = z.object({ id: z.int(), userName: z.string(), password: z.string() })
export type MadeAccount = z.output<typeof MadeAccount>

const listFields = {
  ...paging,
  username: filter(textOrEmpty(50)),
  realname: filter(textOrEmpty(realNameMax)),
}
/** Fields of the forms of accounts. */
export const accountFields = {
  userName: newUserName,
  realName: text(realNameMax),
  /** Whether the account is asked for two-step; as it was when absent. */
  twoStepRequired: filter(flag),
}

/** Spec 1 §7, "Sub-accounts": the same calls for merchants and, on paths of their own, for agents. */
const callsFor = <const Kind extends 'merchant' | 'agent'>(
  kind: Kind,
  types: readonly [2, 4] | readonly [1, 3],
) => ({
  list: endpoint({
    verb: 'GET',
    path: `/api/${kind}s/sub`,
    summary: `Sub-accounts of the caller's ${kind}, the oldest first`,
    needs: 'subaccount.list',
    types,
    input: z.object(listFields),
    data: listOf(SubAccountRow),
    refuses: [],
    sheet: accountSheet,
  }),
  add: endpoint({
    verb: 'POST',
    path: `/api/${kind}/sub`,
    summary: `Makes a sub-account of the caller's ${kind}`,
    needs: 'subaccount.add',
    types,
    audit: 'subaccount.add',
    input: z.object(accountFields),
    data: MadeAccount,
    refuses: ['userNameTaken'],
  }),
  modify: endpoint({
    verb: 'PUT',
    path: `/api/${kind}/sub`,
    summary: `Changes a sub-account of the caller's ${kind}; its user name stays`,
    needs: 'subaccount.modify',
    types,
    audit: 'subaccount.modify',
    input: z.object({
      id: recordId,
      ...accountFields,
      userName: filter(userName),
      ...leavingUnchanged,
    }),
    data: SubAccountRow,
    refuses: ['notFound', 'holdsMoreThanYou'],
  }),
  remove: endpoint({
    verb: 'DELETE',
    path: `/api/${kind}/sub`,
    summary: `Deletes a sub-account of the caller's ${kind} and ends its sessions`,
    needs: 'subaccount.delete',
    types,
    audit: 'subaccount.delete',
    input: z.object({ id: recordId }),
    data: z.null(),
    refuses: ['notFound', 'notYourself', 'holdsMoreThanYou'],
  }),
  resetPassword: endpoint({
    verb: 'POST',
    path: `/api/${kind}/users/passwordreset/:userName`,
    summary: `Gives a sub-account of the caller's ${kind} a new first password`,
    needs: 'subaccount.password',
    types,
    audit: 'subaccount.password',
    input: z.object({ userName }),
    /** The new password, shown this once. */
    data: z.string(),
    refuses: ['notFound', 'notYourself', 'holdsMoreThanYou'],
  }),
})

export const merchantSubAccounts = callsFor('merchant', [2, 4])
export const agentSubAccounts = callsFor('agent', [1, 3])

export const subAccountCalls = {
  listMerchantSubAccounts: merchantSubAccounts.list,
  addMerchantSubAccount: merchantSubAccounts.add,
  modifyMerchantSubAccount: merchantSubAccounts.modify,
  deleteMerchantSubAccount: merchantSubAccounts.remove,
  resetMerchantSubAccountPassword: merchantSubAccounts.resetPassword,
  listAgentSubAccounts: agentSubAccounts.list,
  addAgentSubAccount: agentSubAccounts.add,
  modifyAgentSubAccount: agentSubAccounts.modify,
  deleteAgentSubAccount: agentSubAccounts.remove,
  resetAgentSubAccountPassword: agentSubAccounts.resetPassword,
}
