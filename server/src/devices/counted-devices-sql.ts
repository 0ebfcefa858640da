import { sql, type RawBuilder } from '../kit/database.ts'
import { atOrBelow, pathOf, withinScope, type Scope } from '../kit/scope.ts'
import {
  filterConditions,
  findsFew,
  takesMoneyWithin,
  unseen,
  type DeviceFilter,
} from './device-filter-sql.ts'

/*
 * Pages and totals by counters (decisions 0170, 0210): devices are counted by shelves, which are stretches of device ids.
 * What the counters have, what waits to be folded into them and what they cannot know add up to the exact number on
 * each shelf; a page begins on one of them.
 */

/** How a page is found: `total` is a select of one row, `devices` names the page's own as `d`, `with` is what both use. */
export interface Search {
  with: RawBuilder<unknown>
  total: RawBuilder<unknown>
  devices: RawBuilder<unknown>
}

/** Devices that were found by something smaller than their rows. */
export const devicesByIds = (found: RawBuilder<unknown>) =>
  sql`(${found}) f join devices d on d.id = f.found_id`

/** The organisation that a scope is counted under; 0 has the devices of nobody. */
function countedUnder(scope: Scope, { unassigned }: DeviceFilter): number | undefined {
  if (scope.kind === 'platform') return unassigned ? 0 : 1
  if (unassigned) return undefined
  if (scope.kind === 'agent') return scope.organisationId
  return scope.kind === 'merchant' ? scope.merchantId : undefined
}

/** Whether the counters know what is asked for. */
export const isCounted = (scope: Scope, filter: DeviceFilter) =>
  countedUnder(scope, filter) !== undefined && !findsFew(filter)

const withinDevices = (scope: Scope, { unassigned }: DeviceFilter, merchantId: RawBuilder<unknown>) =>
  unassigned ? sql`${merchantId} is null` : withinScope(scope, { merchantId })

/** Equipment of what is asked for; of one merchant it depends on whether money can be taken. */
function equipmentOf(scope: Scope, associated: 0 | 1 | 2): RawBuilder<unknown> {
  if (associated === 0 || scope.kind !== 'merchant') return sql`array[${associated}::bigint]`
  return associated === 1
    ? sql`case when ${takesMoneyWithin(scope)} then array[1::bigint] else '{}' end`
    : sql`case when ${takesMoneyWithin(scope)} then array[2::bigint] else array[1::bigint, 2] end`
}

/** What is asked for, as values of the counters' columns and of their totals' facets. */
function wantedOf(scope: Scope, { modelId, sleepMode, status, locked, associated }: DeviceFilter) {
  const wanted: {
    facet: 'model' | 'status' | 'locked' | 'equipped'
    column: string
    values: RawBuilder<unknown>
  }[] = []
  if (modelId !== undefined)
    wanted.push({ facet: 'model', column: 'model_id', values: sql`array[${unseen(modelId, 'bigint')}]` })
  if (sleepMode !== undefined)
    wanted.push({
      facet: 'model',
      column: 'model_id',
      values: sql`array(select id from device_models where sleep_mode = ${sleepMode})`,
    })
  if (status !== undefined)
    wanted.push({ facet: 'status', column: 'status', values: sql`array[${unseen(status, 'bigint')}]` })
  if (locked !== undefined)
    wanted.push({
      facet: 'locked',
      column: 'locked',
      values: locked === 'any' ? sql`array[1::bigint, 2]` : sql`array[${unseen(locked, 'bigint')}]`,
    })
  if (associated !== undefined)
    wanted.push({ facet: 'equipped', column: 'equipped', values: equipmentOf(scope, associated) })
  return wanted
}

/** How many there are on each shelf, in parts that add up. */
function countedOnShelves(scope: Scope, filter: DeviceFilter): RawBuilder<unknown> {
  const organisation = sql`(select ${countedUnder(scope, filter)}::bigint)`
  const wanted = wantedOf(scope, filter)
  const conditions = wanted.map(({ column, values }) => sql`c.${sql.ref(column)} = any(${values})`)
  const [only = { facet: 'all', values: sql`array[0::bigint]` }, ...more] = wanted
  const kept =
    more.length === 0 && scope.kind !== 'merchant'
      ? sql`select c.shelf, c.devices from device_totals c
             where c.organisation_id = ${organisation} and c.facet = ${sql.lit(only.facet)} and c.value = any(${only.values})`
      : sql`select c.shelf, c.devices from device_counters c
             where ${sql.join([sql`c.organisation_id = ${organisation}`, ...conditions], sql` and `)}`
  const within = withinDevices(scope, filter, sql`c.merchant_id`)
  const parts = [
    kept,
    sql`select device_shelf(c.sid), c.devices from device_counter_deltas c where ${sql.join([within, ...conditions], sql` and `)}`,
  ]
  // Counted as able to sell are those that lack nothing but a pay channel of their merchant.
  if (filter.associated && scope.kind !== 'merchant' && !filter.unassigned)
    parts.push(sql`
      select device_shelf(d.sid), ${filter.associated === 1 ? sql`-1` : sql`1`}
        from merchants_without_pay_channel() m join devices d on d.merchant_id = m
       where ${sql.join(
         [
           withinDevices(scope, filter, sql`d.merchant_id`),
           sql`d.removed_at is null and device_equipment(d.bound, d.place_id, d.template_id) = 1`,
           ...filterConditions(scope, { ...filter, associated: undefined }),
         ],
         sql` and `,
       )}`)
  return sql.join(parts, sql` union all `)
}

/** The conditions for the devices of whom is not an agent. */
function conditionsOf(scope: Scope, filter: DeviceFilter): RawBuilder<unknown>[] {
  return [
    withinDevices(scope, filter, sql`d.merchant_id`),
    sql`d.removed_at is null`,
    ...filterConditions(scope, filter),
  ]
}

/** The devices of a scope from the shelf on where the page begins, in order. */
function inStretch(scope: Scope, filter: DeviceFilter): RawBuilder<unknown> {
  const fromShelf = sql`d.sid >= (select first_sid from stretch)`
  if (scope.kind !== 'agent')
    return sql`
      select d.id as found_id from devices d
       where ${sql.join([...conditionsOf(scope, filter), fromShelf], sql` and `)} order by d.sid`
  const conditions = [sql`d.removed_at is null`, fromShelf, ...filterConditions(scope, filter)]
  // Each merchant's own from the index of merchants, up to the end of the page's last shelf; `offset 0` keeps the planner
  // from comparing all with all.
  const before = sql`d.sid < (select before_sid from stretch)`
  return sql`
    select d.id as found_id from organisations below cross join lateral (
      select d.id, d.sid from devices d where ${sql.join([sql`d.merchant_id = below.id`, before, ...conditions], sql` and `)} offset 0) d
     where ${atOrBelow(sql`below.path`, pathOf(scope.organisationId))} order by d.sid`
}

interface Stretch {
  skip: number
  take: RawBuilder<unknown>
}

/** A page and its total by counters: only what stands on the shelves of the page is passed over. */
const searchByShelves = (scope: Scope, filter: DeviceFilter, { skip, take }: Stretch): Search => ({
  // No id begins with an X.
  with: sql`
    with shelves as (
      select shelf, sum(sum(devices)) over (order by shelf) as upto from (${countedOnShelves(scope, filter)}) counted group by shelf),
    reached as (
      select coalesce(max(upto), 0) as total, min(shelf) filter (where upto > wanted.skip) as first_shelf,
             min(shelf) filter (where upto >= wanted.skip + ${take}) as last_shelf,
             coalesce(max(upto) filter (where upto <= wanted.skip), 0) as passed
        from shelves cross join (select ${skip}::bigint as skip) wanted),
    stretch as materialized (
      select total, ${skip}::bigint - passed as skip, (select first_sid from device_shelves where shelf = first_shelf) as first_sid,
             coalesce((select first_sid from device_shelves where shelf = last_shelf + 1), 'X') as before_sid
        from reached)`,
  total: sql`select total from stretch`,
  devices: devicesByIds(sql`${inStretch(scope, filter)} offset (select skip from stretch) limit ${take}`),
})

/** So many that match are passed over in less time than it takes to find the shelf, also where most do not match. */
const mostPassedOver = 1000

/** The rows of so many are read and left aside sooner than the rest of the page is looked up by its ids. */
const mostReadInVain = 20

/** How many devices a merchant has: all of them are kept with it, others are counted. */
function totalOf(scope: Scope, filter: DeviceFilter, merchantId: number): RawBuilder<unknown> {
  return wantedOf(scope, filter).length === 0
    ? sql`select device_count as total from organisations where id = ${merchantId}`
    : sql`
      select coalesce(sum(devices), 0)::bigint as total from (${countedOnShelves(scope, filter)}) counted (shelf, devices)`
}

/** A page of one merchant from its first device on. */
function searchFromTheFirst(
  scope: Extract<Scope, { kind: 'merchant' }>,
  filter: DeviceFilter,
  { skip, take }: Stretch,
): Search {
  const total = totalOf(scope, filter, scope.merchantId)
  const matches = sql`devices d where ${sql.join(conditionsOf(scope, filter), sql` and `)}`
  const part = sql`order by d.sid offset ${unseen(skip, 'bigint')} limit ${take}`
  return skip <= mostReadInVain && wantedOf(scope, filter).length === 0
    ? { with: sql``, total, devices: sql`(select d.* from ${matches} ${part}) d` }
    : { with: sql``, total, devices: devicesByIds(sql`select d.id as found_id from ${matches} ${part}`) }
}

/** A page and its total without looking through all that match. */
export const searchByCounters = (scope: Scope, filter: DeviceFilter, stretch: Stretch): Search =>
  scope.kind === 'merchant' && stretch.skip <= mostPassedOver
    ? searchFromTheFirst(scope, filter, stretch)
    : searchByShelves(scope, filter, stretch)
