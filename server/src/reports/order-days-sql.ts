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
 * The rows of a period as one value: the number of the day in the period and the parts, in no order and perhaps several
 * of a day. Read as one, a year takes a tenth of what it takes as 365 rows. They are summed here only where a scope has
 * many rows of a day, as one of many places.
 */
function cellsOf(scope: Scope, period: DayRange) {
  const rows =
    scope.kind === 'places'
      ? sql`(select day, ${sums} from (${facts(scope, period)}) each_place group by day)`
      : sql`(${facts(scope, period)})`
  return sql`(select array_to_json(array_agg(array[day - ${period.startDate}::date, ${parts}])) from ${rows} facts)`
}

type Cells = readonly [qrcode: number, number, recharge: number, number, other: number, number]
type DayCells = readonly [dayNumber: number, ...Cells]

const noIncome: Cells = [0, 0, 0, 0, 0, 0]

function addCells(
  sum: IncomeParts,
  [qrcode, qrcodeCount, recharge, rechargeCount, other, otherCount]: Cells,
) {
  sum.qrcodePayIncome += qrcode
  sum.qrcodePayCount += qrcodeCount
  sum.rechargeIncome += recharge
  sum.rechargeCount += rechargeCount
  sum.otherIncome += other
  sum.otherCount += otherCount
}

const emptyParts = (): IncomeParts => ({
  qrcodePayIncome: 0,
  qrcodePayCount: 0,
  rechargeIncome: 0,
  rechargeCount: 0,
  otherIncome: 0,
  otherCount: 0,
})

function spreadOverDays(period: DayRange, found: readonly DayCells[] | null): IncomeParts[] {
  const days = Array.from({ length: countDays(period) }, emptyParts)
  for (const [dayNumber, ...cells] of found ?? []) {
    const day = days[dayNumber]
    if (day) addCells(day, cells)
  }
  return days
}

/** Income of every day of a period, the first day first; a day without any is there too. */
export async function incomeOfDays(db: Database, scope: Scope, period: DayRange): Promise<IncomeParts[]> {
  const { rows } = await sql<{ days: DayCells[] | null }>`${plannedOnce}
    select ${cellsOf(scope, period)} as days`.execute(db)
  return spreadOverDays(period, rows[0]?.days ?? null)
}

/** Income of every day of a period, the first day first, and of the period before as a whole, from one moment. */
export async function incomeBesideBefore(
  db: Database,
  scope: Scope,
  period: DayRange,
  before: DayRange,
): Promise<{ days: IncomeParts[]; before: IncomeParts }> {
  const { rows } = await sql<{ days: DayCells[] | null; before: Cells }>`${plannedOnce}
    select ${cellsOf(scope, period)} as days,
           (select array_to_json(array[${parts}]) from (select ${sums} from (${facts(scope, before)}) facts) summed) as before`.execute(
    db,
  )
  const sum = emptyParts()
  addCells(sum, rows[0]?.before ?? noIncome)
  return { days: spreadOverDays(period, rows[0]?.days ?? null), before: sum }
}
