import { countDays, formatYuan, type DataOf, type reportOrderDays } from '@chairside/contract'
import { useTexts } from '../kit/language.tsx'

type Report = DataOf<typeof reportOrderDays>

/** Change in whole percent against the period before, undefined when there was nothing before. */
function percentOfChange({ total, previous }: Pick<Report, 'total' | 'previous'>): number | undefined {
  if (previous.totalIncome === 0) return undefined
  return Math.round(((total.totalIncome - previous.totalIncome) / Math.abs(previous.totalIncome)) * 100)
}

/** The total beside as many days just before. */
export function IncomeComparison({ report }: { report: Report }) {
  const say = useTexts()
  const percent = percentOfChange(report)
  return (
    <div className="totals">
      <span>
        {say('console.reports.totalIncome')} <strong>{formatYuan(report.total.totalIncome)}</strong>
      </span>
      <span className="hint">
        {say('console.reports.before', {
          days: countDays(report),
          amount: formatYuan(report.previous.totalIncome),
        })}
      </span>
      {percent !== undefined && (
        <span className={percent >= 0 ? 'tag tag-good' : 'tag tag-warn'}>
          {say('console.reports.change', {
            sign: percent >= 0 ? '▲ +' : '▼ −',
            percent: Math.abs(percent),
          })}
        </span>
      )}
      <span className="hint">{say('console.reports.ordersArePaid')}</span>
    </div>
  )
}
