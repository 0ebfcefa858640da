import {
  addDays,
  countDays,
  dayOfInstant,
  daysOfPeriod,
  reportOrderDays,
  type DataOf,
  type DayRange,
  type IncomeDay,
} from '@chairside/contract'
import { handle, type Call, type CallContext } from '../kit/call.ts'
import { narrowScope } from '../organisations/narrow-scope.ts'
import { incomeOfDays, incomeOfPeriod, type IncomeDayRecord } from './order-days-sql.ts'

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

function withTotals(parts: Omit<IncomeDayRecord, 'day'>): Income {
  return {
    ...parts,
    totalIncome: parts.qrcodePayIncome + parts.rechargeIncome + parts.otherIncome,
    totalCount: parts.qrcodePayCount + parts.rechargeCount + parts.otherCount,
  }
}

const fields = Object.keys(nothing) as (keyof Income)[]

function sumOf(days: readonly Income[]): Income {
  const sum = { ...nothing }
  for (const day of days) for (const field of fields) sum[field] += day[field]
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

/** Every day of the period is a row, also one without income, so that a chart has no holes. */
function everyDay({ startDate, endDate }: DayRange, found: readonly IncomeDayRecord[]): IncomeDay[] {
  const byDay = Map.groupBy(found, ({ day }) => day)
  const days: IncomeDay[] = []
  for (let day = startDate; day <= endDate; day = addDays(day, 1))
    days.push({ reportDate: day, ...sumOf((byDay.get(day) ?? []).map(withTotals)) })
  return days
}

async function report(context: Context, timeZone: string): Promise<DataOf<typeof reportOrderDays>> {
  const period = periodOf(context, timeZone)
  const length = countDays(period)
  const before = { startDate: addDays(period.startDate, -length), endDate: addDays(period.startDate, -1) }
  const scope = await narrowScope(context.db, context.scope, context.input)
  const [found, foundBefore] = scope
    ? await Promise.all([incomeOfDays(context.db, scope, period), incomeOfPeriod(context.db, scope, before)])
    : [[], []]
  const reportDate = everyDay(period, found)
  return { ...period, reportDate, total: sumOf(reportDate), previous: sumOf(foundBefore.map(withTotals)) }
}

/** Daily merchant income with the totals of the period before (spec 3 §7). */
export function createOrderDaysCalls(timeZone: string): Call[] {
  return [
    {
      ...handle(reportOrderDays, (context) => report(context, timeZone)),
      async *rows(context) {
        yield* (await report(context as unknown as Context, timeZone)).reportDate
      },
    },
  ]
}
