import { pageSizes, type DeviceRow } from '@chairside/contract'
import { plannedOnce, sql, streamRows, type Database, type RawBuilder } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { devicesByIds, isCounted, searchByCounters, type Search } from './counted-devices-sql.ts'
import { filterConditions, findsFew, unseen, type DeviceFilter } from './device-filter-sql.ts'
import { deviceRowOf, selectRecords, type DeviceRecord, type RowReader } from './device-row-sql.ts'

function matching(scope: Scope, filter: DeviceFilter): RawBuilder<unknown> {
  const within = withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })
  const conditions = [sql`d.removed_at is null`, ...filterConditions(scope, filter)]
  // What a filter leaves few of is found by it and not by looking through all merchants of an agent; `offset 0` says so.
  return scope.kind === 'agent' && findsFew(filter)
    ? sql`(select d.* from devices d where ${sql.join(conditions, sql` and `)} offset 0) d where ${within}`
    : sql`devices d where ${sql.join([within, ...conditions], sql` and `)}`
}

/** More filters together are planned for themselves: a connection keeps the plans of the usual questions, not of all. */
const mostPlannedOnce = 3

interface Page {
  skip: number
  take: number
}

const filtersOf = (filter: Partial<DeviceFilter>) =>
  Object.values(filter).filter((value) => value !== undefined && value !== false)

const narrows = (filter: Partial<DeviceFilter>) => filtersOf(filter).length > 0

/** How a page's statement begins, and its size as it is written in it. */
function planning({ take }: Page, filter: DeviceFilter) {
  // Planned once, the usual sizes of a page are known to the plan; it would take any other for a tenth of all rows.
  const isUsual =
    (pageSizes as readonly number[]).includes(take) && filtersOf(filter).length <= mostPlannedOnce
  return isUsual ? { begin: plannedOnce, take: sql.raw(String(take)) } : { begin: sql``, take: sql`${take}` }
}

/** How many devices of a merchant sell from a template, from the indexes of templates alone. */
const sellersOf = (templateId: number, merchantId: number) => {
  const template = unseen(templateId, 'bigint')
  const ofMerchant = sql`d.merchant_id = ${merchantId} and d.removed_at is null`
  return sql`
    select (select count(*) from devices d where d.template_id = ${template} and ${ofMerchant}) +
           (select count(*) from devices d where d.sleep_template_id = ${template}
             and d.template_id is distinct from ${template} and ${ofMerchant}) as total`
}

/** A page and its total by looking through what matches: once for each where it stands in order, else once for both. */
function searchByLooking(
  scope: Scope,
  filter: DeviceFilter,
  { skip, take }: { skip: number; take: RawBuilder<unknown> },
): Search {
  const matches = matching(scope, filter)
  const part = sql`offset ${unseen(skip, 'bigint')} limit ${take}`
  if (scope.kind !== 'merchant')
    return {
      with: sql`with found as materialized (select d.id, d.sid from ${matches})`,
      total: sql`select count(*) as total from found`,
      devices: devicesByIds(sql`select id as found_id from found order by sid ${part}`),
    }
  const { templateId, ...others } = filter
  return {
    with: sql``,
    total:
      templateId !== undefined && !narrows(others)
        ? sellersOf(templateId, scope.merchantId)
        : sql`select count(*) as total from ${matches}`,
    devices: devicesByIds(sql`select d.id as found_id from ${matches} order by d.sid ${part}`),
  }
}

/** A page of devices by device id, and how many match. */
export async function findDevices(
  db: Database,
  scope: Scope,
  filter: DeviceFilter,
  page: Page,
  reader: RowReader,
): Promise<{ list: DeviceRow[]; total: number }> {
  const { begin, take } = planning(page, filter)
  const search = (isCounted(scope, filter) ? searchByCounters : searchByLooking)(scope, filter, {
    skip: page.skip,
    take,
  })
  // The total is in each row; past the end of the list, in one without a device.
  const { rows } = await sql<{ total: number } & (DeviceRecord | { id: null })>`${begin} ${search.with}
    select counted.total, page.*
      from (${search.total}) counted
      left join lateral (
        ${selectRecords(search.devices, scope, reader)}) page on true
     order by page."deviceId"`.execute(db)
  return {
    list: rows.flatMap((row) => (row.id === null ? [] : [deviceRowOf(row, reader)])),
    total: rows[0]?.total ?? 0,
  }
}

/** All matching devices by device id, some at a time. */
export async function* streamDevices(
  db: Database,
  scope: Scope,
  filter: DeviceFilter,
  reader: RowReader,
): AsyncGenerator<DeviceRow[]> {
  const query = sql<DeviceRecord>`
    ${selectRecords(sql`(select d.* from ${matching(scope, filter)}) d`, scope, reader)} order by d.sid`
  for await (const records of streamRows(db, query))
    yield records.map((record) => deviceRowOf(record, reader))
}

/** Ids of all matching devices, in the order of their text. */
export async function findDeviceIds(db: Database, scope: Scope, filter: DeviceFilter): Promise<string[]> {
  const { rows } = await sql<{ sid: string }>`
    select d.sid from ${matching(scope, filter)} order by d.sid`.execute(db)
  return rows.map(({ sid }) => sid)
}
