import {
  countDays,
  dayPeriods,
  formatYuan,
  incomeDayColumns,
  isMerchantMode,
  reportOrderDays,
  type DataOf,
  type DayPeriod,
} from '@chairside/contract'
import { ReloadOutlined } from '@ant-design/icons'
import { Button, DatePicker, Radio, Result, Segmented, Skeleton, Table } from 'antd'
import dayjs from 'dayjs'
import { lazy, Suspense } from 'react'
import { useUser } from '../kit/user.ts'
import { useAddress } from '../kit/address.ts'
import { useRead } from '../kit/call.ts'
import { drawCell, isNumeric } from '../kit/cell.tsx'
import { ExportButton } from '../kit/export-button.tsx'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { OrganisationPicker } from '../kit/organisation-picker.tsx'
import { ScreenHeader } from '../kit/screen-header.tsx'

const IncomeChart = lazy(() =>
  import('./income-chart.tsx').then(({ IncomeChart: chart }) => ({ default: chart })),
)

type Report = DataOf<typeof reportOrderDays>

/** `/reportorderday`: merchant income by day, as a table or a chart (spec 3 §2.1). */
export function IncomeDaysPage() {
  const say = useTexts()
  const user = useUser()
  const [state, setState] = useAddress()
  const period = (dayPeriods as readonly string[]).includes(state['datetype'] ?? '')
    ? (state['datetype'] as DayPeriod)
    : '4'
  const view = state['view'] === 'chart' ? 'chart' : 'table'
  const { startdate, enddate, merchantid = '' } = state
  const isComplete = period !== '5' || (startdate !== undefined && enddate !== undefined)
  const input = {
    datetype: period,
    ...(period === '5' ? { startdate, enddate } : {}),
    ...(merchantid ? { merchantid } : {}),
  }
  const read = useRead(reportOrderDays, input, isComplete)
  return (
    <>
      <ScreenHeader title={say('console.reports.dayTitle')}>
        <Segmented
          value={view}
          options={[
            { value: 'table', label: say('console.reports.table') },
            { value: 'chart', label: say('console.reports.chart') },
          ]}
          onChange={(next) => setState({ ...state, view: next === 'chart' ? 'chart' : '' })}
        />
        <Button
          icon={<ReloadOutlined />}
          loading={read.isFetching && !read.isLoading}
          onClick={() => void read.refetch()}
        >
          {say('console.list.refresh')}
        </Button>
        <ExportButton endpoint={reportOrderDays} input={input} />
      </ScreenHeader>
      <div className="filters">
        <div className="filter-grid">
          <PeriodRadio
            value={period}
            onChange={(datetype) => setState({ ...state, datetype: datetype === '4' ? '' : datetype })}
          />
          {period === '5' && (
            <>
              <DayField
                name={say('console.orders.startDate')}
                value={startdate}
                onChange={(date) => setState({ ...state, startdate: date })}
              />
              <DayField
                name={say('console.orders.endDate')}
                value={enddate}
                onChange={(date) => setState({ ...state, enddate: date })}
              />
            </>
          )}
          {!isMerchantMode(user.type) && (
            <div className="field">
              <label htmlFor="report-merchant">{say('console.orders.merchant')}</label>
              <OrganisationPicker
                id="report-merchant"
                kind="merchant"
                value={merchantid}
                onChange={(id) => setState({ ...state, merchantid: id })}
              />
            </div>
          )}
        </div>
      </div>
      {read.isError && (
        <Result status="warning" title={say('console.list.failed', { reason: read.error.message })} />
      )}
      {!read.data && !read.isError && isComplete && <Skeleton active />}
      {read.data && isComplete && (
        <>
          <Comparison report={read.data} />
          {view === 'chart' ? (
            <Suspense fallback={<Skeleton active />}>
              <IncomeChart days={read.data.reportDate} />
            </Suspense>
          ) : (
            <IncomeTable report={read.data} />
          )}
        </>
      )}
    </>
  )
}

function PeriodRadio({ value, onChange }: { value: DayPeriod; onChange: (period: DayPeriod) => void }) {
  const say = useTexts()
  return (
    <Radio.Group
      value={value}
      style={{ gridColumn: '1 / -1' }}
      aria-label={say('console.reports.dayTitle')}
      onChange={(event) => onChange(event.target.value as DayPeriod)}
      options={dayPeriods.map((period) => ({
        value: period,
        label: say(`console.reports.period.${period}`),
      }))}
    />
  )
}

function DayField({
  name,
  value,
  onChange,
}: {
  name: string
  value: string | undefined
  onChange: (date: string) => void
}) {
  return (
    <div className="field">
      <label htmlFor={`day-${name}`}>{name}</label>
      <DatePicker
        id={`day-${name}`}
        style={{ width: '100%' }}
        value={value ? dayjs(value) : null}
        onChange={(date) => onChange(date ? date.format('YYYY-MM-DD') : '')}
      />
    </div>
  )
}

/** The total beside as many days just before. */
function Comparison({ report }: { report: Report }) {
  const say = useTexts()
  const { total, previous } = report
  const percent =
    previous.totalIncome === 0
      ? undefined
      : Math.round(((total.totalIncome - previous.totalIncome) / previous.totalIncome) * 100)
  return (
    <div className="totals">
      <span>
        {say('console.reports.totalIncome')} <strong>{formatYuan(total.totalIncome)}</strong>
      </span>
      <span className="hint">
        {say('console.reports.before', { days: countDays(report), amount: formatYuan(previous.totalIncome) })}
      </span>
      {percent !== undefined && (
        <span className="hint">
          {say('console.reports.change', { sign: percent >= 0 ? '+' : '−', percent: Math.abs(percent) })}
        </span>
      )}
    </div>
  )
}

function IncomeTable({ report }: { report: Report }) {
  const say = useTexts()
  const textOf = useTextOf()
  const { language } = useLanguage()
  const columns = incomeDayColumns.map((column) => ({
    key: column.field,
    title: textOf(column.text),
    width: 128,
    align: isNumeric(column) ? ('right' as const) : ('left' as const),
    render: (_value: unknown, day: Report['reportDate'][number]) =>
      drawCell(column, day[column.field as keyof typeof day], language),
  }))
  return (
    <Table
      rowKey="reportDate"
      size="small"
      pagination={false}
      columns={columns}
      dataSource={report.reportDate.toReversed()}
      scroll={{ x: columns.length * 128 }}
      summary={() => (
        <Table.Summary.Row>
          {incomeDayColumns.map((column, index) => (
            <Table.Summary.Cell key={column.field} index={index} align={isNumeric(column) ? 'right' : 'left'}>
              <strong>
                {index === 0
                  ? say('console.reports.total')
                  : drawCell(column, report.total[column.field as keyof Report['total']], language)}
              </strong>
            </Table.Summary.Cell>
          ))}
        </Table.Summary.Row>
      )}
    />
  )
}
