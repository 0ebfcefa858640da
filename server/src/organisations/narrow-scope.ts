import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

/** Organisations that a list is narrowed to. */
interface Wanted {
  merchantid?: number | undefined
  agentid?: number | undefined
}

/**
 * The part of a caller's scope that the filters `merchantid` and `agentid` ask for. The caller's own id narrows
 * nothing; what belongs to somebody else is answered as if it did not exist.
 * @returns undefined when nothing of it is the caller's to see
 */
export async function narrowScope(db: Database, scope: Scope, wanted: Wanted): Promise<Scope | undefined> {
  let narrowed: Scope | undefined = scope
  for (const id of [wanted.agentid, wanted.merchantid]) {
    if (id !== undefined && narrowed) narrowed = await narrowTo(db, narrowed, id)
  }
  return narrowed
}

async function narrowTo(db: Database, scope: Scope, organisationId: number): Promise<Scope | undefined> {
  if (scope.kind === 'places') return organisationId === scope.merchantId ? scope : undefined
  const { rows } = await sql<{ kind: string }>`
    select kind from organisations o
     where id = ${organisationId} and ${withinScope(scope, { merchantId: sql`o.id` })}`.execute(db)
  const found = rows[0]
  if (!found) return undefined
  if (found.kind === 'platform') return scope
  return found.kind === 'agent'
    ? { kind: 'agent', organisationId }
    : { kind: 'merchant', merchantId: organisationId }
}

/** What a scope narrows to if the organisation wanted is what the filter's name says; `merchantid` is narrowed to last. */
function expectedScope(scope: Scope, { merchantid, agentid }: Wanted): Scope {
  if (scope.kind === 'places') return scope
  if (merchantid !== undefined) return { kind: 'merchant', merchantId: merchantid }
  return agentid === undefined ? scope : { kind: 'agent', organisationId: agentid }
}

const isSameScope = (one: Scope, other: Scope) =>
  one === other ||
  (one.kind === 'merchant' && other.kind === 'merchant' && one.merchantId === other.merchantId) ||
  (one.kind === 'agent' && other.kind === 'agent' && one.organisationId === other.organisationId)

/**
 * Reads within the part of a caller's scope that is wanted. It is read while that is still being checked, in one message
 * to the database (decisions 0160); what was found is answered only if the caller may see it.
 * @returns undefined when nothing of it is the caller's to see
 */
export async function readNarrowed<Found>(
  db: Database,
  scope: Scope,
  wanted: Wanted,
  read: (scope: Scope) => Promise<Found>,
): Promise<Found | undefined> {
  const expected = expectedScope(scope, wanted)
  const [narrowed, found] = await Promise.all([narrowScope(db, scope, wanted), read(expected)])
  if (!narrowed) return undefined
  return isSameScope(narrowed, expected) ? found : read(narrowed)
}
