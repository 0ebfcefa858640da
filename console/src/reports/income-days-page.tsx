import { isMerchantMode, reportOrderDays } from '@chairside/contract'
import { ReloadOutlined } from '@ant-design/icons'
import { Segmented } from 'antd'
import { useAddress } from '../kit/address.ts'
import { fieldErrorsOf, useRead } from '../kit/call.ts'
import { ExportButton } from '../kit/export-button.tsx'
import { useTexts } from '../kit/language.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { Loading } from '../kit/loading.tsx'
import { OrganisationPicker } from '../kit/organisation-picker.tsx'
import { PeriodPicker, periodOf, withPeriod } from '../kit/period-picker.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { ScreenHeader } from '../kit/screen-header.tsx'
import { useShortcut } from '../kit/shortcuts.ts'
import { ToolButton } from '../kit/tool-button.tsx'
import { useUser } from '../kit/user.ts'
import { IncomeComparison } from './income-comparison.tsx'
import { IncomeTable } from './income-table.tsx'

const IncomeChart = lazyPart(() => import('./income-chart.tsx').then((module) => module.IncomeChart), Loading)

const IncomeLines = lazyPart(() => import('./income-lines.tsx').then((module) => module.IncomeLines))

const defaultPeriod = '4'

/** `/reportorderday`: merchant income by day, as a table or a chart (spec 3 §2.1). */
export function IncomeDaysPage() {
  const say = useTexts()
  const user = useUser()
  const [state, setState] = useAddress()
  const { isComplete, ...period } = periodOf(state, defaultPeriod)
  const { view, merchantid = '', day } = state
  const input = { ...period, merchantid }
  const read = useRead(reportOrderDays, input, isComplete)
  const report = read.data
  // Without its dates there is nothing to ask for yet.
  useShortcut('r', () => void (isComplete && read.refetch()))
  return (
    <>
      <ScreenHeader title={say('console.reports.dayTitle')}>
        <Segmented
          aria-label={say('console.reports.view')}
          value={view === 'chart' ? 'chart' : ''}
          options={[
            { value: '', label: say('console.reports.table') },
            { value: 'chart', label: say('console.reports.chart') },
          ]}
          onChange={(next) => setState({ ...state, view: next })}
        />
        {isComplete && (
          <>
            <ToolButton
              icon={<ReloadOutlined aria-hidden />}
              text={say('console.list.refresh')}
              loading={read.isFetching && !read.isLoading}
              onClick={() => void read.refetch()}
            />
            <ExportButton endpoint={reportOrderDays} input={input} rows={report?.reportDate.length} />
          </>
        )}
      </ScreenHeader>
      <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <div className="filter-grid">
          <PeriodPicker
            period={{ ...period, isComplete }}
            label={say('console.reports.period.label')}
            errors={fieldErrorsOf(read.error)}
            onChange={(next) => setState(withPeriod(state, defaultPeriod, next))}
          />
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
      </form>
      {isComplete ? (
        <ReadState read={read}>
          {report && (
            <>
              <IncomeComparison report={report} />
              {view === 'chart' ? (
                <IncomeChart report={report} />
              ) : (
                <IncomeTable report={report} merchantId={merchantid} />
              )}
            </>
          )}
        </ReadState>
      ) : (
        <p className="notice hint">{say('console.reports.chooseDates')}</p>
      )}
      {day !== undefined && <IncomeLines />}
    </>
  )
}
