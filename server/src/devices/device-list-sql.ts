import type { RawBuilder } from 'kysely'
import { pageSizes, type DeviceRow } from '@chairside/contract'
import { instantsOfDays } from '../kit/calendar.ts'
import { plannedOnce, sql, streamRows, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { cannotSellColumn } from './device-for-sale.ts'

export interface DeviceFilter {
  deviceId: string | undefined
  modelId: number | undefined
  status: number | undefined
  locked: number | undefined
  associated: 0 | 1 | 2 | undefined
  sleepMode: boolean | undefined
  placeId: number | undefined
  templateId: number | undefined
  /** Only devices that belong to nobody. */
  unassigned: boolean
}

type DeviceRecord = Omit<
  DeviceRow,
  'associatedTime' | 'createTime' | 'lastSeenTime' | 'qrcodeurl' | 'singalimg' | 'typeName' | 'wifiPass'
> & {
  associatedTime: Date | null
  createTime: Date
  lastSeenTime: Date | null
  wifiSealed: Buffer | null
}

/** Whether money can be taken for a device's merchant; looked up once, however many devices there are. */
const takesMoneyWithin = (scope: Scope) =>
  scope.kind === 'merchant' || scope.kind === 'places'
    ? sql`(select has_pay_channel(${scope.merchantId}))`
    : sql`(d.merchant_id not in (select merchants_without_pay_channel()))`

const canSell = (takesMoney: RawBuilder<unknown>) =>
  sql`(d.place_id is not null and d.template_id is not null and ${takesMoney})`

const columnsWith = (takesMoney: RawBuilder<unknown>) => sql`
  d.id, d.sid as "deviceId", mo.model, mo.id as "modelId", coalesce(nullif(mo.name, ''), mo.model) as "modelName", d.name, d.type_id as "typeId",
  d.firmware as "fmVersion", mo.sleep_mode as "sleepMode", a.id as "agentId", a.name as "agentName", ao.user_name as "agentUserId",
  m.id as "merchantId", m.name as "merchantName", mow.user_name as "merchantUserId", d.template_id as "templateId",
  t.name as "templateName", st.name as "sleepTemplateName", d.place_id as "placeId", p.address as "placeAddress", s.status,
  s.signal as signals, case when not d.bound then 0 when ${canSell(takesMoney)} then 1 else 2 end as associated,
  d.bound_at as "associatedTime", case when d.bound then ${cannotSellColumn(takesMoney)} else '{}' end as "cannotSell",
  d.created_at as "createTime", d.locked, coalesce(m.status = 2, false) as blocked, d.wifi_ssid as "wifiSsid", d.wifi_password as "wifiSealed", d.tag,
  s.last_seen_at as "lastSeenTime", s.running_command_id <> '' and coalesce(s.running_until > now(), false) as running`

const details = sql`
  join device_models mo on mo.id = d.model_id
  left join organisations m on m.id = d.merchant_id
  left join accounts mow on mow.organisation_id = m.id and mow.is_owner
  left join organisations a on a.id = m.parent_id and a.kind = 'agent'
  left join accounts ao on ao.organisation_id = a.id and ao.is_owner
  left join goods_templates t on t.id = d.template_id
  left join goods_templates st on st.id = d.sleep_template_id
  left join places p on p.id = d.place_id`

/** Opens a sealed WiFi password; absent for who may not see it. */
type OpenWifi = ((sealed: Buffer) => string) | undefined

function rowOf({ wifiSealed, ...record }: DeviceRecord, openWifi: OpenWifi): DeviceRow {
  return {
    ...record,
    typeName: record.typeId === '1' ? 'massage' : '',
    associatedTime: record.associatedTime?.toISOString() ?? null,
    createTime: record.createTime.toISOString(),
    lastSeenTime: record.lastSeenTime?.toISOString() ?? null,
    qrcodeurl: `/d/${record.deviceId}`,
    singalimg: '',
    wifiPass: wifiSealed && openWifi ? openWifi(wifiSealed) : '',
  }
}

/**
 * A value that the planner does not look at. It would think a plan for the very first page cheaper than one for any page,
 * and plan each time anew, which takes longer than to find the page.
 */
const unseen = (value: number | string, type: 'bigint' | 'smallint' | 'text') =>
  sql`(select ${value}::${sql.raw(type)})`

/** Above every device id that begins with a text: ids have capitals and digits only, and `[` is above these. */
const aboveAll = (beginning: string) => `${beginning}[`

/** The filters that are set, for `devices d`; all that they look at stands in the indexes of the list. */
function filterConditions(scope: Scope, filter: DeviceFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (filter.unassigned) conditions.push(sql`d.merchant_id is null`)
  // Whatever collation the database has, by the index of bytes; a pattern would be planned without one.
  if (filter.deviceId !== undefined)
    conditions.push(
      sql`d.sid ~>=~ ${unseen(filter.deviceId, 'text')} and d.sid ~<~ ${unseen(aboveAll(filter.deviceId), 'text')}`,
    )
  if (filter.modelId !== undefined) conditions.push(sql`d.model_id = ${unseen(filter.modelId, 'bigint')}`)
  if (filter.status !== undefined) conditions.push(sql`d.shown_status = ${unseen(filter.status, 'smallint')}`)
  if (filter.locked !== undefined) conditions.push(sql`d.locked = ${unseen(filter.locked, 'smallint')}`)
  if (filter.placeId !== undefined) conditions.push(sql`d.place_id = ${unseen(filter.placeId, 'bigint')}`)
  if (filter.templateId !== undefined) {
    const template = unseen(filter.templateId, 'bigint')
    conditions.push(sql`(d.template_id = ${template} or d.sleep_template_id = ${template})`)
  }
  if (filter.sleepMode !== undefined)
    conditions.push(sql`d.model_id in (select id from device_models where sleep_mode = ${filter.sleepMode})`)
  if (filter.associated === 0) conditions.push(sql`not d.bound`)
  if (filter.associated === 1) conditions.push(sql`d.bound and ${canSell(takesMoneyWithin(scope))}`)
  if (filter.associated === 2) conditions.push(sql`d.bound and not ${canSell(takesMoneyWithin(scope))}`)
  return conditions
}

function matching(scope: Scope, conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const within = withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })
  return sql`devices d where ${sql.join([within, sql`d.removed_at is null`, ...conditions], sql` and `)}`
}

/** More filters together are planned for themselves: a connection keeps the plans of the usual questions, not of all. */
const mostPlannedOnce = 3

interface Page {
  skip: number
  take: number
}

/** How a page's statement begins, and its size as it stands in it. */
function planning({ take }: Page, conditions: readonly unknown[]) {
  // Planned once, the usual sizes of a page are known to the plan; it would take any other for a tenth of all rows.
  const isUsual = (pageSizes as readonly number[]).includes(take) && conditions.length <= mostPlannedOnce
  return isUsual ? { begin: plannedOnce, take: sql.raw(String(take)) } : { begin: sql``, take: sql`${take}` }
}

interface Found {
  list: DeviceRecord[]
  total: number
}

/** A page of devices by device id, and how many match. */
export async function findDevices(
  db: Database,
  scope: Scope,
  filter: DeviceFilter,
  page: Page,
  openWifi: OpenWifi,
): Promise<{ list: DeviceRow[]; total: number }> {
  const { list, total } = await (scope.kind === 'platform' && !findsFew(filter)
    ? findAmongAll(db, scope, filter, page)
    : findAmongFew(db, scope, filter, page))
  return { list: list.map((record) => rowOf(record, openWifi)), total }
}

/** Whether a filter leaves few devices, however many there are. */
const findsFew = ({ deviceId, placeId, templateId }: DeviceFilter) =>
  (deviceId ?? placeId ?? templateId) !== undefined

/** What matches is looked through once, for the page and for the total. */
async function findAmongFew(db: Database, scope: Scope, filter: DeviceFilter, page: Page): Promise<Found> {
  const conditions = filterConditions(scope, filter)
  const { begin, take } = planning(page, conditions)
  const { rows } = await sql<{ total: number } & (DeviceRecord | { id: null })>`${begin}
    with found as materialized (select d.id, d.sid from ${matching(scope, conditions)})
    select counted.total, page.*
      from (select count(*) as total from found) counted
      left join lateral (
        select ${columnsWith(takesMoneyWithin(scope))}
          from (select id as found_id from found order by sid offset ${unseen(page.skip, 'bigint')} limit ${take}) f
          join devices d on d.id = f.found_id
          join device_states s on s.device_id = d.id ${details}) page on true
     order by page."deviceId"`.execute(db)
  const list = rows.flatMap(({ total: _total, ...row }) => (row.id === null ? [] : [row]))
  return { list, total: rows[0]?.total ?? 0 }
}

/**
 * Of all devices there are: the total is kept for most filters, and a page in the second half is reached from the end.
 */
async function findAmongAll(db: Database, scope: Scope, filter: DeviceFilter, page: Page): Promise<Found> {
  const total = await countAmongAll(db, scope, filter)
  const { skip } = page
  const length = Math.min(page.take, total - skip)
  if (length <= 0) return { list: [], total }
  const fromEnd = total - skip - length
  const isNearEnd = fromEnd < skip
  const conditions = filterConditions(scope, filter)
  const { begin, take } = planning(page, conditions)
  const order = isNearEnd ? sql`desc` : sql``
  const { rows } = await sql<DeviceRecord>`${begin}
    select ${columnsWith(takesMoneyWithin(scope))}
      from (select d.id as found_id from ${matching(scope, conditions)}
             order by d.sid ${order} offset ${unseen(isNearEnd ? fromEnd : skip, 'bigint')} limit ${take}) f
      join devices d on d.id = f.found_id
      join device_states s on s.device_id = d.id ${details}
     order by d.sid`.execute(db)
  // Seen from its end, a last page that is not full brings rows of the page before it along.
  return { list: rows.slice(-length), total }
}

/** How many devices of all match, from what is kept. */
async function countAmongAll(db: Database, scope: Scope, filter: DeviceFilter): Promise<number> {
  const { associated, ...rest } = filter
  const kept = (equipped?: number) => countKept(db, rest, equipped)
  if (associated === undefined || associated === 0) return kept(associated)
  // Those that lack nothing but a way to be paid are counted as able to sell; there are few.
  const unpaid = await countMatching(db, scope, { ...rest, associated: undefined }, [
    sql`d.bound and d.place_id is not null and d.template_id is not null and d.merchant_id in (select merchants_without_pay_channel())`,
  ])
  return associated === 1 ? (await kept(1)) - unpaid : (await kept(2)) + unpaid
}

async function countMatching(
  db: Database,
  scope: Scope,
  filter: DeviceFilter,
  more: readonly RawBuilder<unknown>[] = [],
): Promise<number> {
  const matches = matching(scope, [...filterConditions(scope, filter), ...more])
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${matches}`.execute(db)
  return rows[0]?.total ?? 0
}

async function countKept(
  db: Database,
  filter: Omit<DeviceFilter, 'associated'>,
  equipped: number | undefined,
): Promise<number> {
  const conditions = [sql`true`]
  if (filter.unassigned) conditions.push(sql`not owned`)
  if (filter.modelId !== undefined) conditions.push(sql`model_id = ${filter.modelId}`)
  if (filter.status !== undefined) conditions.push(sql`status = ${filter.status}`)
  if (filter.locked !== undefined) conditions.push(sql`locked = ${filter.locked}`)
  if (filter.sleepMode !== undefined)
    conditions.push(sql`model_id in (select id from device_models where sleep_mode = ${filter.sleepMode})`)
  if (equipped !== undefined) conditions.push(sql`equipped = ${equipped}`)
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(devices), 0) as total from device_facets where ${sql.join(conditions, sql` and `)}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** All matching devices by device id, one after another. */
export async function* streamDevices(
  db: Database,
  scope: Scope,
  filter: DeviceFilter,
  openWifi: OpenWifi,
): AsyncGenerator<DeviceRow> {
  const query = sql<DeviceRecord>`
    select ${columnsWith(takesMoneyWithin(scope))} from (select d.* from ${matching(scope, filterConditions(scope, filter))}) d join device_states s on s.device_id = d.id ${details}
     order by d.sid`
  for await (const record of streamRows(db, query)) yield rowOf(record, openWifi)
}

/** Ids of all matching devices, in the order of their text. */
export async function findDeviceIds(db: Database, scope: Scope, filter: DeviceFilter): Promise<string[]> {
  const { rows } = await sql<{ sid: string }>`
    select d.sid from ${matching(scope, filterConditions(scope, filter))} order by d.sid using ~<~`.execute(
    db,
  )
  return rows.map(({ sid }) => sid)
}

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

/** A page of the online history, newest first, and how many rows match. */
export async function findDeviceStatus(
  db: Database,
  scope: Scope,
  filter: StatusFilter,
  page: { skip: number; take: number; timeZone: string },
): Promise<{ list: StatusRecord[]; total: number }> {
  const where = statusMatching(scope, filter, page.timeZone)
  const count = await sql<{
    total: number
  }>`select count(*) as total from device_status_history h where ${where}`.execute(db)
  const { rows } = await sql<StatusRecord>`
    select ${statusColumns} from device_status_history h where ${where} order by h.reported_at desc, h.device_id offset ${page.skip} limit ${page.take}`.execute(
    db,
  )
  return { list: rows, total: count.rows[0]?.total ?? 0 }
}

/** The whole online history, newest first. */
export function streamDeviceStatus(
  db: Database,
  scope: Scope,
  filter: StatusFilter,
  timeZone: string,
): AsyncGenerator<StatusRecord> {
  return streamRows(
    db,
    sql<StatusRecord>`select ${statusColumns} from device_status_history h where ${statusMatching(scope, filter, timeZone)} order by h.reported_at desc, h.device_id`,
  )
}
