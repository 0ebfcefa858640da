import type { QuietDevice } from '@chairside/contract'
import { sql, type Database, type RawBuilder } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

/** A scope with the merchants of an agent's subtree: told how many they are, the planner chooses well for few and for all. */
export interface DashboardScope {
  scope: Scope
  merchantIds: readonly number[] | undefined
}

/** Looks up the merchants below an agent, once for all figures. */
export async function findDashboardScope(db: Database, scope: Scope): Promise<DashboardScope> {
  if (scope.kind !== 'agent') return { scope, merchantIds: undefined }
  const { rows } = await sql<{ id: number }>`
    select id from organisations
     where kind = 'merchant' and path <@ (select path from organisations where id = ${scope.organisationId})`.execute(
    db,
  )
  return { scope, merchantIds: rows.map(({ id }) => id) }
}

const within = (
  { scope, merchantIds }: DashboardScope,
  columns: { merchantId: RawBuilder<unknown>; placeId: RawBuilder<unknown> },
) =>
  merchantIds
    ? sql<boolean>`${columns.merchantId} = any(${[...merchantIds]}::bigint[])`
    : withinScope(scope, columns)

const waitsForAudit = sql.lit(5)

/** The organisation that counters of a scope are kept under. */
function organisationOf(scope: Exclude<Scope, { kind: 'places' }>): number {
  if (scope.kind === 'platform') return 1
  return scope.kind === 'agent' ? scope.organisationId : scope.merchantId
}

/** The counters that are kept for a scope. */
const keptCounters = (scope: Scope) =>
  scope.kind === 'places'
    ? sql`scope_kind = 'p' and scope_id = any(${[...scope.placeIds]}::bigint[])`
    : sql`scope_kind = 'o' and scope_id = ${organisationOf(scope)}`

/** Orders placed on each of some days, whatever became of them: as many as the list of the day has. */
export async function countOrdersOfDays(
  db: Database,
  scope: DashboardScope,
  days: readonly string[],
): Promise<Map<string, number>> {
  const pending = within(scope, { merchantId: sql`merchant_id`, placeId: sql`place_id` })
  const { rows } = await sql<{ day: string; orders: number }>`
    select day, sum(orders) as orders from (
      select day, orders from order_day_counters
       where ${keptCounters(scope.scope)} and day = any(${[...days]}::date[])
      union all
      select day, orders from order_counter_deltas where ${pending} and day = any(${[...days]}::date[])) counted
     group by day`.execute(db)
  return new Map(rows.map(({ day, orders }) => [day, orders]))
}

/** How many devices of a scope have which status: by the counters of its organisation, those of some places one by one. */
function devicesByStatus(seen: DashboardScope): RawBuilder<unknown> {
  const { scope } = seen
  if (scope.kind === 'places')
    return sql`select status, 1 as devices from device_states s join devices d on d.id = s.device_id
                where d.removed_at is null and ${within(seen, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })}`
  const pending = within(seen, { merchantId: sql`merchant_id`, placeId: sql`null` })
  return sql`
    select status, devices from device_counters where organisation_id = ${organisationOf(scope)}
    union all
    select status, devices from device_counter_deltas where ${pending}`
}

/** Devices of a scope by their state. */
export async function countDevices(
  db: Database,
  scope: DashboardScope,
): Promise<{ total: number; online: number; offline: number; trouble: number }> {
  const { rows } = await sql<{ total: number; online: number; offline: number; trouble: number }>`
    select coalesce(sum(devices), 0) as total,
           coalesce(sum(devices) filter (where status in (1, 4)), 0) as online,
           coalesce(sum(devices) filter (where status = 2), 0) as offline,
           coalesce(sum(devices) filter (where status = 3), 0) as trouble
      from (${devicesByStatus(scope)}) counted`.execute(db)
  return rows[0] ?? { total: 0, online: 0, offline: 0, trouble: 0 }
}

/** Refunds of a scope that wait for an audit. */
export async function countWaitingRefunds(
  db: Database,
  scope: DashboardScope,
): Promise<{ count: number; amountCents: number }> {
  const { rows } = await sql<{ count: number; amountCents: number }>`
    select count(*) as count, coalesce(sum(r.price_cents), 0) as "amountCents" from refunds r
     where r.status = ${waitsForAudit} and ${within(scope, { merchantId: sql`r.merchant_id`, placeId: sql`r.place_id` })}`.execute(
    db,
  )
  return rows[0] ?? { count: 0, amountCents: 0 }
}

/**
 * Devices that could sell and did not: online, bound, not locked, with neither a sale nor their binding after a day.
 * @returns how many, and the first of them, longest quiet first
 */
export async function findQuietDevices(
  db: Database,
  scope: DashboardScope,
  wanted: { quietSince: string; boundBefore: Date; take: number },
): Promise<{ total: number; list: QuietDevice[] }> {
  const { rows } = await sql<QuietDevice & { total: number }>`
    select d.sid as "deviceId", d.name, m.name as "merchantName", coalesce(d.place_address, '') as "placeAddress",
           quiet.last_day as "lastSaleDay", quiet.total
      from (
        select d.id, sold.last_day, count(*) over () as total
          from devices d join device_states s on s.device_id = d.id
          -- What it sold before it changed hands is another's to see.
          left join device_last_sales sold on sold.device_id = d.id and (d.held_since is null or sold.last_at >= d.held_since)
         where d.removed_at is null and d.bound and d.locked = 0 and s.status in (1, 4)
           and coalesce(sold.last_day, '-infinity') <= ${wanted.quietSince}::date
           and d.bound_at < ${wanted.boundBefore}
           and d.id not in (
             select device_id from income_deltas
              where device_id is not null and count > 0 and day > ${wanted.quietSince}::date)
           and d.merchant_id not in (select id from organisations where kind = 'merchant' and status = 2)
           and ${within(scope, { merchantId: sql`d.merchant_id`, placeId: sql`d.place_id` })}
         order by sold.last_day nulls first, d.sid limit ${wanted.take}) quiet
      join devices d on d.id = quiet.id join organisations m on m.id = d.merchant_id
     order by quiet.last_day nulls first, d.sid`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map(({ deviceId, name, merchantName, placeAddress, lastSaleDay }) => ({
      deviceId,
      name,
      merchantName,
      placeAddress,
      lastSaleDay,
    })),
  }
}
