import { formatYuan } from '@chairside/contract'
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
import { useNarrow } from '../kit/narrow.ts'
import './day-bars.css'

register([
  BarChart,
  AriaComponent,
  GridComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  SVGRenderer,
])

export interface DayBar {
  /** `YYYY-MM-DD`. */
  day: string
  cents: number
}

interface Props {
  title: string
  days: readonly DayBar[]
  /** Drawn as a line across; its words are above the bars, where they hide none. */
  mean?: { cents: number; text: string }
}

/** Money as a bar for each day, by the last two characters of its date; wherever it is used, a table says the same. */
export function DayBars({ title, days, mean }: Props) {
  const say = useTexts()
  const { token } = theme.useToken()
  const element = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const explained = [say('console.reports.unit'), ...(mean ? [mean.text] : [])].join(narrow ? '\n' : ' · ')
  useEffect(() => {
    if (!element.current) return
    const chart = init(element.current, undefined, { renderer: 'svg' })
    const ink = { color: token.colorText, fontFamily: token.fontFamily }
    chart.setOption({
      aria: { enabled: true },
      animation: false,
      textStyle: ink,
      title: {
        text: title,
        subtext: explained,
        textStyle: { ...ink, fontSize: 16 },
        subtextStyle: { color: token.colorTextSecondary, lineHeight: 18 },
      },
      tooltip: {
        trigger: 'axis',
        backgroundColor: token.colorBgElevated,
        borderColor: token.colorBorder,
        textStyle: ink,
        valueFormatter: (yuan: number) => formatYuan(Math.round(yuan * 100)),
      },
      grid: { left: 12, right: 24, bottom: 8, top: narrow ? 94 : 76, containLabel: true },
      xAxis: {
        type: 'category',
        data: days.map(({ day }) => day),
        axisLabel: { ...ink, formatter: (day: string) => day.slice(-2) },
      },
      yAxis: {
        type: 'value',
        axisLabel: ink,
        splitLine: { lineStyle: { color: token.colorBorderSecondary } },
      },
      series: [
        {
          type: 'bar',
          name: title,
          barMaxWidth: 48,
          itemStyle: { color: token.colorPrimary, borderRadius: [3, 3, 0, 0] },
          data: days.map(({ cents }) => cents / 100),
          ...(mean && {
            markLine: {
              silent: true,
              symbol: 'none',
              lineStyle: { color: token.colorText, type: 'dashed', width: 1.5 },
              label: { show: false },
              data: [{ yAxis: mean.cents / 100 }],
            },
          }),
        },
      ],
    })
    const follow = new ResizeObserver(() => chart.resize())
    follow.observe(element.current)
    return () => {
      follow.disconnect()
      chart.dispose()
    }
  }, [title, explained, narrow, days, mean, token])
  return <div ref={element} className="chart panel" role="img" aria-label={title} />
}
