import { formatYuan, type IncomeDay } from '@chairside/contract'
import { BarChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TitleComponent, TooltipComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { theme } from 'antd'
import { useEffect, useRef } from 'react'
import { useTexts } from '../kit/language.tsx'

register([BarChart, AriaComponent, GridComponent, TitleComponent, TooltipComponent, SVGRenderer])

/** Income as bars, by the last two characters of each date (spec 3 §2.1); the table is its twin for who does not see it. */
export function IncomeChart({ days }: { days: readonly IncomeDay[] }) {
  const say = useTexts()
  const { token } = theme.useToken()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!element.current) return
    const chart = init(element.current, undefined, { renderer: 'svg' })
    const ink = { color: token.colorText, fontFamily: token.fontFamily }
    chart.setOption({
      aria: { enabled: true },
      textStyle: ink,
      title: {
        text: say('console.reports.totalIncome'),
        subtext: say('console.reports.unit'),
        textStyle: ink,
        subtextStyle: { color: token.colorTextSecondary },
      },
      tooltip: { trigger: 'axis', valueFormatter: (value: number) => formatYuan(Math.round(value * 100)) },
      grid: { left: 12, right: 12, bottom: 8, top: 64, containLabel: true },
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
          itemStyle: { color: token.colorPrimary, borderRadius: [3, 3, 0, 0] },
          data: days.map(({ totalIncome }) => totalIncome / 100),
        },
      ],
    })
    const follow = new ResizeObserver(() => chart.resize())
    follow.observe(element.current)
    return () => {
      follow.disconnect()
      chart.dispose()
    }
  }, [days, say, token])
  return (
    <div ref={element} className="chart panel" role="img" aria-label={say('console.reports.totalIncome')} />
  )
}
