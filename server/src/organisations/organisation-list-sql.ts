import { pageSizes, platformId, type OrganisationRow } from '@chairside/contract'
import { plannedOnce, sql, streamRows, type Database, type RawBuilder } from '../kit/database.ts'
import { atOrBelow, pathOf, type Scope } from '../kit/scope.ts'
import { containsByPairs } from '../kit/containing-text.ts'
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

/** Whether an organisation with a path is the caller's to see. */
function seenBy(scope: Scope, path: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (scope.kind) {
    case 'platform':
      return sql`true`
    case 'agent':
      return atOrBelow(path, pathOf(scope.organisationId))
    case 'merchant':
    case 'places':
      return sql`false`
  }
}

/** Whether a caller's scope is just what stands at or below an organisation: then one condition says both. */
const isOwn = (scope: Scope, organisationId: number) =>
  scope.kind === 'agent' && scope.organisationId === organisationId

function matching(scope: Scope, filter: OrganisationFilter): RawBuilder<unknown> {
  const { organisationId, depth } = filter.below
  const conditions = [sql`o.kind = any(${[...filter.kinds]})`]
  if (depth === 'next') conditions.push(sql`o.parent_id = ${organisationId}`)
  else if (organisationId !== platformId)
    conditions.push(sql`o.id <> ${organisationId}`, atOrBelow(sql`o.path`, pathOf(organisationId)))
  if (depth === 'next' || !isOwn(scope, organisationId)) conditions.push(seenBy(scope, sql`o.path`))
  if (filter.userName) conditions.push(ownerIsCalled(scope, filter.userName))
  if (filter.name) conditions.push(containsByPairs(sql`o.name`, filter.name))
  return sql.join(conditions, sql` and `)
}

/** A row with what stands below it, for `organisations o`. */
const columns = (scope: Scope) => sql`
  ${organisationColumnsSql}, o.parent_id as "parentId",
  case when ${seenBy(scope, sql`parent.path`)} then parent.name else '' end as "parentName",
  o.agents_below as agents, o.merchants_below as merchants,
  case when o.kind = 'merchant' then o.device_count
       else (select sum(b.device_count) from organisations b where ${atOrBelow(sql`b.path`, sql`o.path`)}) end as devices`

const details = sql`
  join organisations parent on parent.id = o.parent_id
  left join accounts owner on owner.organisation_id = o.id and owner.is_owner`

const rowOf = ({
  parentId,
  parentName,
  agents,
  merchants,
  devices,
  ...record
}: ListRecord): OrganisationRow => ({
  ...asListed(record),
  parentId,
  parentName,
  agents,
  merchants,
  devices,
})

/** How many match: all that stand below an organisation are kept with it, others are counted. */
function countOf(scope: Scope, { below, kinds, userName, name }: OrganisationFilter): RawBuilder<unknown> {
  if (below.depth === 'next' || userName || name) return sql`select count(*) from found`
  const kept = { agent: sql`top.agents_below`, merchant: sql`top.merchants_below` }
  const sum = sql.join(
    kinds.map((kind) => kept[kind]),
    sql` + `,
  )
  const isSeen = isOwn(scope, below.organisationId) ? sql`true` : seenBy(scope, sql`top.path`)
  return sql`select ${sum} from organisations top where top.id = ${below.organisationId} and ${isSeen}`
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
  // Behind a sub-select the number of rows to pass over says nothing to the planner, which would plan each far page anew.
  // One statement, hence one moment: while others move, no row is counted and not shown.
  const { rows } = await sql<{ total: number } & (ListRecord | { id: null })>`${isUsual ? plannedOnce : sql``}
    with found as ${howOften} (select o.id, o.kind from organisations o where ${matching(scope, filter)})
    select coalesce(counted.total, 0) as total, page.*
      from (select (${countOf(scope, filter)}) as total) counted
      left join lateral (
        select ${columns(scope)}
          from (select id from found order by kind, id desc offset (select ${page.skip}::bigint) limit ${take}) chosen
          join organisations o on o.id = chosen.id
          ${details}) page on true
     order by page.type, page.id desc`.execute(db)
  return {
    list: rows.flatMap((row) => {
      if (row.id === null) return []
      const { total: _total, ...record } = row
      return [rowOf(record)]
    }),
    total: rows[0]?.total ?? 0,
  }
}

/** All that match in the same order, one after another. */
export async function* streamOrganisationRows(
  db: Database,
  scope: Scope,
  filter: OrganisationFilter,
): AsyncGenerator<OrganisationRow> {
  const query = sql<ListRecord>`
    select ${columns(scope)} from organisations o ${details} where ${matching(scope, filter)} order by o.kind, o.id desc`
  for await (const record of streamRows(db, query)) yield rowOf(record)
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
