import { instantsOfDays } from '../kit/calendar.ts'
import { plannedOnce, sql, streamRows, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

export interface StatusFilter {
  deviceId: string | undefined
  startDate: string | undefined
  endDate: string | undefined
}
export interface StatusRecord {
  deviceSid: string
  status: number
  duration: number
  reportTime: Date
  hostName: string
}

/**
 * Rows of a scope. A scope of places is that of the devices which stand there, looked up once: asked row by row for the
 * place of its device, a year of a large merchant takes seconds.
 */
function historyWithin(scope: Scope) {
  if (scope.kind !== 'places') return withinScope(scope, { merchantId: sql`h.merchant_id` })
  const { merchantId, placeIds } = scope
  return sql`(h.merchant_id = ${merchantId} and h.device_id = any(array(
    select id from devices where merchant_id = ${merchantId} and place_id = any(${[...placeIds]}::bigint[]))))`
}

function statusMatching(scope: Scope, filter: StatusFilter, timeZone: string) {
  const conditions = [historyWithin(scope)]
  if (filter.deviceId !== undefined)
    conditions.push(sql`h.device_id = (select id from devices where sid = ${filter.deviceId})`)
  if (filter.startDate)
    conditions.push(
      sql`h.reported_at >= ${instantsOfDays(filter.startDate, filter.startDate, timeZone).from}`,
    )
  if (filter.endDate)
    conditions.push(sql`h.reported_at < ${instantsOfDays(filter.endDate, filter.endDate, timeZone).before}`)
  return sql.join(conditions, sql` and `)
}

const statusColumns = sql`
  h.sid as "deviceSid", h.status, greatest(0, floor(extract(epoch from coalesce(h.ended_at, now()) - h.reported_at)))::bigint as duration,
  h.reported_at as "reportTime", h.host_name as "hostName"`

/** A row of a page with the total; one without a device when the page is past the end. */
type FoundRow = { total: number } & (StatusRecord | { deviceSid: null })

interface Page {
  skip: number
  take: number
  timeZone: string
}

/** A merchant's history is found by its days (decisions 0171); that of one device or of places is looked through. */
function statementFor(scope: Scope, filter: StatusFilter, { skip, take, timeZone }: Page) {
  if (scope.kind === 'merchant' && filter.deviceId === undefined)
    return sql<FoundRow>`${plannedOnce}
      select p.total, ${statusColumns}
        from page_of_device_status(${scope.merchantId}::bigint, ${filter.startDate ?? null}::date, ${filter.endDate ?? null}::date,
          ${skip}::bigint, ${take}::bigint) p cross join lateral (select (p.found).*) h
       order by h.reported_at desc, h.device_id`
  const where = statusMatching(scope, filter, timeZone)
  return sql<FoundRow>`
    select counted.total, ${statusColumns}
      from (select count(*) as total from device_status_history h where ${where}) counted
      left join lateral (
        select h.* from device_status_history h where ${where}
         order by h.reported_at desc, h.device_id offset ${skip} limit ${take}) h on true
     order by h.reported_at desc, h.device_id`
}

/** A page of the online history, newest first, and how many rows match. */
export async function findDeviceStatus(
  db: Database,
  scope: Scope,
  filter: StatusFilter,
  page: Page,
): Promise<{ list: StatusRecord[]; total: number }> {
  const { rows } = await statementFor(scope, filter, page).execute(db)
  const list = rows
    .filter((row) => row.deviceSid !== null)
    .map(({ total: _total, ...record }): StatusRecord => record)
  return { list, total: rows[0]?.total ?? 0 }
}

/** The whole online history, newest first. */
export function streamDeviceStatus(
  db: Database,
  scope: Scope,
  filter: StatusFilter,
  timeZone: string,
): AsyncGenerator<StatusRecord[]> {
  return streamRows(
    db,
    sql<StatusRecord>`select ${statusColumns} from device_status_history h where ${statusMatching(scope, filter, timeZone)} order by h.reported_at desc, h.device_id`,
  )
}
