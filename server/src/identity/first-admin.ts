import { randomBytes } from 'node:crypto'
import { sql, type Database } from '../kit/database.ts'
import { hashPassword } from './passwords.ts'

/** A password somebody reads off once: easy to type, 70 bits. */
export const newFirstPassword = () => randomBytes(9).toString('base64url')

/**
 * Makes the first admin when there is no account of the platform yet.
 * @returns its password, to be shown only once; undefined when there is an admin already
 */
export async function createFirstAdmin(
  db: Database,
): Promise<{ userName: string; password: string } | undefined> {
  const password = newFirstPassword()
  const { rows } = await sql<{ userName: string }>`
    insert into accounts (id, organisation_id, user_name, real_name, is_owner, password_hash, must_change_password)
    select 1, 1, 'admin', 'Administrator', true, ${await hashPassword(password)}, true
     where not exists (select 1 from accounts where organisation_id = 1)
    on conflict do nothing
    returning user_name as "userName"`.execute(db)
  return rows[0] ? { userName: rows[0].userName, password } : undefined
}
