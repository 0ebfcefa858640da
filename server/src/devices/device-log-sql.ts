import { instantsOfDays } from '../kit/calendar.ts'
import { sql, streamRows, type Database } from '../kit/database.ts'
import { atOrBelow, pathOf, withinScope, type Scope } from '../kit/scope.ts'

export interface LogFilter {
  sid: string
  startDate: string | undefined
  endDate: string | undefined
}

export interface DeviceLogRecord {
  operateTime: Date
  userId: string
  action: string
  details: Record<string, string>
  remark: string
}

/** Whether the organisation `o` of an operator is the reader's own or below it. */
export function isOwn(scope: Scope) {
  switch (scope.kind) {
    case 'platform':
      return sql`true`
    case 'agent':
      return atOrBelow(sql`o.path`, pathOf(scope.organisationId))
    case 'merchant':
    case 'places':
      return sql`o.id = ${scope.merchantId}`
  }
}

/** Of operators above the reader it names the organisation, not the person. */
const columns = (scope: Scope) => sql`
  l.operate_time as "operateTime", case when o.id is null or ${isOwn(scope)} then l.user_id else o.name end as "userId",
  l.action, l.details, l.remark`

/** Lines of a device from when it was the reader's, or below the reader; for places, only while it is at one of them. */
function matching(scope: Scope, filter: LogFilter, timeZone: string) {
  const conditions = [
    sql`l.device_id = (select id from devices where sid = ${filter.sid})`,
    withinScope(scope, { merchantId: sql`l.merchant_id`, placeId: sql`d.place_id` }),
  ]
  if (filter.startDate)
    conditions.push(
      sql`l.operate_time >= ${instantsOfDays(filter.startDate, filter.startDate, timeZone).from}`,
    )
  if (filter.endDate)
    conditions.push(sql`l.operate_time < ${instantsOfDays(filter.endDate, filter.endDate, timeZone).before}`)
  return sql`device_logs l join devices d on d.id = l.device_id
    left join organisations o on o.id = l.operator_organisation_id where ${sql.join(conditions, sql` and `)}`
}

/** Whether a device is within a scope, or was when a line of its log was written. */
export async function hasLogWithin(db: Database, scope: Scope, sid: string): Promise<boolean> {
  const { rows } = await sql`
    select from devices d
     where d.sid = ${sid}
       and (d.removed_at is null and ${withinScope(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })}
            or exists (select from device_logs l where l.device_id = d.id
                          and ${withinScope(scope, { merchantId: sql`l.merchant_id`, placeId: sql`d.place_id` })}))`.execute(
    db,
  )
  return rows.length > 0
}

const newestFirst = sql`order by l.operate_time desc, l.id desc`

/** A page of a device's log, newest first, and how many lines match. */
export async function findDeviceLogs(
  db: Database,
  scope: Scope,
  filter: LogFilter,
  { skip, take, timeZone }: { skip: number; take: number; timeZone: string },
): Promise<{ list: DeviceLogRecord[]; total: number }> {
  const matches = matching(scope, filter, timeZone)
  const count = await sql<{ total: number }>`select count(*) as total from ${matches}`.execute(db)
  const { rows } = await sql<DeviceLogRecord>`
    select ${columns(scope)} from ${matches} ${newestFirst} offset ${skip} limit ${take}`.execute(db)
  return { list: rows, total: count.rows[0]?.total ?? 0 }
}

/** The whole log, newest first. */
export function streamDeviceLogs(
  db: Database,
  scope: Scope,
  filter: LogFilter,
  timeZone: string,
): AsyncGenerator<DeviceLogRecord[]> {
  return streamRows(
    db,
    sql<DeviceLogRecord>`select ${columns(scope)} from ${matching(scope, filter, timeZone)} ${newestFirst}`,
  )
}
