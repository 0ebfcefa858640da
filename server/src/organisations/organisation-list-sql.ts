import { pageSizes, platformId, type OrganisationRow } from '@chairside/contract'
import { plannedOnce, sql, streamRows, type Database, type RawBuilder } from '../kit/database.ts'
import { atOrBelow, pathOf, type Scope } from '../kit/scope.ts'
import { foundByPair } from './letter-pairs-sql.ts'
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

/** Whether a list stands below what the caller sees for certain. */
const isBelowOwn = (scope: Scope, { below }: OrganisationFilter) =>
  scope.kind === 'platform' || (scope.kind === 'agent' && scope.organisationId === below.organisationId)

/** Whether the organisation `o` that a list stands below is the caller's to see. */
function seenBy(scope: Scope, filter: OrganisationFilter): RawBuilder<unknown> {
  if (isBelowOwn(scope, filter)) return sql`true`
  return scope.kind === 'agent' ? atOrBelow(sql`o.path`, pathOf(scope.organisationId)) : sql`false`
}

/**
 * The organisation that a list stands below, if it is the caller's to see. Then so is all that stands below it, and the
 * parent of each of these. `past` is above the paths of all that stand below (`atOrBelow`).
 */
const topOf = (scope: Scope, filter: OrganisationFilter) => sql`
  top as materialized (
    select o.id, o.path, o.path || 'z' as past, o.agents_below, o.merchants_below
      from organisations o where o.id = ${filter.below.organisationId} and ${seenBy(scope, filter)})`

function standsBelow(scope: Scope, filter: OrganisationFilter): RawBuilder<unknown> {
  const { organisationId, depth } = filter.below
  const topId = isBelowOwn(scope, filter) ? sql`${organisationId}::bigint` : sql`(select id from top)`
  if (depth === 'next') return sql`o.parent_id = ${topId}`
  // All but itself: nothing is gained by looking them up by their paths.
  if (organisationId === platformId) return sql`o.id <> ${topId}`
  // The index that finds a text knows who stands below whom.
  if (isSearch(filter)) return sql`organisation_ids(o.path) @> array[${topId}] and o.id <> ${topId}`
  return sql`o.path > (select path from top) and o.path < (select past from top)`
}

/** The condition for `organisations o` below `top`, which are agents and merchants all. */
function matching(scope: Scope, filter: OrganisationFilter): RawBuilder<unknown> {
  const { kinds, userName, name } = filter
  const conditions = [standsBelow(scope, filter)]
  const [kind, ...others] = kinds
  if (others.length === 0) conditions.push(sql`o.kind = ${kind}`)
  if (userName) conditions.push(ownerIsCalled(userName))
  if (name) conditions.push(isNamed(name))
  return sql.join(conditions, sql` and `)
}

/** A row with what stands below it, for `organisations o`. */
const columns = sql`
  ${organisationColumnsSql}, o.parent_id as "parentId",
  (select parent.name from organisations parent where parent.id = o.parent_id) as "parentName",
  o.agents_below as agents, o.merchants_below as merchants, o.device_count as devices`

/** Made field by field: to copy the rest of a record costs more than to read it. */
const rowOf = (record: ListRecord): OrganisationRow => ({
  ...asListed(record),
  parentId: record.parentId,
  parentName: record.parentName,
  agents: record.agents,
  merchants: record.merchants,
  devices: record.devices,
})

const isSearch = ({ userName, name }: OrganisationFilter) => Boolean(userName || name)

/** Whether how many match is kept with the organisation that they stand below. */
const isKept = (filter: OrganisationFilter) => filter.below.depth === 'any' && !isSearch(filter)

/** Whether it is of all there are, which stand in an index in the order of the list. */
const isAll = (filter: OrganisationFilter) => isKept(filter) && filter.below.organisationId === platformId

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

interface Page {
  skip: number
  take: RawBuilder<unknown>
}

/** Rows to pass over that are still read whole: fewer than are worth the way to each of the page by its id. */
const fewToSkip = 50

/** A number of rows that the planner is not told, which would plan each far page anew. */
const unplanned = (rows: number) => sql`(select ${rows}::bigint)`

/** The ids of a page of what is `found`; how many these are is `counted`. */
function idsOfPage(filter: OrganisationFilter, { skip, take }: Page): RawBuilder<unknown> {
  if (!isKept(filter) || skip === 0)
    return sql`select id from found order by kind, id desc offset ${unplanned(skip)} limit ${take}`
  // How many there are is known, and may be many: rows are passed over from the nearer end. The last page may have fewer
  // rows than others.
  const skipped = sql`${skip}::bigint`
  return sql`
    (select id from found where (select total / 2 >= ${skipped} from counted)
      order by kind, id desc offset ${unplanned(skip)} limit ${take})
    union all
    (select id from (
       select id from found where (select total / 2 < ${skipped} from counted)
        order by kind desc, id offset (select greatest(total - ${skipped} - ${take}, 0) from counted) limit ${take}) from_end
      limit (select greatest(total - ${skipped}, 0) from counted))`
}

/** The rows `o` of a page: of all there are as they stand in their index, others by their ids, which are sorted first. */
const rowsOfPage = (scope: Scope, filter: OrganisationFilter, page: Page): RawBuilder<unknown> =>
  isAll(filter) && page.skip < fewToSkip
    ? sql`(select o.* from organisations o where ${matching(scope, filter)}
            order by o.kind, o.id desc offset ${unplanned(page.skip)} limit ${page.take}) o`
    : sql`organisations o where o.id = any(array(${idsOfPage(filter, page)}))`

/** What one text alone finds among all there are, if it is kept. */
function foundAmongAll(scope: Scope, filter: OrganisationFilter): RawBuilder<unknown> | undefined {
  const { below, kinds, userName, name } = filter
  if (below.organisationId !== platformId || below.depth !== 'any' || (userName && name)) return undefined
  return userName
    ? foundByPair(scope, { field: 'userName', text: userName, kinds })
    : foundByPair(scope, { field: 'name', text: name ?? '', kinds })
}

/** What matches, and how many that is. */
function found(scope: Scope, filter: OrganisationFilter): RawBuilder<unknown> {
  const kept = foundAmongAll(scope, filter)
  if (kept) return sql`found as not materialized (${kept}), counted as (select count(*) as total from found)`
  const howOften = isSearch(filter) ? sql`materialized` : sql`not materialized`
  return sql`
    ${topOf(scope, filter)},
    found as ${howOften} (select o.id, o.kind from organisations o where ${matching(scope, filter)}),
    counted as (select coalesce((${countOf(filter)}), 0) as total)`
}

/** A page of agents and merchants, agents first, newest first, and how many match. */
export async function findOrganisationRows(
  db: Database,
  scope: Scope,
  filter: OrganisationFilter,
  page: { skip: number; take: number },
): Promise<{ list: OrganisationRow[]; total: number }> {
  // Planned once, the usual sizes of a page are known to the plan; it would take any other for a tenth of all rows.
  const isUsual = (pageSizes as readonly number[]).includes(page.take)
  const take = isUsual ? sql.raw(String(page.take)) : sql`${page.take}`
  // One statement, hence one moment: while others move, no row is counted and not shown.
  const { rows } = await sql<ListRecord & { total: number }>`${isUsual ? plannedOnce : sql``}
    with ${found(scope, filter)}
    select (select total from counted) as total, ${columns} from ${rowsOfPage(scope, filter, { skip: page.skip, take })}
     order by o.kind, o.id desc`.execute(db)
  const [first] = rows
  if (first || page.skip === 0) return { list: rows.map(rowOf), total: first?.total ?? 0 }
  return { list: [], total: await countOrganisations(db, scope, filter) }
}

async function countOrganisations(db: Database, scope: Scope, filter: OrganisationFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with ${found(scope, filter)} select total from counted`.execute(db)
  return rows[0]?.total ?? 0
}

/** All that match in the same order, some at a time. */
export async function* streamOrganisationRows(
  db: Database,
  scope: Scope,
  filter: OrganisationFilter,
): AsyncGenerator<OrganisationRow[]> {
  const query = sql<ListRecord>`
    with ${topOf(scope, filter)}
    select ${columns} from organisations o where ${matching(scope, filter)} order by o.kind, o.id desc`
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
      from organisations o join organisations above on above.id = any(organisation_ids(o.path))
     where o.id = ${organisationId} and above.id <> ${callerOrganisationId}
       and above.path <@ (select path from organisations where id = ${callerOrganisationId})
     order by nlevel(above.path)`.execute(db)
  return rows
}
