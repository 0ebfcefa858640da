import { sql, type Database } from '../kit/database.ts'
import { newFirstPassword } from './first-admin.ts'
import { hashPassword } from './passwords.ts'

export interface NewAccount {
  organisationId: number
  userName: string
  realName: string
  /** The one account that an organisation is known by; the others are its sub-accounts. */
  isOwner: boolean
  permissionIds: readonly number[]
}

/**
 * Makes an account with a first password, to be shown once and changed at the first login (decisions §2).
 * @returns undefined when the user name is taken; user names are unique over all, whatever their letters' case
 */
export async function insertAccount(
  db: Database,
  account: NewAccount,
): Promise<{ accountId: number; password: string } | undefined> {
  const password = newFirstPassword()
  const { rows } = await sql<{ accountId: number }>`
    insert into accounts (organisation_id, user_name, real_name, is_owner, permission_ids, password_hash, must_change_password)
    values (${account.organisationId}, ${account.userName}, ${account.realName}, ${account.isOwner},
            ${[...account.permissionIds]}::int[], ${await hashPassword(password)}, true)
    on conflict (lower(user_name)) do nothing
    returning id as "accountId"`.execute(db)
  return rows[0] && { accountId: rows[0].accountId, password }
}

/**
 * Gives an account a new first password and ends its sessions at once (decisions §1).
 * @returns the password, to be shown once
 */
export async function resetPassword(db: Database, accountId: number): Promise<string> {
  const password = newFirstPassword()
  await sql`
    update accounts set password_hash = ${await hashPassword(password)}, must_change_password = true, updated_at = now()
     where id = ${accountId}`.execute(db)
  await endSessions(db, accountId)
  return password
}

/** Ends every session of an account, on every instance. */
export async function endSessions(db: Database, accountId: number): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId}`.execute(db)
}
