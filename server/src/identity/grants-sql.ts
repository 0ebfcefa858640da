import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { accountColumns, accountTables, type AccountRow } from './principal-sql.ts'

/** The owner of an agent or merchant within a scope, locked against a change by somebody else. */
export async function lockOwner(
  db: Database,
  scope: Scope,
  wanted: { organisationId: number; kind: 'agent' | 'merchant' },
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from ${accountTables}
     where o.id = ${wanted.organisationId} and o.kind = ${wanted.kind} and a.is_owner and ${withinScope(scope, { merchantId: sql`o.id` })}
       for update of a`.execute(db)
  return rows[0]
}

/** An account within a scope by its user name: an owner, or anybody of the caller's own organisation. */
export async function findAccount(
  db: Database,
  scope: Scope,
  wanted: { userName: string; ownOrganisationId: number },
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${accountColumns} from ${accountTables}
     where lower(a.user_name) = lower(${wanted.userName})
       and (o.id = ${wanted.ownOrganisationId} or (a.is_owner and ${withinScope(scope, { merchantId: sql`o.id` })}))`.execute(
    db,
  )
  return rows[0]
}

/** Stores what an account may do; it holds from the next call on, on every instance. */
export async function storePermissions(
  db: Database,
  accountId: number,
  permissionIds: readonly number[],
): Promise<void> {
  await sql`
    update accounts set permission_ids = ${[...permissionIds]}::int[], updated_at = now() where id = ${accountId}`.execute(
    db,
  )
}
