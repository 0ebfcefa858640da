import { countDays, formatYuan, type DataOf, type reportOrderDays } from '@chairside/contract'
import { useMemo } from 'react'
import { useTexts } from '../kit/language.tsx'
import { DayBars } from './day-bars.tsx'

type Report = DataOf<typeof reportOrderDays>

/** Income by day (spec 3 §2.1), with the mean day of the period before as a line. */
export function IncomeChart({ report }: { report: Report }) {
  const say = useTexts()
  const days = useMemo(
    () => report.reportDate.map(({ reportDate, totalIncome }) => ({ day: reportDate, cents: totalIncome })),
    [report],
  )
  const mean = useMemo(() => {
    const cents = Math.round(report.previous.totalIncome / countDays(report))
    return { cents, text: say('console.reports.meanBefore', { amount: formatYuan(cents) }) }
  }, [report, say])
  return <DayBars title={say('console.reports.totalIncome')} days={days} mean={mean} />
}
