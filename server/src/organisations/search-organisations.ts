import {
  organisationTypes,
  searchMinLength,
  searchOrganisations,
  type OrganisationFound,
} from '@chairside/contract'
import { handleReading, type Call } from '../kit/call.ts'
import { plannedOnce, sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { containsByPairs } from '../kit/containing-text.ts'

/** Most that a search answers; a picker shows no more and asks to type on. */
const mostFound = 50

interface Wanted {
  kinds: readonly ('agent' | 'merchant')[]
  userName: string | undefined
  name: string | undefined
  organisationId: number | undefined
}

/** Organisations within a scope with an id, or whose user name or name contains a text; names of ancestors in one more query. */
async function findOrganisations(db: Database, scope: Scope, wanted: Wanted): Promise<OrganisationFound[]> {
  const byText = wanted.userName
    ? sql`o.id = any(array(select organisation_id from accounts where is_owner and ${containsByPairs(sql`user_name`, wanted.userName)}))`
    : containsByPairs(sql`o.name`, wanted.name ?? '')
  const matches = wanted.organisationId === undefined ? byText : sql`o.id = ${wanted.organisationId}`
  const found = await sql<{
    id: number
    name: string
    kind: 'agent' | 'merchant'
    userId: string
    ancestorIds: number[]
  }>`${plannedOnce}
    select o.id, o.name, o.kind, coalesce(a.user_name, '') as "userId",
           (string_to_array(o.path::text, '.')::bigint[])[2:nlevel(o.path) - 1] as "ancestorIds"
      from organisations o left join accounts a on a.organisation_id = o.id and a.is_owner
     where o.kind = any(${[...wanted.kinds]}) and ${matches} and ${withinScope(scope, { merchantId: sql`o.id`, placeId: sql`null` })}
     order by o.name, o.id limit ${mostFound}`.execute(db)
  const ancestorIds = [...new Set(found.rows.flatMap((row) => row.ancestorIds))]
  const ancestors = await sql<{ id: number; name: string; path: string }>`${plannedOnce}
    select id, name, path::text from organisations o where id = any(${ancestorIds}::bigint[]) and ${ancestorsSeenBy(scope)}`.execute(
    db,
  )
  const nameOf = new Map(ancestors.rows.map(({ id, name }) => [id, name]))
  return found.rows.map(({ id, name, kind, userId, ancestorIds: above }) => ({
    id,
    name,
    userId,
    type: organisationTypes[kind],
    chain: above.flatMap((ancestorId) => {
      const ancestorName = nameOf.get(ancestorId)
      return ancestorName === undefined
        ? []
        : [{ id: ancestorId, name: ancestorName, type: organisationTypes.agent }]
    }),
  }))
}

/** Who stands above the caller is not the caller's to see. */
function ancestorsSeenBy(scope: Scope) {
  if (scope.kind === 'platform') return sql`true`
  return scope.kind === 'agent' ? withinScope(scope, { merchantId: sql`o.id` }) : sql`false`
}

/** Spec 1 §7, "Search"; nothing is looked up before two characters are typed. */
export const organisationSearchCalls: Call[] = [
  handleReading(searchOrganisations, async ({ db, scope, input }) => {
    const text = input.userid ?? input.username ?? ''
    if (input.merchantid === undefined && text.length < searchMinLength) return []
    const kinds = { '1': ['agent'], '2': ['merchant'], A: ['agent', 'merchant'] } as const
    return findOrganisations(db, scope, {
      kinds: kinds[input.type ?? '2'],
      userName: input.userid,
      name: input.username,
      organisationId: input.merchantid,
    })
  }),
]
