import { sql, type Database } from '../kit/database.ts'
import { newFirstPassword } from './first-admin.ts'
import { hashPassword } from './passwords.ts'
import { holdRenewals } from './sessions-sql.ts'

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
  await holdRenewals(db, accountId)
  await sql`delete from sessions where account_id = ${accountId}`.execute(db)
}

/**
 * Ends every session of an account but one; a token that has just been renewed is the same session as its successor.
 * @returns how many other sessions ended, however many tokens each had
 */
export async function endOtherSessions(
  db: Database,
  accountId: number,
  ownTokenHash: Buffer,
): Promise<number> {
  await holdRenewals(db, accountId)
  const { rows } = await sql<{ id: string; isOwn: boolean }>`
    delete from sessions where account_id = ${accountId} and token_hash <> ${ownTokenHash}
       and token_hash is distinct from (select replaced_by from sessions where token_hash = ${ownTokenHash})
    returning id, id = (select id from sessions where token_hash = ${ownTokenHash}) as "isOwn"`.execute(db)
  return new Set(rows.filter(({ isOwn }) => !isOwn).map(({ id }) => id)).size
}

/** The password of an account as it is kept. */
export async function findPasswordHash(db: Database, accountId: number): Promise<string | undefined> {
  const { rows } = await sql<{ passwordHash: string }>`
    select password_hash as "passwordHash" from accounts where id = ${accountId}`.execute(db)
  return rows[0]?.passwordHash
}

/**
 * Replaces a password by one that the user has chosen.
 * @returns false when another one was set meanwhile
 */
export async function replacePassword(
  db: Database,
  accountId: number,
  { oldHash, newHash }: { oldHash: string; newHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    update accounts set password_hash = ${newHash}, must_change_password = false, updated_at = now()
     where id = ${accountId} and password_hash = ${oldHash} returning 1`.execute(db)
  return rows.length === 1
}

export async function setTwoStepRequired(db: Database, accountId: number): Promise<void> {
  await sql`update accounts set two_step_required = true where id = ${accountId}`.execute(db)
}
