import type { RawBuilder } from 'kysely'
import { pageSizes, type DeviceRow } from '@chairside/contract'
import { plannedOnce, sql, streamRows, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

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
  | 'associated'
  | 'associatedTime'
  | 'cannotSell'
  | 'createTime'
  | 'lastSeenTime'
  | 'qrcodeurl'
  | 'singalimg'
  | 'typeName'
  | 'wifiPass'
> & {
  bound: boolean
  /** Whether money can be taken for its merchant; null where it has none. */
  takesMoney: boolean | null
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
  s.signal as signals, d.bound, ${takesMoney} as "takesMoney", d.bound_at as "associatedTime", d.created_at as "createTime", d.locked, coalesce(m.status = 2, false) as blocked, d.wifi_ssid as "wifiSsid", d.wifi_password as "wifiSealed", d.tag,
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

/** What a bound device lacks to sell (decisions §3); worked out here, since making lists takes the database longer. */
function lacksOf({ bound, placeId, templateId, merchantId, takesMoney }: DeviceRecord) {
  const lacks: DeviceRow['cannotSell'] = []
  if (!bound) return lacks
  if (placeId === null) lacks.push('noPlace')
  if (templateId === null) lacks.push('noTemplate')
  if (merchantId !== null && !takesMoney) lacks.push('noPayChannel')
  return lacks
}

function rowOf(found: DeviceRecord & { total?: number }, openWifi: OpenWifi): DeviceRow {
  const { wifiSealed, bound, takesMoney: _takesMoney, total: _total, ...record } = found
  const cannotSell = lacksOf(found)
  return {
    ...record,
    associated: bound ? (cannotSell.length === 0 ? 1 : 2) : 0,
    cannotSell,
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
  list: (DeviceRecord & { total: number })[]
  total: number
}

/** A row of a page with the total; one without a device when the page is past the end. */
type FoundRow = { total: number } & (DeviceRecord | { id: null })

const foundIn = (rows: readonly FoundRow[]): Found => ({
  list: rows.filter((row) => row.id !== null),
  total: rows[0]?.total ?? 0,
})

/** A page of devices by device id, and how many match. */
export async function findDevices(
  db: Database,
  scope: Scope,
  filter: DeviceFilter,
  page: Page,
  openWifi: OpenWifi,
): Promise<{ list: DeviceRow[]; total: number }> {
  const counted = countedAs(scope, filter)
  const { list, total } = await (counted
    ? findByCounters(db, scope, counted, filter, page)
    : findByLooking(db, scope, filter, page))
  return { list: list.map((record) => rowOf(record, openWifi)), total }
}

/** Whether a filter leaves few devices, however many there are. */
const findsFew = ({ deviceId, placeId, templateId }: DeviceFilter) =>
  (deviceId ?? placeId ?? templateId) !== undefined

/** What stands in `device_counters` and is looked for by them; one merchant's devices are looked through sooner. */
function countedAs(scope: Scope, filter: DeviceFilter) {
  if (findsFew(filter)) return undefined
  if (scope.kind === 'platform') return { kind: filter.unassigned ? 'nobody' : 'platform', organisationId: 1 }
  return scope.kind === 'agent' && !filter.unassigned ? scope : undefined
}

/** A page and its total by counters (decisions 0170); one text for all filters, so that it is planned once. */
async function findByCounters(
  db: Database,
  scope: Scope,
  counted: { kind: string; organisationId: number },
  filter: DeviceFilter,
  page: Page,
): Promise<Found> {
  const { modelId = null, sleepMode = null, status = null, locked = null, associated = null } = filter
  const { rows } = await sql<FoundRow>`${plannedOnce}
    select counted.total, page.*
      from page_of_devices(${counted.kind}, ${counted.organisationId}::bigint, ${modelId}::bigint, ${sleepMode}::boolean,
        ${status}::smallint, ${locked}::smallint, ${associated}::smallint, ${page.skip}::bigint, ${page.take}::bigint) counted
      left join lateral (
        select ${columnsWith(takesMoneyWithin(scope))}
          from devices d join device_states s on s.device_id = d.id ${details}
         where d.id = any(counted.ids)) page on true
     order by page."deviceId"`.execute(db)
  return foundIn(rows)
}

/** A page and its total by looking through what matches: once for each where it stands in order, else once for both. */
async function findByLooking(db: Database, scope: Scope, filter: DeviceFilter, page: Page): Promise<Found> {
  const conditions = filterConditions(scope, filter)
  const matches = matching(scope, conditions)
  const { begin, take } = planning(page, conditions)
  const isInOrder = scope.kind === 'merchant'
  const from = isInOrder
    ? {
        with: sql``,
        total: sql`select count(*) as total from ${matches}`,
        page: sql`select d.id as found_id from ${matches} order by d.sid`,
      }
    : {
        with: sql`with found as materialized (select d.id, d.sid from ${matches})`,
        total: sql`select count(*) as total from found`,
        page: sql`select id as found_id from found order by sid`,
      }
  const { rows } = await sql<FoundRow>`${begin} ${from.with}
    select counted.total, page.*
      from (${from.total}) counted
      left join lateral (
        select ${columnsWith(takesMoneyWithin(scope))}
          from (${from.page} offset ${unseen(page.skip, 'bigint')} limit ${take}) f
          join devices d on d.id = f.found_id
          join device_states s on s.device_id = d.id ${details}) page on true
     order by page."deviceId"`.execute(db)
  return foundIn(rows)
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
