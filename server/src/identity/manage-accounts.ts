import {
  grantableIds,
  permissionIds,
  treeOfType,
  type ListedAccount,
  type MadeAccount,
} from '@chairside/contract'
import type { Database } from '../kit/database.ts'
import type { Principal } from '../kit/principal.ts'
import { insertAccount, setTwoStepRequired } from './accounts-sql.ts'
import type { ManagedAccount, Team } from './managed-accounts-sql.ts'
import { permissionTreeOf, principalOf, type AccountRow } from './principal-sql.ts'

/** The sub-accounts of the caller's own agent or merchant. */
export const ownTeam = ({ organisationId }: Principal): Team => ({ organisationId, withOwner: false })

export function rowOf(account: ManagedAccount): ListedAccount {
  return {
    id: account.id,
    userName: account.userName,
    realName: account.realName,
    createTime: account.createdAt.toISOString(),
    updateTime: account.updatedAt.toISOString(),
    lastLogin: account.lastLoginAt?.toISOString() ?? null,
    twoStepEnabled: account.twoStepEnabled,
    twoStepRequired: account.twoStepRequired,
    mustChangePassword: account.mustChangePassword,
  }
}

/** What the audit trail keeps of an account. */
export const auditedOf = ({ userName, realName, twoStepRequired = false }: AccountForm) => ({
  userName,
  realName,
  twoStepRequired,
})

/**
 * Whether an account holds what the caller could not have granted it, or sees what the caller does not. To take such an
 * account over, by a new password or without its authenticator, would be a way around the rule that nobody grants what
 * they don't hold; to delete it, a way to take rights that one could not have given.
 */
export function holdsMore(account: AccountRow, caller: Principal): boolean {
  const { permissionIds: held } = principalOf(account)
  const tree = permissionTreeOf(account.organisationKind)
  const grantable = new Set(grantableIds(tree, treeOfType(caller.type), caller.permissionIds))
  return permissionIds(tree, held).some((id) => !grantable.has(id)) || seesOtherPlaces(account, caller)
}

/** Whether an account of the caller's own merchant sees a place that the caller does not. */
export function seesOtherPlaces(account: AccountRow, caller: Principal): boolean {
  if (caller.scope.kind !== 'places') return false
  const { scope } = principalOf(account)
  return scope.kind !== 'places' || !new Set(scope.placeIds).isSubsetOf(new Set(caller.scope.placeIds))
}

interface AccountForm {
  userName: string
  realName: string
  twoStepRequired?: boolean | undefined
}

/**
 * Makes an account of an organisation, without any permission yet.
 * @returns undefined when the user name is taken
 */
export async function makeAccount(
  db: Database,
  organisationId: number,
  { userName, realName, twoStepRequired }: AccountForm,
): Promise<MadeAccount | undefined> {
  const made = await insertAccount(db, {
    organisationId,
    userName,
    realName,
    isOwner: false,
    permissionIds: [],
  })
  if (!made) return undefined
  if (twoStepRequired) await setTwoStepRequired(db, made.accountId)
  return { id: made.accountId, userName, password: made.password }
}
