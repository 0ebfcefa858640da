import {
  addAdminUser,
  deleteAdminUser,
  firstAdminId,
  listAdminUsers,
  modifyAdminUser,
  permissionIds,
  resetAdminUserPassword,
  type AdminUserRow,
} from '@chairside/contract'
import { handle, handleList, type Call } from '../kit/call.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import { resetPassword } from './accounts-sql.ts'
import { heldOf } from './grant-permissions.ts'
import { auditedOf, holdsMore, makeAccount, rowOf } from './manage-accounts.ts'
import {
  deleteAccount,
  findManagedAccounts,
  lockManagedAccount,
  streamManagedAccounts,
  updateAccount,
  type ManagedAccount,
  type Team,
} from './managed-accounts-sql.ts'

const platformId = 1
const admins: Team = { organisationId: platformId, withOwner: true }

const adminRowOf = (account: ManagedAccount): AdminUserRow => ({
  ...rowOf(account),
  permissionsDetail: heldOf(account.id === firstAdminId ? permissionIds('admin') : account.permissionIds),
})

/** Admin users (spec 1 §7). */
export const adminUserCalls: Call[] = [
  handleList(listAdminUsers, {
    page: async ({ db, input }) => {
      const filter = { userName: input.username, realName: input.realname }
      const page = { skip: (input.pagenum - 1) * input.pagesize, take: input.pagesize }
      const { list, total } = await findManagedAccounts(db, admins, filter, page)
      return { list: list.map(adminRowOf), total }
    },
    rows: async function* ({ db, input }) {
      const filter = { userName: input.username, realName: input.realname }
      for await (const accounts of streamManagedAccounts(db, admins, filter)) yield accounts.map(adminRowOf)
    },
  }),
  handle(addAdminUser, async ({ db, input, refuse, audit }) => {
    audit({ target: input.userName, after: auditedOf(input) })
    const made = await makeAccount(db, platformId, input)
    if (!made) return refuse('userNameTaken')
    return made
  }),
  handle(modifyAdminUser, async ({ db, input, caller, refuse, audit }) => {
    const account = await lockManagedAccount(db, admins, { id: input.id })
    if (!account) return refuse('notFound')
    audit({ target: account.userName })
    if (holdsMore(account, caller())) return refuse('holdsMoreThanYou')
    const { userName, realName, twoStepRequired } = keepUnchanged(input, auditedOf(account))
    const changed = await updateAccount(db, account.accountId, { userName, realName, twoStepRequired })
    if (!changed) return refuse('userNameTaken')
    audit({ before: auditedOf(account), after: auditedOf(changed) })
    return adminRowOf(changed)
  }),
  handle(deleteAdminUser, async ({ db, input, caller, refuse, audit }) => {
    const account = await lockManagedAccount(db, admins, { id: input.id })
    if (!account) return refuse('notFound')
    audit({ target: account.userName, before: auditedOf(account) })
    if (account.accountId === firstAdminId || account.isOwner) return refuse('firstAdminStays')
    if (account.accountId === caller().accountId) return refuse('notYourself')
    if (holdsMore(account, caller())) return refuse('holdsMoreThanYou')
    await deleteAccount(db, account.accountId)
    return null
  }),
  handle(resetAdminUserPassword, async ({ db, input, caller, refuse, audit }) => {
    const account = await lockManagedAccount(db, admins, { userName: input.userName })
    if (!account) return refuse('notFound')
    audit({ target: account.userName })
    if (account.accountId === caller().accountId) return refuse('notYourself')
    if (holdsMore(account, caller())) return refuse('holdsMoreThanYou')
    return resetPassword(db, account.accountId)
  }),
]
