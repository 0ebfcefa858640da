import { contains } from '../kit/containing-text.ts'
import { sql, streamRows, type Database } from '../kit/database.ts'
import { isUniqueViolation } from '../kit/unique-violation.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { accountColumns, accountTables, type AccountRow } from './principal-sql.ts'

/** The accounts that somebody manages: an organisation's sub-accounts, or all of the platform's. */
export interface Team {
  organisationId: number
  /** Only the platform's owner is one of its admin users. */
  withOwner: boolean
}

export interface AccountFilter {
  userName: string | undefined
  realName: string | undefined
}

/** An account as its list shows it. */
export interface ManagedAccount {
  id: number
  userName: string
  realName: string
  createdAt: Date
  updatedAt: Date
  lastLoginAt: Date | null
  twoStepEnabled: boolean
  twoStepRequired: boolean
  mustChangePassword: boolean
  permissionIds: number[]
}

const columns = sql`
  a.id, a.user_name as "userName", a.real_name as "realName", a.created_at as "createdAt", a.updated_at as "updatedAt",
  a.last_login_at as "lastLoginAt", a.two_step_enabled as "twoStepEnabled", a.two_step_required as "twoStepRequired",
  a.must_change_password as "mustChangePassword", a.permission_ids as "permissionIds"`

const ofTeam = ({ organisationId, withOwner }: Team) =>
  withOwner
    ? sql`a.organisation_id = ${organisationId}`
    : sql`a.organisation_id = ${organisationId} and not a.is_owner`

function matching(team: Team, { userName, realName }: AccountFilter) {
  const conditions = [ofTeam(team)]
  if (userName) conditions.push(contains(sql`a.user_name`, userName))
  if (realName) conditions.push(contains(sql`a.real_name`, realName))
  return sql.join(conditions, sql` and `)
}

/** A page of a team's accounts, oldest first, and how many match. */
export async function findManagedAccounts(
  db: Database,
  team: Team,
  filter: AccountFilter,
  page: { skip: number; take: number },
): Promise<{ list: ManagedAccount[]; total: number }> {
  const where = matching(team, filter)
  const count = await sql<{ total: number }>`select count(*) as total from accounts a where ${where}`.execute(
    db,
  )
  const { rows } = await sql<ManagedAccount>`
    select ${columns} from accounts a where ${where} order by a.id offset ${page.skip} limit ${page.take}`.execute(
    db,
  )
  return { list: rows, total: count.rows[0]?.total ?? 0 }
}

/** Every account of a team that matches, oldest first. */
export const streamManagedAccounts = (
  db: Database,
  team: Team,
  filter: AccountFilter,
): AsyncGenerator<ManagedAccount[]> =>
  streamRows(
    db,
    sql<ManagedAccount>`select ${columns} from accounts a where ${matching(team, filter)} order by a.id`,
  )

/** An account of a team with all that decides what it may do, locked against a change by somebody else. */
export async function lockManagedAccount(
  db: Database,
  team: Team,
  wanted: { id: number } | { userName: string },
): Promise<AccountRow | undefined> {
  const which =
    'id' in wanted ? sql`a.id = ${wanted.id}` : sql`lower(a.user_name) = lower(${wanted.userName})`
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from ${accountTables} where ${ofTeam(team)} and ${which} for update of a`.execute(
    db,
  )
  return rows[0]
}

/** Any account of an organisation within a scope, locked against a change by somebody else. */
export async function lockAccountWithinScope(
  db: Database,
  scope: Scope,
  userName: string,
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from ${accountTables}
     where lower(a.user_name) = lower(${userName}) and ${withinScope(scope, { merchantId: sql`o.id` })} for update of a`.execute(
    db,
  )
  return rows[0]
}

export interface AccountNames {
  userName: string
  realName: string
  /** As it was when undefined. */
  twoStepRequired: boolean | undefined
}

/**
 * Changes the names of an account.
 * @returns undefined when the user name is taken; the transaction can do nothing more then
 */
export async function updateAccount(
  db: Database,
  accountId: number,
  { userName, realName, twoStepRequired }: AccountNames,
): Promise<ManagedAccount | undefined> {
  try {
    const { rows } = await sql<ManagedAccount>`
      update accounts a set user_name = ${userName}, real_name = ${realName},
             two_step_required = coalesce(${twoStepRequired ?? null}, two_step_required), updated_at = now()
       where a.id = ${accountId} returning ${columns}`.execute(db)
    return rows[0]
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}

/** Deletes an account; its sessions and its binding to places go with it. */
export async function deleteAccount(db: Database, accountId: number): Promise<void> {
  await sql`delete from accounts where id = ${accountId}`.execute(db)
}
