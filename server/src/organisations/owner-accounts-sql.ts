import { containsByPairs } from '../kit/containing-text.ts'
import { sql, type Database, type RawBuilder } from '../kit/database.ts'
import { isUniqueViolation } from '../kit/unique-violation.ts'

/**
 * Gives an organisation's owner the names it is known by.
 * @returns false when the user name is another account's; the transaction can do nothing more then
 */
export async function renameOwner(
  db: Database,
  organisationId: number,
  names: { userName: string; realName: string },
): Promise<boolean> {
  try {
    await sql`
      update accounts set user_name = ${names.userName}, real_name = ${names.realName}, updated_at = now()
       where organisation_id = ${organisationId} and is_owner and (user_name, real_name) <> (${names.userName}, ${names.realName})`.execute(
      db,
    )
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** Ends the sessions of all accounts of an organisation, on every instance. */
export async function endSessionsOfOrganisation(db: Database, organisationId: number): Promise<void> {
  await sql`delete from sessions where account_id in (select id from accounts where organisation_id = ${organisationId})`.execute(
    db,
  )
}

/** The condition for `organisations o` whose owner's user name contains a text. */
export const ownerIsCalled = (text: string): RawBuilder<unknown> =>
  containsByPairs(sql`o.owner_user_name`, text)
