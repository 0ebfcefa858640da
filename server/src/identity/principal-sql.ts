import {
  isSubordinate,
  permissionIds,
  permissionKeys,
  type PermissionTree,
  type UserType,
} from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import type { Principal } from '../kit/principal.ts'
import type { Scope } from '../kit/scope.ts'

export interface AccountRow {
  accountId: number
  userName: string
  realName: string
  isOwner: boolean
  accountStatus: number
  permissionIds: number[]
  mustChangePassword: boolean
  twoStepEnabled: boolean
  twoStepRequired: boolean
  previousLoginAt: Date | null
  organisationId: number
  organisationName: string
  organisationKind: 'platform' | 'agent' | 'merchant'
  /** 1 enabled, 2 locked. */
  organisationStatus: number
  ownerUserName: string | null
  ownerPermissionIds: number[] | null
  placeIds: number[] | null
}

/** Columns of an account with all that decides what it may do; for queries over `accounts a, organisations o`. */
export const accountColumns = sql`
  a.id as "accountId", a.user_name as "userName", a.real_name as "realName", a.is_owner as "isOwner",
  a.status as "accountStatus", a.permission_ids as "permissionIds", a.must_change_password as "mustChangePassword",
  a.two_step_enabled as "twoStepEnabled", a.two_step_required as "twoStepRequired", a.previous_login_at as "previousLoginAt",
  o.id as "organisationId", o.name as "organisationName", o.kind as "organisationKind", o.status as "organisationStatus",
  owner.user_name as "ownerUserName", owner.permission_ids as "ownerPermissionIds",
  case when o.kind = 'merchant' and not a.is_owner
    then array(select place_id from account_places where account_id = a.id) end as "placeIds"`

export const accountTables = sql`
  accounts a
  join organisations o on o.id = a.organisation_id
  left join accounts owner on owner.organisation_id = o.id and owner.is_owner`

/**
 * A text that changes with whatever decides what an account may do; for queries over `sessions s`. One value below another
 * takes PostgreSQL half of what the same tables take joined. Rows of organisations change with all that is counted in
 * them; of these it is what `accountColumns` has, the name last, since nothing can be told from the end of a name.
 */
export const accountVersion = sql`
  (select concat_ws(' ', a.xmin,
     case when not a.is_owner
       then (select owner.xmin from accounts owner where owner.organisation_id = a.organisation_id and owner.is_owner) end,
     case when not a.is_owner then array(select place_id from account_places where account_id = a.id) end,
     (select concat_ws(' ', o.status, o.name) from organisations o where o.id = a.organisation_id))
     from accounts a where a.id = s.account_id)`

function userTypeOf(account: Pick<AccountRow, 'organisationKind' | 'isOwner'>): UserType {
  if (account.organisationKind === 'platform') return 0
  if (account.organisationKind === 'agent') return account.isOwner ? 1 : 3
  return account.isOwner ? 2 : 4
}

/** The catalogue from which an account of such an organisation has its rights. */
export const permissionTreeOf = (kind: AccountRow['organisationKind']): PermissionTree =>
  kind === 'platform' ? 'admin' : kind

function scopeOf(account: AccountRow, type: UserType): Scope {
  switch (type) {
    case 0:
      return { kind: 'platform' }
    case 1:
    case 3:
      return { kind: 'agent', organisationId: account.organisationId }
    case 2:
      return { kind: 'merchant', merchantId: account.organisationId }
    case 4:
      return { kind: 'places', merchantId: account.organisationId, placeIds: account.placeIds ?? [] }
  }
}

/** What is granted to an account; the first admin holds all, whatever is stored. */
export const heldIds = (account: Pick<AccountRow, 'organisationKind' | 'isOwner' | 'permissionIds'>) =>
  account.organisationKind === 'platform' && account.isOwner ? permissionIds('admin') : account.permissionIds

/** Grants that count: a sub-account never holds what its owner does not (decisions §2). */
function grantsOf(account: AccountRow, type: UserType): Set<number> {
  const own = new Set(heldIds(account))
  return isSubordinate(type) ? own.intersection(new Set(account.ownerPermissionIds ?? [])) : own
}

/** What an account is and may do at this moment; a sub-account has nothing that its owner lacks. */
export function principalOf(account: AccountRow): Principal {
  const type = userTypeOf(account)
  const granted = grantsOf(account, type)
  return {
    accountId: account.accountId,
    userName: account.userName,
    realName: account.realName,
    type,
    organisationId: account.organisationId,
    organisationName: account.organisationName,
    ownerUserName: account.ownerUserName ?? '',
    permissionIds: granted,
    permissions: permissionKeys(permissionTreeOf(account.organisationKind), granted),
    mustChangePassword: account.mustChangePassword,
    twoStepEnabled: account.twoStepEnabled,
    twoStepRequired: account.twoStepRequired,
    previousLoginAt: account.previousLoginAt,
    scope: scopeOf(account, type),
  }
}

/**
 * The account of a user name, whatever its letters' case. Its letters are made small here, as where failures are counted:
 * PostgreSQL takes a dotted capital I for the i of a name, and each spelling would have guesses of its own.
 */
export async function findAccountToSignIn(
  db: Database,
  userName: string,
): Promise<(AccountRow & { passwordHash: string; twoStepSecret: Buffer | null }) | undefined> {
  const { rows } = await sql<AccountRow & { passwordHash: string; twoStepSecret: Buffer | null }>`
    select ${accountColumns}, a.password_hash as "passwordHash", a.two_step_secret as "twoStepSecret"
      from ${accountTables} where lower(a.user_name) = ${userName.toLowerCase()}`.execute(db)
  return rows[0]
}
