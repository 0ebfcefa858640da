import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

/**
 * The part of a caller's scope that the filters `merchantid` and `agentid` ask for. The caller's own id narrows
 * nothing; what belongs to somebody else is answered as if it did not exist.
 * @returns undefined when nothing of it is the caller's to see
 */
export async function narrowScope(
  db: Database,
  scope: Scope,
  wanted: { merchantid?: number | undefined; agentid?: number | undefined },
): Promise<Scope | undefined> {
  let narrowed: Scope | undefined = scope
  for (const id of [wanted.agentid, wanted.merchantid]) {
    if (id !== undefined && narrowed) narrowed = await narrowTo(db, narrowed, id)
  }
  return narrowed
}

async function narrowTo(db: Database, scope: Scope, organisationId: number): Promise<Scope | undefined> {
  if (scope.kind === 'places') return organisationId === scope.merchantId ? scope : undefined
  const { rows } = await sql<{ kind: string; path: string }>`
    select kind, path::text from organisations o
     where id = ${organisationId} and ${withinScope(scope, { merchantId: sql`o.id` })}`.execute(db)
  const found = rows[0]
  if (!found) return undefined
  if (found.kind === 'platform') return scope
  return found.kind === 'agent'
    ? { kind: 'agent', organisationId, path: found.path }
    : { kind: 'merchant', merchantId: organisationId }
}
