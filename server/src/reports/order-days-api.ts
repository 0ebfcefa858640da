import {
  addDays,
  countDays,
  dayOfInstant,
  daysOfPeriod,
  daysOfRange,
  reportOrderDays,
  type DataOf,
  type DayRange,
  type IncomeDay,
} from '@chairside/contract'
import { handleReading, type Call, type CallContext } from '../kit/call.ts'
import { narrowScope } from '../organisations/narrow-scope.ts'
import { incomeBesideBefore, type IncomeParts } from './order-days-sql.ts'

type Context = CallContext<typeof reportOrderDays>
type Income = Omit<IncomeDay, 'reportDate'>

/** Longest custom period. */
const mostDays = 366

const nothing: Income = {
  qrcodePayIncome: 0,
  qrcodePayCount: 0,
  rechargeIncome: 0,
  rechargeCount: 0,
  otherIncome: 0,
  otherCount: 0,
  totalIncome: 0,
  totalCount: 0,
}

const totalsOf = (parts: IncomeParts) => ({
  totalIncome: parts.qrcodePayIncome + parts.rechargeIncome + parts.otherIncome,
  totalCount: parts.qrcodePayCount + parts.rechargeCount + parts.otherCount,
})

const withTotals = (parts: IncomeParts): Income => ({ ...parts, ...totalsOf(parts) })

const incomeDay = (reportDate: string, parts: IncomeParts): IncomeDay => ({
  reportDate,
  ...parts,
  ...totalsOf(parts),
})

function sumOf(days: readonly Income[]): Income {
  const sum = { ...nothing }
  for (const day of days) {
    sum.qrcodePayIncome += day.qrcodePayIncome
    sum.qrcodePayCount += day.qrcodePayCount
    sum.rechargeIncome += day.rechargeIncome
    sum.rechargeCount += day.rechargeCount
    sum.otherIncome += day.otherIncome
    sum.otherCount += day.otherCount
    sum.totalIncome += day.totalIncome
    sum.totalCount += day.totalCount
  }
  return sum
}

function periodOf({ input, now, refuseField }: Context, timeZone: string): DayRange {
  const period = daysOfPeriod(input.datetype, dayOfInstant(now, timeZone), input)
  if (!period) {
    return input.startdate && input.enddate
      ? refuseField('startdate', 'validation.startAfterEnd')
      : refuseField(input.startdate ? 'enddate' : 'startdate', 'validation.customPeriodNeedsDates')
  }
  if (countDays(period) > mostDays) refuseField('enddate', 'validation.periodTooLong', { max: mostDays })
  return period
}

async function report(context: Context, timeZone: string): Promise<DataOf<typeof reportOrderDays>> {
  const period = periodOf(context, timeZone)
  const length = countDays(period)
  const before = { startDate: addDays(period.startDate, -length), endDate: addDays(period.startDate, -1) }
  const scope = await narrowScope(context.db, context.scope, context.input)
  const found = scope && (await incomeBesideBefore(context.db, scope, period, before))
  // Every day of the period is a row, also one without income, so that a chart has no holes.
  const reportDate = daysOfRange(period).map((day, index) => incomeDay(day, found?.days[index] ?? nothing))
  return {
    ...period,
    reportDate,
    total: sumOf(reportDate),
    previous: found ? withTotals(found.before) : nothing,
  }
}

/** Daily merchant income with the totals of the period before (spec 3 §7). */
export function createOrderDaysCalls(timeZone: string): Call[] {
  return [
    {
      ...handleReading(reportOrderDays, (context) => report(context, timeZone)),
      // The newest first, as on the screen.
      async *rows(context) {
        yield (await report(context as unknown as Context, timeZone)).reportDate.toReversed()
      },
    },
  ]
}
