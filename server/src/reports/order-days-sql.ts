import type { DayRange } from '@chairside/contract'
import { plannedOnce, sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

export interface IncomeDayRecord {
  day: string
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

const sums = sql`
  coalesce(sum(qrcode), 0) as "qrcodePayIncome", coalesce(sum(qrcode_count), 0) as "qrcodePayCount",
  coalesce(sum(recharge), 0) as "rechargeIncome", coalesce(sum(recharge_count), 0) as "rechargeCount",
  coalesce(sum(other), 0) as "otherIncome", coalesce(sum(other_count), 0) as "otherCount"`

const asKept = sql`
  qrcode as "qrcodePayIncome", qrcode_count as "qrcodePayCount", recharge as "rechargeIncome",
  recharge_count as "rechargeCount", other as "otherIncome", other_count as "otherCount"`

/**
 * Income of each day that has any, in no order; a day may have several rows, to be added up. A year has few rows beside
 * what it takes to sum them here, except those of many places.
 */
export async function incomeOfDays(db: Database, scope: Scope, period: DayRange): Promise<IncomeDayRecord[]> {
  const [columns, grouping] = scope.kind === 'places' ? [sums, sql`group by day`] : [asKept, sql``]
  const { rows } = await sql<IncomeDayRecord>`${plannedOnce}
    select day, ${columns} from (${facts(scope, period)}) facts ${grouping}`.execute(db)
  return rows
}

/** Income of a whole period. */
export async function incomeOfPeriod(
  db: Database,
  scope: Scope,
  period: DayRange,
): Promise<Omit<IncomeDayRecord, 'day'>[]> {
  const { rows } = await sql<Omit<IncomeDayRecord, 'day'>>`${plannedOnce}
    select ${sums} from (${facts(scope, period)}) facts`.execute(db)
  return rows
}
