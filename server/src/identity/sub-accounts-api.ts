import { agentSubAccounts, merchantSubAccounts, type SubAccountRow } from '@chairside/contract'
import { handle, handleList, type Call } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import { resetPassword } from './accounts-sql.ts'
import { auditedOf, holdsMore, makeAccount, ownTeam, rowOf } from './manage-accounts.ts'
import {
  deleteAccount,
  findManagedAccounts,
  lockManagedAccount,
  streamManagedAccounts,
  updateAccount,
  type ManagedAccount,
} from './managed-accounts-sql.ts'

type Endpoints = typeof merchantSubAccounts | typeof agentSubAccounts

/** A sub-account as a node of a tree that has one level. */
const nodeOf = (account: ManagedAccount): SubAccountRow => ({ ...rowOf(account), children: [] })

/** Sub-accounts of the caller's own organisation; nobody else's are there (spec 1 §7). */
function callsOf(endpoints: Endpoints): Call[] {
  return [
    handleList(endpoints.list, {
      page: async ({ db, input, caller }) => {
        const filter = { userName: input.username, realName: input.realname }
        const page = { skip: (input.pagenum - 1) * input.pagesize, take: input.pagesize }
        const { list, total } = await findManagedAccounts(db, ownTeam(caller()), filter, page)
        return { list: list.map(nodeOf), total }
      },
      rows: async function* ({ db, input, caller }) {
        const filter = { userName: input.username, realName: input.realname }
        for await (const accounts of streamManagedAccounts(db, ownTeam(caller()), filter))
          yield accounts.map(nodeOf)
      },
    }),
    handle(endpoints.add, async ({ db, input, caller, refuse, audit }) => {
      audit({ target: input.userName, after: auditedOf(input) })
      const made = await makeAccount(db, caller().organisationId, input)
      if (!made) return refuse('userNameTaken')
      return made
    }),
    handle(endpoints.modify, async ({ db, input, caller, refuse, refuseField, audit }) => {
      const account = await lockManagedAccount(db, ownTeam(caller()), { id: input.id })
      if (!account) return refuse('notFound')
      audit({ target: account.userName })
      if (holdsMore(account, caller())) return refuse('holdsMoreThanYou')
      if (input.userName !== undefined && input.userName !== account.userName)
        refuseField('userName', 'validation.userNameStays')
      const { realName, twoStepRequired } = keepUnchanged(input, auditedOf(account))
      const changed = await updateAccount(db, account.accountId, {
        userName: account.userName,
        realName,
        twoStepRequired,
      })
      if (!changed) return refuse('notFound')
      audit({ before: auditedOf(account), after: auditedOf(changed) })
      return nodeOf(changed)
    }),
    handle(endpoints.remove, async ({ db, input, caller, refuse, audit }) => {
      const account = await lockManagedAccount(db, ownTeam(caller()), { id: input.id })
      if (!account) return refuse('notFound')
      audit({ target: account.userName, before: auditedOf(account) })
      if (account.accountId === caller().accountId) return refuse('notYourself')
      if (holdsMore(account, caller())) return refuse('holdsMoreThanYou')
      await deleteAccount(db, account.accountId)
      return null
    }),
    handle(endpoints.resetPassword, async ({ db, input, caller, refuse, audit }) => {
      const account = await lockManagedAccount(db, ownTeam(caller()), { userName: input.userName })
      if (!account) return refuse('notFound')
      audit({ target: account.userName })
      if (account.accountId === caller().accountId) return refuse('notYourself')
      if (holdsMore(account, caller())) return refuse('holdsMoreThanYou')
      return resetPassword(db, account.accountId)
    }),
  ]
}

export const subAccountCalls: Call[] = [...callsOf(merchantSubAccounts), ...callsOf(agentSubAccounts)]
