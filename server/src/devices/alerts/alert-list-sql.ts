import type { AlertDevice, AlertKind, AlertRow, MutedDevice } from '@chairside/contract'
import { instantsOfDays } from '../../kit/calendar.ts'
import { sql, streamRows, type Database } from '../../kit/database.ts'
import { withinScope, type Scope } from '../../kit/scope.ts'
import { isOwn } from '../device-log-sql.ts'

export interface AlertFilter {
  state: 'open' | 'cleared' | 'all'
  kind: AlertKind | undefined
  deviceId: string | undefined
  placeId: number | undefined
  startDate: string | undefined
  endDate: string | undefined
}

/** Who reads; an organisation as a whole has seen an alert or not. */
export interface AlertReader {
  scope: Scope
  organisationId: number
  timeZone: string
}

type AlertRecord = Omit<AlertRow, 'beganTime' | 'clearedTime' | 'raisedTime' | 'seenTime'> & {
  beganTime: Date
  clearedTime: Date | null
  raisedTime: Date
  seenTime: Date | null
}

const within = (scope: Scope) =>
  withinScope(scope, { merchantId: sql`a.merchant_id`, placeId: sql`a.place_id` })

function matching({ scope, timeZone }: AlertReader, filter: AlertFilter) {
  const conditions = [within(scope)]
  if (filter.state === 'open') conditions.push(sql`a.cleared_at is null`)
  if (filter.state === 'cleared') conditions.push(sql`a.cleared_at is not null`)
  if (filter.kind !== undefined) conditions.push(sql`a.kind = ${filter.kind}`)
  if (filter.placeId !== undefined) conditions.push(sql`a.place_id = ${filter.placeId}`)
  if (filter.deviceId !== undefined)
    conditions.push(sql`a.id in (select m.alert_id from device_alert_devices m join devices d on d.id = m.device_id
                                  where d.sid = ${filter.deviceId})`)
  if (filter.startDate !== undefined)
    conditions.push(sql`a.raised_at >= ${instantsOfDays(filter.startDate, filter.startDate, timeZone).from}`)
  if (filter.endDate !== undefined)
    conditions.push(sql`a.raised_at < ${instantsOfDays(filter.endDate, filter.endDate, timeZone).before}`)
  return sql.join(conditions, sql` and `)
}

/** The name of a device `d` of an alert `a`: what the next holder calls it is not for the one before. */
const nameForHolder = sql`case when d.merchant_id = a.merchant_id and d.removed_at is null then d.name else '' end`

/** Rows of some alerts; `a` is the table or a page of it. */
const columns = sql`
  a.id, a.kind, case when a.cleared_at is null then 'open' else 'cleared' end as state, a.merchant_id as "merchantId",
  mo.name as "merchantName", a.place_id as "placeId", coalesce(p.address, '') as "placeAddress",
  coalesce(one.sid, '') as "deviceId", coalesce(one.name, '') as "deviceName", a.devices, a.most_devices as "mostDevices",
  a.place_devices as "placeDevices", a.code, a.times, a.began_at as "beganTime", a.raised_at as "raisedTime",
  a.cleared_at as "clearedTime", v.seen_at as "seenTime", coalesce(v.seen_by, '') as "seenBy"`

const details = (organisationId: number) => sql`
  join organisations mo on mo.id = a.merchant_id
  left join places p on p.id = a.place_id
  left join device_alert_views v on v.alert_id = a.id and v.organisation_id = ${organisationId}
  left join lateral (
    select max(d.sid) as sid, max(${nameForHolder}) as name from device_alert_devices m join devices d on d.id = m.device_id
     where m.alert_id = a.id having count(*) = 1) one on true`

const rowOf = ({ beganTime, clearedTime, raisedTime, seenTime, ...record }: AlertRecord): AlertRow => ({
  ...record,
  beganTime: beganTime.toISOString(),
  raisedTime: raisedTime.toISOString(),
  clearedTime: clearedTime?.toISOString() ?? null,
  seenTime: seenTime?.toISOString() ?? null,
})

/** A page of alerts, newest first, and how many match. */
export async function findAlerts(
  db: Database,
  reader: AlertReader,
  filter: AlertFilter,
  page: { skip: number; take: number },
): Promise<{ list: AlertRow[]; total: number }> {
  const where = matching(reader, filter)
  const count = await sql<{
    total: number
  }>`select count(*) as total from device_alerts a where ${where}`.execute(db)
  const { rows } = await sql<AlertRecord>`
    select ${columns}
      from (select * from device_alerts a where ${where} order by a.raised_at desc, a.id desc offset ${page.skip} limit ${page.take}) a
      ${details(reader.organisationId)} order by a.raised_at desc, a.id desc`.execute(db)
  return { list: rows.map(rowOf), total: count.rows[0]?.total ?? 0 }
}

/** All alerts that match, newest first. */
export async function* streamAlerts(
  db: Database,
  reader: AlertReader,
  filter: AlertFilter,
): AsyncGenerator<AlertRow[]> {
  const fetches = streamRows(
    db,
    sql<AlertRecord>`
      select ${columns} from device_alerts a ${details(reader.organisationId)}
       where ${matching(reader, filter)} order by a.raised_at desc, a.id desc`,
  )
  for await (const records of fetches) yield records.map(rowOf)
}

/** How many alerts are open, and how many of them an organisation has not seen. */
export async function countOpenAlerts(
  db: Database,
  { scope, organisationId }: Omit<AlertReader, 'timeZone'>,
): Promise<{ open: number; unseen: number }> {
  const { rows } = await sql<{ open: number; unseen: number }>`
    select count(*) as open, count(*) filter (where v.alert_id is null) as unseen
      from device_alerts a left join device_alert_views v on v.alert_id = a.id and v.organisation_id = ${organisationId}
     where a.cleared_at is null and ${within(scope)}`.execute(db)
  return rows[0] ?? { open: 0, unseen: 0 }
}

/** Devices of an alert that are shown at most; a place has fewer. */
const mostDevicesShown = 500

/**
 * The devices of an alert, those it holds for first.
 * @returns undefined when it is none of the scope's
 */
export async function findAlertDevices(
  db: Database,
  scope: Scope,
  alertId: number,
): Promise<AlertDevice[] | undefined> {
  const alert = await sql`select 1 from device_alerts a where a.id = ${alertId} and ${within(scope)}`.execute(
    db,
  )
  if (alert.rows.length === 0) return undefined
  const { rows } = await sql<
    Omit<AlertDevice, 'beganTime' | 'lastSaleTime' | 'overTime'> & {
      beganTime: Date
      overTime: Date | null
      lastSaleTime: Date | null
    }
  >`
    select d.id, d.sid as "deviceId", ${nameForHolder} as name, m.since as "beganTime", m.left_at as "overTime", m.times,
           l.last_at as "lastSaleTime", r.usual_hours as "usualHours"
      from device_alert_devices m join devices d on d.id = m.device_id
      join device_alerts a on a.id = m.alert_id
      -- Where it stands now, and in whose hands, its sales are told to who has it there.
      left join device_rhythms r on r.device_id = m.device_id and r.place_id = a.place_id and a.kind = 'quiet'
      left join device_last_sales l on l.device_id = m.device_id and a.kind = 'quiet' and d.removed_at is null
       and d.merchant_id = a.merchant_id and d.place_id is not distinct from a.place_id
       and l.last_at >= coalesce(d.held_since, '-infinity')
     where m.alert_id = ${alertId} order by m.left_at is not null, d.sid limit ${mostDevicesShown}`.execute(
    db,
  )
  return rows.map((row) => ({
    ...row,
    beganTime: row.beganTime.toISOString(),
    overTime: row.overTime?.toISOString() ?? null,
    lastSaleTime: row.lastSaleTime?.toISOString() ?? null,
  }))
}

/**
 * Notes that an organisation has seen alerts; what it had seen before stays as it was.
 * @returns how many are within the scope, and how many of them it had not seen
 */
export async function storeViews(
  db: Database,
  scope: Scope,
  viewer: { organisationId: number; userName: string },
  alertIds: readonly number[],
): Promise<{ found: number; seen: number }> {
  const { rows } = await sql<{ found: number; seen: number }>`
    with wanted as (select a.id from device_alerts a where a.id = any(${[...alertIds]}::bigint[]) and ${within(scope)}),
    noted as (
      insert into device_alert_views (alert_id, organisation_id, seen_by)
      select w.id, ${viewer.organisationId}::bigint, ${viewer.userName} from wanted w
       where (select count(*) from wanted) = ${alertIds.length} order by w.id
      on conflict do nothing returning alert_id)
    select (select count(*) from wanted) as found, (select count(*) from noted) as seen`.execute(db)
  return rows[0] ?? { found: 0, seen: 0 }
}

/** Devices of a scope whose alerts are muted now. Of operators above the reader it names the organisation, not the person. */
export async function findMutedDevices(db: Database, scope: Scope, now: Date): Promise<MutedDevice[]> {
  const { rows } = await sql<Omit<MutedDevice, 'mutedUntil'> & { mutedUntil: Date }>`
    select d.id, d.sid as "deviceId", d.name, coalesce(p.address, '') as "placeAddress", m.muted_until as "mutedUntil",
           case when o.id is null or ${isOwn(scope)} then m.muted_by else o.name end as "mutedBy"
      from device_mutes m join devices d on d.id = m.device_id left join places p on p.id = d.place_id
      left join accounts by_whom on lower(by_whom.user_name) = lower(m.muted_by)
      left join organisations o on o.id = by_whom.organisation_id
     where m.muted_until > ${now} and d.removed_at is null
       and ${withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })}
     order by d.sid`.execute(db)
  return rows.map((row) => ({ ...row, mutedUntil: row.mutedUntil.toISOString() }))
}
