import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filter, listOf, paging, recordId, textOrEmpty, userName, leavingUnchanged } from '../kit/fields.ts'
import { accountFields, ListedAccount, accountSheet, MadeAccount, realNameMax } from './sub-accounts.ts'

/** The admin user that cannot be deleted and holds every permission (spec 1 §9). */
export const firstAdminId = 1

/** An admin user (spec 1 §3). */
export const AdminUserRow = ListedAccount.extend({
  permissionsDetail: z.array(z.object({ permissionId: z.int() })),
})
export type AdminUserRow = z.output<typeof AdminUserRow>

/** Spec 1 §7, "Admin users". */
export const listAdminUsers = endpoint({
  verb: 'GET',
  path: '/api/admin/users',
  summary: 'Admin users, by id',
  needs: 'superusers.list',
  types: [0],
  input: z.object({
    ...paging,
    username: filter(textOrEmpty(50)),
    realname: filter(textOrEmpty(realNameMax)),
  }),
  data: listOf(AdminUserRow),
  refuses: [],
  sheet: accountSheet,
})

export const addAdminUser = endpoint({
  verb: 'POST',
  path: '/api/admin/users',
  summary: 'Makes an admin user, who holds nothing yet',
  needs: 'superusers.add',
  types: [0],
  audit: 'superusers.add',
  input: z.object(accountFields),
  data: MadeAccount,
  refuses: ['userNameTaken'],
})

export const modifyAdminUser = endpoint({
  verb: 'PUT',
  path: '/api/admin/users/modify/:id',
  summary: 'Changes the names of an admin user',
  needs: 'superusers.edit',
  types: [0],
  audit: 'superusers.edit',
  input: z.object({ id: recordId, ...accountFields, ...leavingUnchanged }),
  data: AdminUserRow,
  refuses: ['notFound', 'userNameTaken', 'holdsMoreThanYou'],
})

export const deleteAdminUser = endpoint({
  verb: 'DELETE',
  path: '/api/admin/users/delete/:id',
  summary: 'Deletes an admin user and ends its sessions',
  needs: 'superusers.delete',
  types: [0],
  audit: 'superusers.delete',
  input: z.object({ id: recordId }),
  data: z.null(),
  refuses: ['notFound', 'notYourself', 'firstAdminStays', 'holdsMoreThanYou'],
})

export const resetAdminUserPassword = endpoint({
  verb: 'POST',
  path: '/api/admin/users/passwordreset/:userName',
  summary: 'Gives an admin user a new first password',
  needs: 'superusers.resetpassword',
  types: [0],
  audit: 'superusers.resetpassword',
  input: z.object({ userName }),
  /** The new password, shown this once. */
  data: z.string(),
  refuses: ['notFound', 'notYourself', 'holdsMoreThanYou'],
})

export const adminUserCalls = {
  listAdminUsers,
  addAdminUser,
  modifyAdminUser,
  deleteAdminUser,
  resetAdminUserPassword,
}
