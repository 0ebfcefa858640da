import {
  addDays,
  daysOfRange,
  dashboardChartDays,
  dayOfInstant,
  getDashboard,
  quietDeviceDays,
  quietDevicesShown,
  type Dashboard,
  type PermissionKey,
} from '@chairside/contract'
import { startOfDay } from '../kit/calendar.ts'
import { handleReading, type Call } from '../kit/call.ts'
import type { Database } from '../kit/database.ts'
import type { Scope } from '../kit/scope.ts'
import {
  countDevices,
  countOrdersOfDays,
  countWaitingRefunds,
  findDashboardScope,
  findQuietDevices,
} from './dashboard-sql.ts'
import { incomeBesideBefore, type IncomeParts } from './order-days-sql.ts'

const weekDays = 7

const totalCents = (parts: IncomeParts) => parts.qrcodePayIncome + parts.rechargeIncome + parts.otherIncome

/** Income of the days of the chart, those without any too, and of the day compared with. */
async function readIncome(
  db: Database,
  scope: Scope,
  { today, comparedDay }: { today: string; comparedDay: string },
): Promise<Pick<Dashboard, 'income' | 'chart' | 'chartBeforeCents'>> {
  const startDate = addDays(today, 1 - dashboardChartDays)
  const period = { startDate, endDate: today }
  const before = { startDate: addDays(startDate, -dashboardChartDays), endDate: addDays(startDate, -1) }
  const days = daysOfRange(period)
  const { days: found, before: sumBefore } = await incomeBesideBefore(db, scope, period, before)
  const chart = days.map((day, index) => {
    const parts = found[index]
    return {
      day,
      incomeCents: parts ? totalCents(parts) : 0,
      count: parts ? parts.qrcodePayCount + parts.rechargeCount + parts.otherCount : 0,
    }
  })
  const incomeOn = (day: string) => chart.find((one) => one.day === day)?.incomeCents ?? 0
  return {
    income: { todayCents: incomeOn(today), comparedCents: incomeOn(comparedDay) },
    chart,
    chartBeforeCents: totalCents(sumBefore),
  }
}

/** The home screen's figures: read from rollups and states, never from orders. */
export function createDashboardCalls(timeZone: string): Call[] {
  return [
    handleReading(getDashboard, async ({ db, scope, caller, now }) => {
      const today = dayOfInstant(now, timeZone)
      const comparedDay = addDays(today, -weekDays)
      // With the last sale on this day, the days since are whole ones and today.
      const quietSince = addDays(today, -quietDeviceDays - 1)
      const seen = await findDashboardScope(db, scope)
      const { permissions } = caller()
      const withKey = <Data>(key: PermissionKey, read: () => Promise<Data>): Promise<Data | null> =>
        permissions.has(key) ? read() : Promise.resolve(null)
      const [income, orders, devices, refundsWaiting, quiet] = await Promise.all([
        withKey('reportorderday.list', () => readIncome(db, scope, { today, comparedDay })),
        withKey('order.list', () => countOrdersOfDays(db, seen, [today, comparedDay])),
        withKey('device.list', () => countDevices(db, seen)),
        withKey('refund.list', () => countWaitingRefunds(db, seen)),
        withKey('device.list', () =>
          findQuietDevices(db, seen, {
            quietSince,
            boundBefore: startOfDay(addDays(quietSince, 1), timeZone),
            take: quietDevicesShown,
          }),
        ),
      ])
      return {
        today,
        comparedDay,
        income: income && income.income,
        orders: orders && { today: orders.get(today) ?? 0, compared: orders.get(comparedDay) ?? 0 },
        devices,
        refundsWaiting,
        chart: income && income.chart,
        chartBeforeCents: income && income.chartBeforeCents,
        quietDevices: quiet && { ...quiet, days: quietDeviceDays },
      }
    }),
  ]
}
