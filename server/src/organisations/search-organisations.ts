import {
  maskedNumberShows,
  organisationTypes,
  searchMinLength,
  searchOrganisations,
  type OrganisationFound,
} from '@chairside/contract'
import { handleReading, type Call } from '../kit/call.ts'
import { plannedOnce, sql, type Database, type RawBuilder } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { foundByPair } from './letter-pairs-sql.ts'
import { isNamed } from './name-initials-sql.ts'
import { ownerIsCalled } from './owner-accounts-sql.ts'

/** Most that a search answers; a picker asks for names and for user names, shows no more of each, and asks to type on. */
const mostFound = 10

interface Wanted {
  /** The condition for agents and merchants among `organisations o`. */
  matches: RawBuilder<unknown>
  /** Order and limit of those that are taken; all are if it is left out. */
  taken?: RawBuilder<unknown>
}

interface FoundRecord {
  id: number
  name: string
  kind: 'agent' | 'merchant'
  userId: string
  ancestorIds: number[]
}

/** The condition for `organisations o` within a scope; of an agent's, the indexes of their letters tell who stands below whom. */
const seenBy = (scope: Scope) =>
  scope.kind === 'agent'
    ? sql`organisation_ids(o.path) @> array[${scope.organisationId}]::bigint[]`
    : withinScope(scope, { merchantId: sql`o.id`, placeId: sql`null` })

/**
 * Organisations within a scope with an id, or whose user name or name contains a text, by their names. They and the names of
 * all that stand above one of them come as two values of one row.
 */
async function findOrganisations(
  db: Database,
  scope: Scope,
  { matches, taken = sql`` }: Wanted,
): Promise<OrganisationFound[]> {
  const { rows } = await sql<{
    found: FoundRecord[] | null
    names: Record<string, string> | null
  }>`${plannedOnce}
    with found as materialized (
      select o.id, o.name, o.kind, o.owner_user_name, ${ancestorsSeenBy(scope)} as above
        from organisations o
       where ${matches} and ${seenBy(scope)}
       ${taken})
    select (select json_agg(listed) from (
              select f.id, f.name, f.kind, f.owner_user_name as "userId", f.above as "ancestorIds" from found f
               order by f.name, f.id) listed) as found,
           (select json_object_agg(o.id, o.name) from organisations o
             where o.id = any(array(select unnest(above) from found))) as names`.execute(db)
  const { found, names } = rows[0] ?? { found: null, names: null }
  return (found ?? []).map(({ id, name, kind, userId, ancestorIds }) => ({
    id,
    name,
    userId,
    type: organisationTypes[kind],
    chain: ancestorIds.flatMap((ancestorId) => {
      const ancestorName = names?.[ancestorId]
      return ancestorName === undefined
        ? []
        : [{ id: ancestorId, name: ancestorName, type: organisationTypes.agent }]
    }),
  }))
}

/**
 * Whether a mobile ends with some digits, as far as lists show it (`maskedNumber`): the hidden ones are compared with
 * nothing, or who tries ten digits for each would have read the whole number.
 */
function mobileEndsLike(digits: string): RawBuilder<unknown> {
  const { head, tail, wholeBelow } = maskedNumberShows
  const backwards = [...digits.slice(-tail)].toReversed().join('')
  const ofHead = sql`greatest(${digits.length}::integer - length(o.mobile) + ${head}::integer, 0)`
  // By the index of bytes, where a colon is above all digits; a pattern would be planned without one.
  return sql`(reverse(o.mobile) ~>=~ ${backwards} and reverse(o.mobile) ~<~ ${`${backwards}:`}
    and case when length(o.mobile) < ${wholeBelow}::integer then right(o.mobile, ${digits.length}::integer) = ${digits}
             else length(o.mobile) >= ${digits.length}::integer
                  and right(left(o.mobile, ${head}::integer), ${ofHead}) = left(${digits}, ${ofHead}) end)`
}

/** Agents and merchants within a scope by a part of name or user name, the name's initials, or the end of their mobile. */
export async function findOrganisationsCalled(
  db: Database,
  scope: Scope,
  text: string,
  { take, mobileTail }: { take: number; mobileTail: string | undefined },
): Promise<OrganisationFound[]> {
  const ways = [isNamed(text), ownerIsCalled(text)]
  if (mobileTail !== undefined) ways.push(mobileEndsLike(mobileTail))
  // Each way has an index of its own, and all are asked of every organisation: together, all that the caller sees would be
  // looked through. What they find is narrowed to his scope then.
  const found = ways.map((way) => sql`select o.id from organisations o where ${way}`)
  return findOrganisations(db, scope, {
    matches: sql`o.kind <> 'platform' and o.id = any(array(${sql.join(found, sql` union `)})) and ${isNotOwn(scope)}`,
    // By name, which agents and merchants share: in the order of lists, many agents would leave no place for a merchant.
    taken: sql`order by o.name, o.id limit ${take}`,
  })
}

/** An agent's own organisation stands in no list that a result could lead to. */
const isNotOwn = (scope: Scope) => (scope.kind === 'agent' ? sql`o.id <> ${scope.organisationId}` : sql`true`)

/** The ids of the agents above an organisation `o`, the highest first; who stands above the caller is not the caller's to see. */
function ancestorsSeenBy(scope: Scope) {
  if (scope.kind !== 'platform' && scope.kind !== 'agent') return sql`'{}'::bigint[]`
  const first =
    scope.kind === 'platform' ? sql`1` : sql`index(o.path, ${String(scope.organisationId)}::ltree)`
  return sql`string_to_array(subpath(o.path, ${first}, -1)::text, '.')::bigint[]`
}

const kindsOfType = { '1': ['agent'], '2': ['merchant'], A: ['agent', 'merchant'] } as const

/** Spec 1 §7, "Search"; nothing is looked up before two characters are typed. */
export const organisationSearchCalls: Call[] = [
  handleReading(searchOrganisations, async ({ db, scope, input }) => {
    const kinds = kindsOfType[input.type ?? '2']
    if (input.merchantid !== undefined)
      return findOrganisations(db, scope, {
        matches: sql`o.kind = any(${[...kinds]}) and o.id = ${input.merchantid}`,
      })
    const text = input.userid ?? input.username ?? ''
    if (text.length < searchMinLength) return []
    const kept = foundByPair(scope, { field: input.userid ? 'userName' : 'name', text, kinds })
    if (kept) {
      const first = sql`select id from (${kept}) kept order by kind, id desc limit ${mostFound}`
      return findOrganisations(db, scope, { matches: sql`o.id = any(array(${first}))` })
    }
    return findOrganisations(db, scope, {
      matches: sql`o.kind = any(${[...kinds]}) and ${input.userid ? ownerIsCalled(text) : isNamed(text)}`,
      taken: sql`order by o.kind, o.id desc limit ${mostFound}`,
    })
  }),
]
