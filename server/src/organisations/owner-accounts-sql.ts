import { containsByPairs } from '../kit/containing-text.ts'
import { sql, type Database, type RawBuilder } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import type { OrganisationKind } from './organisations-sql.ts'

/** PostgreSQL's word for a value that has to be unique and is there already. */
const uniqueViolation = '23505'

/** The owner's account of an organisation of a kind within a scope, by its user name, whatever its letters' case. */
export async function findOwner(
  db: Database,
  scope: Scope,
  kind: OrganisationKind,
  userName: string,
): Promise<{ accountId: number; organisationId: number } | undefined> {
  const { rows } = await sql<{ accountId: number; organisationId: number }>`
    select a.id as "accountId", o.id as "organisationId" from accounts a join organisations o on o.id = a.organisation_id
     where lower(a.user_name) = lower(${userName}) and a.is_owner and o.kind = ${kind}
       and ${withinScope(scope, { merchantId: sql`o.id` })}`.execute(db)
  return rows[0]
}

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
    if ((error as { code?: string }).code === uniqueViolation) return false
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
