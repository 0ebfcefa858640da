import { countDays, type DayRange } from '@chairside/contract'
import { plannedOnce, sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

/** Income by where it came from, in cents, and how many payments each was. */
export interface IncomeParts {
  qrcodePayIncome: number
  qrcodePayCount: number
  rechargeIncome: number
  rechargeCount: number
  otherIncome: number
  otherCount: number
}

/** The rows kept for a scope: one wide row for each day of a merchant, a place, an agent or the platform. */
function keptRows(scope: Scope) {
  switch (scope.kind) {
    case 'platform':
      return sql`income_scope_days where scope_id = 1`
    case 'agent':
      return sql`income_scope_days where scope_id = ${scope.organisationId}`
    case 'merchant':
      return sql`income_days where merchant_id = ${scope.merchantId}`
    case 'places':
      return sql`income_place_days where place_id = any(${[...scope.placeIds]}::bigint[])`
  }
}

/** Changes that are not folded into the kept rows yet. */
function pendingRows(scope: Scope) {
  switch (scope.kind) {
    case 'platform':
      return sql`income_deltas where true`
    case 'agent':
      return sql`income_deltas where ${withinScope(scope, { merchantId: sql`merchant_id` })}`
    case 'merchant':
      return sql`income_deltas where merchant_id = ${scope.merchantId}`
    case 'places':
      return sql`income_deltas where merchant_id = ${scope.merchantId} and place_id = any(${[...scope.placeIds]}::bigint[])`
  }
}

/** Kept rows of a period with the changes that are not folded into them yet. */
const facts = (scope: Scope, { startDate, endDate }: DayRange) => sql`
      select day, wechat_income_cents + alipay_income_cents + ccb_income_cents + unionpay_income_cents as qrcode, qrcode_count,
             recharge_income_cents as recharge, recharge_count, other_income_cents as other, other_count
        from ${keptRows(scope)} and day between ${startDate}::date and ${endDate}::date
      union all
      select day, case when kind in ('wechat', 'alipay', 'ccb', 'unionpay') then amount_cents else 0 end,
             case when kind in ('wechat', 'alipay', 'ccb', 'unionpay') then count else 0 end,
             case when kind = 'recharge' then amount_cents else 0 end, case when kind = 'recharge' then count else 0 end,
             case when kind = 'other' then amount_cents else 0 end, case when kind = 'other' then count else 0 end
        from ${pendingRows(scope)} and day between ${startDate}::date and ${endDate}::date`

/** Columns of the facts in the order they are sent. */
const parts = sql`qrcode, qrcode_count, recharge, recharge_count, other, other_count`

const sums = sql`
  coalesce(sum(qrcode), 0)::bigint as qrcode, coalesce(sum(qrcode_count), 0)::bigint as qrcode_count,
  coalesce(sum(recharge), 0)::bigint as recharge, coalesce(sum(recharge_count), 0)::bigint as recharge_count,
  coalesce(sum(other), 0)::bigint as other, coalesce(sum(other_count), 0)::bigint as other_count`

/**
 * The rows of a period as one text, `(0,1,2,3,4,5,6),(1,…)`: the number of the day in the period and the parts, in no order
 * and perhaps several of a day. Read as one, a year takes a tenth of what it takes as 365 rows, and PostgreSQL writes rows
 * in half the time of an array as JSON. They are summed here only where a scope has many rows of a day, as one of many
 * places.
 */
function cellsOf(scope: Scope, period: DayRange) {
  const rows =
    scope.kind === 'places'
      ? sql`(select day, ${sums} from (${facts(scope, period)}) each_place group by day)`
      : sql`(${facts(scope, period)})`
  return sql`(select string_agg(row(day - ${period.startDate}::date, ${parts})::text, ',') from ${rows} facts)`
}

/** Numbers of a row as they are sent, behind that of its day. */
const cellsPerRow = 7

/** Adds the parts that stand in `cells` behind `index`. */
function addCells(sum: IncomeParts, cells: readonly number[], index: number) {
  sum.qrcodePayIncome += cells[index + 1] ?? 0
  sum.qrcodePayCount += cells[index + 2] ?? 0
  sum.rechargeIncome += cells[index + 3] ?? 0
  sum.rechargeCount += cells[index + 4] ?? 0
  sum.otherIncome += cells[index + 5] ?? 0
  sum.otherCount += cells[index + 6] ?? 0
}

const emptyParts = (): IncomeParts => ({
  qrcodePayIncome: 0,
  qrcodePayCount: 0,
  rechargeIncome: 0,
  rechargeCount: 0,
  otherIncome: 0,
  otherCount: 0,
})

/** All numbers of some rows one after another. They have neither nulls nor quotes. */
const cellsIn = (rows: string | null): number[] =>
  rows === null ? [] : JSON.parse(`[${rows.slice(1, -1).replaceAll('),(', ',')}]`)

function spreadOverDays(period: DayRange, rows: string | null): IncomeParts[] {
  const days = Array.from({ length: countDays(period) }, emptyParts)
  const cells = cellsIn(rows)
  for (let index = 0; index < cells.length; index += cellsPerRow) {
    const day = days[cells[index] ?? -1]
    if (day) addCells(day, cells, index)
  }
  return days
}

/**
 * Income of every day of a period, the first day first and those without any too, and of the period before as a whole, from
 * one moment.
 */
export async function incomeBesideBefore(
  db: Database,
  scope: Scope,
  period: DayRange,
  before: DayRange,
): Promise<{ days: IncomeParts[]; before: IncomeParts }> {
  const { rows } = await sql<{ days: string | null; before: string | null }>`${plannedOnce}
    select ${cellsOf(scope, period)} as days,
           (select row(0, ${parts})::text from (select ${sums} from (${facts(scope, before)}) facts) summed) as before`.execute(
    db,
  )
  const sum = emptyParts()
  addCells(sum, cellsIn(rows[0]?.before ?? null), 0)
  return { days: spreadOverDays(period, rows[0]?.days ?? null), before: sum }
}
