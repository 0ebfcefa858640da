import type { Call } from '../kit/call.ts'
import { adminUserCalls } from './admin-users-api.ts'
import { grantCalls } from './grant-permissions.ts'
import { permissionTreeCalls } from './permission-trees-api.ts'
import { subAccountCalls } from './sub-accounts-api.ts'

/** Sub-accounts, admin users and what is granted to whom (spec 1 §7). */
export const accountCalls: Call[] = [
  ...subAccountCalls,
  ...adminUserCalls,
  ...permissionTreeCalls,
  ...grantCalls,
]
