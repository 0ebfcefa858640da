import type { RawBuilder } from 'kysely'
import type { DeviceRow } from '@chairside/contract'
import { instantsOfDays } from '../kit/calendar.ts'
import { sql, streamRows, type Database } from '../kit/database.ts'
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

/** For all merchants at once, however many devices are looked at; some 20 ms for two thousand merchants. */
const ofManyMerchants = sql`(d.merchant_id in (select merchants_with_pay_channel()))`
/** For the few devices of a page. */
const ofFewDevices = sql`has_pay_channel(d.merchant_id)`

/** Whether money can be taken for a device's merchant, in a filter over all devices of a scope. */
const takesMoneyWithin = (scope: Scope) =>
  scope.kind === 'merchant' || scope.kind === 'places'
    ? sql`(select has_pay_channel(${scope.merchantId}))`
    : ofManyMerchants

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

/** The matching devices, with nothing joined that no filter asks for. */
function matching(scope: Scope, filter: DeviceFilter) {
  const tables = [sql`devices d`]
  const conditions = [
    withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` }),
    sql`d.removed_at is null`,
  ]
  if (filter.unassigned) conditions.push(sql`d.merchant_id is null`)
  if (filter.deviceId !== undefined)
    conditions.push(sql`d.sid like ${`${filter.deviceId.replace(/[\\%_]/g, '\\$&')}%`}`)
  if (filter.modelId !== undefined) conditions.push(sql`d.model_id = ${filter.modelId}`)
  if (filter.status !== undefined) {
    tables.push(sql`join device_states s on s.device_id = d.id`)
    conditions.push(sql`s.status = ${filter.status}`)
  }
  if (filter.locked !== undefined) conditions.push(sql`d.locked = ${filter.locked}`)
  if (filter.placeId !== undefined) conditions.push(sql`d.place_id = ${filter.placeId}`)
  if (filter.templateId !== undefined)
    conditions.push(sql`(d.template_id = ${filter.templateId} or d.sleep_template_id = ${filter.templateId})`)
  if (filter.sleepMode !== undefined)
    conditions.push(sql`d.model_id in (select id from device_models where sleep_mode = ${filter.sleepMode})`)
  if (filter.associated === 0) conditions.push(sql`not d.bound`)
  if (filter.associated === 1) conditions.push(sql`d.bound and ${canSell(takesMoneyWithin(scope))}`)
  if (filter.associated === 2) conditions.push(sql`d.bound and not ${canSell(takesMoneyWithin(scope))}`)
  return sql`${sql.join(tables, sql` `)} where ${sql.join(conditions, sql` and `)}`
}

/** A page of devices by device id, and how many match. */
export async function findDevices(
  db: Database,
  scope: Scope,
  filter: DeviceFilter,
  page: { skip: number; take: number },
  openWifi: OpenWifi,
): Promise<{ list: DeviceRow[]; total: number }> {
  const matches = matching(scope, filter)
  const count = await sql<{ total: number }>`select count(*) as total from ${matches}`.execute(db)
  const { rows } = await sql<DeviceRecord>`
    select ${columnsWith(ofFewDevices)}
      from (select d.* from ${matches} order by d.sid offset ${page.skip} limit ${page.take}) d
      join device_states s on s.device_id = d.id ${details}
     order by d.sid`.execute(db)
  return { list: rows.map((record) => rowOf(record, openWifi)), total: count.rows[0]?.total ?? 0 }
}

/** All matching devices by device id, one after another. */
export async function* streamDevices(
  db: Database,
  scope: Scope,
  filter: DeviceFilter,
  openWifi: OpenWifi,
): AsyncGenerator<DeviceRow> {
  const query = sql<DeviceRecord>`
    select ${columnsWith(ofManyMerchants)} from (select d.* from ${matching(scope, filter)}) d join device_states s on s.device_id = d.id ${details}
     order by d.sid`
  for await (const record of streamRows(db, query)) yield rowOf(record, openWifi)
}

/** Ids of all matching devices, in the order of their text. */
export async function findDeviceIds(db: Database, scope: Scope, filter: DeviceFilter): Promise<string[]> {
  const { rows } = await sql<{ sid: string }>`
    select d.sid from ${matching(scope, filter)} order by d.sid using ~<~`.execute(db)
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

function statusMatching(scope: Scope, filter: StatusFilter, timeZone: string) {
  const placeOfDevice = sql`(select place_id from devices d where d.id = h.device_id)`
  const conditions = [withinScope(scope, { merchantId: sql`h.merchant_id`, placeId: placeOfDevice })]
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
