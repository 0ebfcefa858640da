import { containsByPairs } from '../kit/containing-text.ts'
import { sql, type Database, type RawBuilder } from '../kit/database.ts'
import { isUniqueViolation } from '../kit/unique-violation.ts'
import type { Scope } from '../kit/scope.ts'

/**
 * The user name of an organisation's owner, as a value of a row: a plan with the table joined takes longer to set up than
 * the names of a page to look up.
 */
export const ownerUserNameOf = (organisationId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select owner.user_name from accounts owner where owner.organisation_id = ${organisationId} and owner.is_owner)`

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

/**
 * The condition for `organisations o` whose owner's user name contains a text. Of an agent's the few that stand below it
 * are compared with the owners found; the operator's are looked up by these.
 */
export function ownerIsCalled(scope: Scope, text: string): RawBuilder<unknown> {
  const found = sql`select organisation_id from accounts where is_owner and ${containsByPairs(sql`user_name`, text)}`
  return scope.kind === 'platform' ? sql`o.id = any(array(${found}))` : sql`o.id in (${found} offset 0)`
}
