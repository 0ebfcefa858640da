import { countDays, formatYuan, type DataOf, type reportOrderDays } from '@chairside/contract'
import { theme } from 'antd'
import { BarChart } from 'echarts/charts'
import {
  AriaComponent,
  GridComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useTexts } from '../kit/language.tsx'
import './income-chart.css'

register([
  BarChart,
  AriaComponent,
  GridComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  SVGRenderer,
])

type Report = DataOf<typeof reportOrderDays>

/**
 * Income as bars, by the last two characters of each date (spec 3 §2.1), with the mean day of the period before as a
 * line; the table is its twin for who does not see it.
 */
export function IncomeChart({ report }: { report: Report }) {
  const say = useTexts()
  const { token } = theme.useToken()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!element.current) return
    const chart = init(element.current, undefined, { renderer: 'svg' })
    const days = report.reportDate
    const meanBeforeYuan = Math.round(report.previous.totalIncome / countDays(report)) / 100
    const ink = { color: token.colorText, fontFamily: token.fontFamily }
    chart.setOption({
      aria: { enabled: true },
      animationDuration: 200,
      textStyle: ink,
      title: {
        text: say('console.reports.totalIncome'),
        subtext: say('console.reports.unit'),
        textStyle: { ...ink, fontSize: 16 },
        subtextStyle: { color: token.colorTextSecondary },
      },
      tooltip: {
        trigger: 'axis',
        backgroundColor: token.colorBgElevated,
        borderColor: token.colorBorder,
        textStyle: ink,
        valueFormatter: (yuan: number) => formatYuan(Math.round(yuan * 100)),
      },
      grid: { left: 12, right: 24, bottom: 8, top: 76, containLabel: true },
      xAxis: {
        type: 'category',
        data: days.map(({ reportDate }) => reportDate),
        axisLabel: { ...ink, formatter: (date: string) => date.slice(-2) },
      },
      yAxis: {
        type: 'value',
        axisLabel: ink,
        splitLine: { lineStyle: { color: token.colorBorderSecondary } },
      },
      series: [
        {
          type: 'bar',
          name: say('console.reports.totalIncome'),
          barMaxWidth: 48,
          itemStyle: { color: token.colorPrimary, borderRadius: [3, 3, 0, 0] },
          data: days.map(({ totalIncome }) => totalIncome / 100),
          markLine: {
            silent: true,
            symbol: 'none',
            lineStyle: { color: token.colorText, type: 'dashed', width: 1.5 },
            label: {
              ...ink,
              position: 'insideEndTop',
              formatter: say('console.reports.meanBefore', {
                amount: formatYuan(Math.round(meanBeforeYuan * 100)),
              }),
            },
            data: [{ yAxis: meanBeforeYuan }],
          },
        },
      ],
    })
    const follow = new ResizeObserver(() => chart.resize())
    follow.observe(element.current)
    return () => {
      follow.disconnect()
      chart.dispose()
    }
  }, [report, say, token])
  return (
    <div ref={element} className="chart panel" role="img" aria-label={say('console.reports.totalIncome')} />
  )
}
