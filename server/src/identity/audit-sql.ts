import { successCode, type DayRange } from '@chairside/contract'
import { contains } from '../kit/containing-text.ts'
import { instantsOfDays } from '../kit/calendar.ts'
import { sql, streamRows, type Database } from '../kit/database.ts'
import type { AuditRecord } from '../kit/door/session-gate.ts'
import type { Scope } from '../kit/scope.ts'
import { namesOfNumbers, type AuditNames } from './audit-names-sql.ts'
import { maskSecrets } from './mask-secrets.ts'

/** Stands for callers who belong to no organisation: customers, and names that nobody has. */
const platformId = 1

/** Records who tried what. */
export async function insertAudit(db: Database, record: AuditRecord): Promise<void> {
  const { principal, action, target } = record
  const userName = record.userName || (action === 'session.login' ? target : '')
  await sql`
    insert into audit_trail (at, account_id, user_name, organisation_id, action, target, outcome, details, address)
    values (${record.at}, ${principal?.accountId ?? null}, ${userName}, ${principal?.organisationId ?? platformId}, ${action},
            ${target.slice(0, 200)}, ${record.outcome}, ${JSON.stringify(maskSecrets(record.details))}::jsonb, ${record.address})`.execute(
    db,
  )
}

export interface AuditFilter {
  userName: string | undefined
  action: string | undefined
  target: string | undefined
  refused: boolean | undefined
  period: Partial<DayRange>
}

/** Whose entries somebody sees: those of a scope, or of a single account of it. */
export interface AuditReader {
  scope: Scope
  accountId: number
}

export interface AuditEntry {
  id: number
  at: Date
  userName: string
  organisationId: number
  organisationName: string
  action: string
  target: string
  outcome: string
  details: { before?: unknown; after?: unknown }
  names: AuditNames
  address: string
}

const columnsFor = ({ scope }: AuditReader) => sql`
  t.id, t.at, t.user_name as "userName", t.organisation_id as "organisationId", coalesce(o.name, '') as "organisationName",
  t.action, t.target, t.outcome, t.details, t.address,
  ${namesOfNumbers(scope)} as names`

/** Organisations of an agent's subtree, by its current path. */
const subtree = (organisationId: number) => sql`
  select below.id from organisations below
   where below.path <@ (select path from organisations where id = ${organisationId})`

function readBy({ scope, accountId }: AuditReader) {
  switch (scope.kind) {
    case 'platform':
      return sql`true`
    case 'agent':
      return sql`t.organisation_id in (${subtree(scope.organisationId)})`
    case 'merchant':
      return sql`t.organisation_id = ${scope.merchantId}`
    case 'places':
      return sql`t.account_id = ${accountId}`
  }
}

/** What begins as the id of an order does, and is as long. */
const isOrderId = (text: string) => /^(KT|CZ)[0-9A-Z]{10,}$/i.test(text)

/**
 * Whether an entry is of something whose name contains a text. An order is named by its whole id, in letters of either
 * size: entries of orders are too many for an index of the parts of their names.
 */
const isOf = (text: string) =>
  isOrderId(text)
    ? sql`t.target in (${text}, ${text.toUpperCase()})`
    : sql`t.target <> '' and t.action not like 'order.%' and ${contains(sql`t.target`, text)}`

function filtered(filter: AuditFilter, timeZone: string) {
  const conditions = [sql`true`]
  const { startDate, endDate } = filter.period
  if (startDate) conditions.push(sql`t.at >= ${instantsOfDays(startDate, startDate, timeZone).from}`)
  if (endDate) conditions.push(sql`t.at < ${instantsOfDays(endDate, endDate, timeZone).before}`)
  if (filter.userName) conditions.push(sql`lower(t.user_name) = lower(${filter.userName})`)
  if (filter.action) conditions.push(sql`t.action = ${filter.action}`)
  if (filter.target) conditions.push(isOf(filter.target))
  if (filter.refused === true) conditions.push(sql`t.outcome <> ${sql.lit(successCode)}`)
  if (filter.refused === false) conditions.push(sql`t.outcome = ${sql.lit(successCode)}`)
  return sql.join(conditions, sql` and `)
}

const newestFirst = sql`order by t.at desc, t.id desc`

/** Skipping more than this in every organisation costs more than passing over other people's entries. */
const mostMerged = 1000

/**
 * Whether an entry is of an agent's subtree, looked up for each entry in a hash of the subtree: as a plain condition
 * the planner makes a join of it and takes the subtree for a single organisation, however large it is.
 */
const isOfSubtree = (organisationId: number) =>
  sql`coalesce(t.organisation_id in (${subtree(organisationId)}), false)`

/** A user or a target has few entries; whose they are is asked when they are found. */
const isFew = ({ userName, target }: AuditFilter) => Boolean(userName ?? target)

/**
 * The entries of a page of the trail. An agent's is merged from the newest entries of each organisation below it, each
 * found in its index; along the time alone, one would pass over everybody else's.
 */
function pageOf(
  reader: AuditReader,
  filter: AuditFilter,
  { skip, take, timeZone }: { skip: number; take: number; timeZone: string },
) {
  const { scope } = reader
  if (scope.kind !== 'agent' || skip > mostMerged || isFew(filter)) {
    const isReaders = scope.kind === 'agent' ? isOfSubtree(scope.organisationId) : readBy(reader)
    return sql`
      select t.id, t.at from audit_trail t where ${isReaders} and ${filtered(filter, timeZone)}
      ${newestFirst} offset ${skip} limit ${take}`
  }
  return sql`
    select t.id, t.at from (${subtree(scope.organisationId)}) s cross join lateral (
      select t.id, t.at from audit_trail t
       where t.organisation_id = s.id and ${filtered(filter, timeZone)} ${newestFirst} limit ${skip + take}) t
    ${newestFirst} offset ${skip} limit ${take}`
}

/** A page of the audit trail, newest first, and how many match, counted no further than `countedMost`. */
export async function findAudit(
  db: Database,
  reader: AuditReader,
  filter: AuditFilter,
  page: { skip: number; take: number; timeZone: string; countedMost: number },
): Promise<{ list: AuditEntry[]; total: number; more: boolean }> {
  const { scope } = reader
  const isReaders =
    scope.kind === 'agent' && isFew(filter) ? isOfSubtree(scope.organisationId) : readBy(reader)
  const count = await sql<{ total: number }>`
    select count(*) as total from (
      select 1 from audit_trail t where ${isReaders} and ${filtered(filter, page.timeZone)} limit ${page.countedMost + 1}) counted`.execute(
    db,
  )
  const counted = count.rows[0]?.total ?? 0
  const total = Math.min(counted, page.countedMost)
  const more = counted > page.countedMost
  // To pass over entries takes as long as to read them: what is older than all that are counted is found by its days.
  if (page.skip >= counted) return { list: [], total, more }
  const { rows } = await sql<AuditEntry>`
    select ${columnsFor(reader)} from (${pageOf(reader, filter, page)}) p join audit_trail t on t.id = p.id
      left join organisations o on o.id = t.organisation_id ${newestFirst}`.execute(db)
  return { list: rows, total, more }
}

/** Every entry that matches, newest first. */
export const streamAudit = (
  db: Database,
  reader: AuditReader,
  filter: AuditFilter,
  timeZone: string,
): AsyncGenerator<AuditEntry[]> =>
  streamRows(
    db,
    sql<AuditEntry>`
      select ${columnsFor(reader)} from audit_trail t left join organisations o on o.id = t.organisation_id
       where ${readBy(reader)} and ${filtered(filter, timeZone)} ${newestFirst}`,
  )
