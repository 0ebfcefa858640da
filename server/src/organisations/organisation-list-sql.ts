import { pageSizes, platformId, type OrganisationRow } from '@chairside/contract'
import { plannedOnce, sql, streamRows, type Database, type RawBuilder } from '../kit/database.ts'
import { atOrBelow, pathOf, type Scope } from '../kit/scope.ts'
import { isNamed } from './name-initials-sql.ts'
import { ownerIsCalled } from './owner-accounts-sql.ts'
import { asListed, organisationColumnsSql, type OrganisationRecord } from './organisations-sql.ts'

export interface OrganisationFilter {
  /** Only what stands right below it, or all below it at any depth. */
  below: { organisationId: number; depth: 'next' | 'any' }
  kinds: readonly ('agent' | 'merchant')[]
  userName: string | undefined
  name: string | undefined
}

interface ListRecord extends OrganisationRecord {
  parentId: number
  parentName: string
  agents: number
  merchants: number
  devices: number
}

/** Whether an organisation `o` is the caller's to see. */
function seenBy(scope: Scope, organisationId: number): RawBuilder<unknown> {
  switch (scope.kind) {
    case 'platform':
      return sql`true`
    case 'agent':
      return organisationId === scope.organisationId
        ? sql`true`
        : atOrBelow(sql`o.path`, pathOf(scope.organisationId))
    case 'merchant':
    case 'places':
      return sql`false`
  }
}

/**
 * The organisation that a list stands below, if it is the caller's to see. Then so is all that stands below it, and the
 * parent of each of these. `past` is above the paths of all that stand below (`atOrBelow`).
 */
const topOf = (scope: Scope, { below }: OrganisationFilter) => sql`
  top as materialized (
    select o.id, o.path, o.path || 'z' as past, o.agents_below, o.merchants_below
      from organisations o where o.id = ${below.organisationId} and ${seenBy(scope, below.organisationId)})`

function standsBelow({ organisationId, depth }: OrganisationFilter['below']): RawBuilder<unknown> {
  if (depth === 'next') return sql`o.parent_id = (select id from top)`
  // All but itself: nothing is gained by looking them up by their paths.
  if (organisationId === platformId) return sql`o.id <> (select id from top)`
  return sql`o.path > (select path from top) and o.path < (select past from top)`
}

/** The condition for `organisations o` below `top`, which are agents and merchants all. */
function matching(scope: Scope, { below, kinds, userName, name }: OrganisationFilter): RawBuilder<unknown> {
  const conditions = [standsBelow(below)]
  const [kind, ...others] = kinds
  if (others.length === 0) conditions.push(sql`o.kind = ${kind}`)
  if (userName) conditions.push(ownerIsCalled(scope, userName))
  if (name) conditions.push(isNamed(name))
  return sql.join(conditions, sql` and `)
}

/** A row with what stands below it, for `organisations o`. */
const columns = sql`
  ${organisationColumnsSql}, o.parent_id as "parentId", parent.name as "parentName",
  o.agents_below as agents, o.merchants_below as merchants,
  case when o.kind = 'merchant' then o.device_count
       else (select sum(b.device_count) from organisations b where ${atOrBelow(sql`b.path`, sql`o.path`)}) end as devices`

const details = sql`
  join organisations parent on parent.id = o.parent_id
  left join accounts owner on owner.organisation_id = o.id and owner.is_owner`

/** Made field by field: to copy the rest of a record costs more than to read it. */
const rowOf = (record: ListRecord): OrganisationRow => ({
  ...asListed(record),
  parentId: record.parentId,
  parentName: record.parentName,
  agents: record.agents,
  merchants: record.merchants,
  devices: record.devices,
})

/** Whether how many match is kept with the organisation that they stand below. */
const isKept = ({ below, userName, name }: OrganisationFilter) => below.depth === 'any' && !userName && !name

/** How many match: all that stand below an organisation are kept with it, others are counted. */
function countOf(filter: OrganisationFilter): RawBuilder<unknown> {
  if (!isKept(filter)) return sql`select count(*) from found`
  const kept = { agent: sql`agents_below`, merchant: sql`merchants_below` }
  const sum = sql.join(
    filter.kinds.map((kind) => kept[kind]),
    sql` + `,
  )
  return sql`select ${sum} from top`
}

/** The ids of a page of what is `found`; how many these are is `counted`. */
function idsOfPage(
  filter: OrganisationFilter,
  page: { skip: number; take: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const { take } = page
  // Behind a sub-select the number of rows to pass over says nothing to the planner, which would plan each far page anew.
  const skip = sql`${page.skip}::bigint`
  if (filter.below.organisationId !== platformId || !isKept(filter))
    return sql`select id from found order by kind, id desc offset (select ${skip}) limit ${take}`
  // All there are may be many: rows are passed over from the nearer end. The last page may have fewer rows than others.
  return sql`
    (select id from found where (select total / 2 >= ${skip} from counted)
      order by kind, id desc offset (select ${skip}) limit ${take})
    union all
    (select id from (
       select id from found where (select total / 2 < ${skip} from counted)
        order by kind desc, id offset (select greatest(total - ${skip} - ${take}, 0) from counted) limit ${take}) from_end
      limit (select greatest(total - ${skip}, 0) from counted))`
}

/** A page of agents and merchants, agents first, newest first, and how many match. */
export async function findOrganisationRows(
  db: Database,
  scope: Scope,
  filter: OrganisationFilter,
  page: { skip: number; take: number },
): Promise<{ list: OrganisationRow[]; total: number }> {
  // What a text finds is looked for once; without a text, rows and count are read from indexes of their own.
  const howOften = filter.userName || filter.name ? sql`materialized` : sql`not materialized`
  // Planned once, the usual sizes of a page are known to the plan; it would take any other for a tenth of all rows.
  const isUsual = (pageSizes as readonly number[]).includes(page.take)
  const take = isUsual ? sql.raw(String(page.take)) : sql`${page.take}`
  const ids = idsOfPage(filter, { skip: page.skip, take })
  // One statement, hence one moment: while others move, no row is counted and not shown.
  const { rows } = await sql<{ total: number } & (ListRecord | { id: null })>`${isUsual ? plannedOnce : sql``}
    with ${topOf(scope, filter)},
         found as ${howOften} (select o.id, o.kind from organisations o where ${matching(scope, filter)}),
         counted as (select (${countOf(filter)}) as total)
    select coalesce(counted.total, 0) as total, page.*
      from counted left join lateral (
        select ${columns} from (${ids}) chosen join organisations o on o.id = chosen.id ${details}) page on true
     order by page.type, page.id desc`.execute(db)
  return {
    list: rows.flatMap((row) => (row.id === null ? [] : [rowOf(row)])),
    total: rows[0]?.total ?? 0,
  }
}

/** All that match in the same order, some at a time. */
export async function* streamOrganisationRows(
  db: Database,
  scope: Scope,
  filter: OrganisationFilter,
): AsyncGenerator<OrganisationRow[]> {
  const query = sql<ListRecord>`
    with ${topOf(scope, filter)}
    select ${columns} from organisations o ${details} where ${matching(scope, filter)} order by o.kind, o.id desc`
  for await (const records of streamRows(db, query)) yield records.map(rowOf)
}

/** Agents between the caller and an organisation, from right below the caller down to the organisation itself. */
export async function findChain(
  db: Database,
  callerOrganisationId: number,
  organisationId: number,
): Promise<{ id: number; name: string; type: string }[]> {
  const { rows } = await sql<{ id: number; name: string; type: string }>`
    select above.id, above.name, case above.kind when 'agent' then '1' else '2' end as type
      from organisations o join organisations above on above.id = any(string_to_array(o.path::text, '.')::bigint[])
     where o.id = ${organisationId} and above.id <> ${callerOrganisationId}
       and above.path <@ (select path from organisations where id = ${callerOrganisationId})
     order by nlevel(above.path)`.execute(db)
  return rows
}
