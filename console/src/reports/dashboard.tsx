import {
  countAlerts,
  formatYuan,
  getDashboard,
  isMerchantMode,
  type Dashboard as DashboardData,
} from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { useRead } from '../kit/call.ts'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { Figure } from '../kit/figure.tsx'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { Loading } from '../kit/loading.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { ReadState } from '../kit/read-state.tsx'
import { RecordCards } from '../kit/record-cards.tsx'
import { useMay, useUser } from '../kit/user.ts'
import './dashboard.css'

const DayBars = lazyPart(() => import('./day-bars.tsx').then((module) => module.DayBars), Loading)

/** What the morning asks for: today beside the same weekday, what is in trouble, what waits, what sells nothing. */
export function Dashboard() {
  const read = useRead(getDashboard, {})
  return <ReadState read={read}>{read.data && <Figures data={read.data} />}</ReadState>
}

function Figures({ data }: { data: DashboardData }) {
  const say = useTexts()
  const { language } = useLanguage()
  const user = useUser()
  const { today, income, orders, devices, refundsWaiting, chart, quietDevices } = data
  const count = (value: number) => formatCount(value, language)
  const compared = (value: string) => say('console.home.comparedWith', { value })
  const todaysOrders = { startdate: today, enddate: today }
  return (
    <>
      <section className="figures" aria-label={say('console.home.today')}>
        {income && (
          <Figure
            name={say('console.home.incomeToday')}
            value={formatYuan(income.todayCents)}
            hint={compared(formatYuan(income.comparedCents))}
            to="/reportorderday"
            search={{ datetype: '2' }}
          />
        )}
        {orders && (
          <Figure
            name={say('console.home.ordersToday')}
            value={count(orders.today)}
            hint={compared(count(orders.compared))}
            note={say('console.home.ordersArePlaced')}
            to={isMerchantMode(user.type) ? '/orders' : '/agentorder'}
            search={todaysOrders}
          />
        )}
        {refundsWaiting && (
          <Figure
            name={say('console.home.waitingRefunds')}
            value={count(refundsWaiting.count)}
            hint={say('console.home.waitingRefundsHint', { amount: formatYuan(refundsWaiting.amountCents) })}
            to="/refunds"
            search={{ status: '1' }}
          />
        )}
        {devices && <DeviceFigure devices={devices} />}
      </section>
      {chart && <IncomeOfMonth chart={chart} beforeCents={data.chartBeforeCents ?? 0} />}
      {quietDevices && quietDevices.total > 0 && <QuietDevices quiet={quietDevices} />}
    </>
  )
}

function DeviceFigure({ devices }: { devices: NonNullable<DashboardData['devices']> }) {
  const say = useTexts()
  const { language } = useLanguage()
  const may = useMay()
  const { data: alerts } = useRead(countAlerts, {}, may('alert.list'))
  const part = (tone: string, name: string, value: number, search: Record<string, string>) => (
    <Link to={'/devices' as '/'} search={search as never} className={`tag tag-${tone}`}>
      {name} {formatCount(value, language)}
    </Link>
  )
  return (
    <div className="panel figure-panel">
      <span className="hint">{say('console.home.devices')}</span>
      <strong>{formatCount(devices.total, language)}</strong>
      <span className="tags">
        {part('good', say('console.home.online'), devices.online, { status: '1' })}
        {part('quiet', say('console.home.offline'), devices.offline, { status: '2' })}
        {part('bad', say('console.home.trouble'), devices.trouble, { status: '3' })}
        {alerts && alerts.open > 0 && (
          <Link to={'/alerts' as '/'} className="tag tag-warn">
            {say('alerts.list.open')} {formatCount(alerts.open, language)}
          </Link>
        )}
      </span>
    </div>
  )
}

interface IncomeOfMonthProps {
  chart: NonNullable<DashboardData['chart']>
  /** Income of as many days before. */
  beforeCents: number
}

function IncomeOfMonth({ chart, beforeCents }: IncomeOfMonthProps) {
  const say = useTexts()
  const days = useMemo(() => chart.map(({ day, incomeCents }) => ({ day, cents: incomeCents })), [chart])
  const mean = useMemo(() => {
    const cents = Math.round(beforeCents / Math.max(1, days.length))
    return { cents, text: say('console.reports.meanBefore', { amount: formatYuan(cents) }) }
  }, [beforeCents, days.length, say])
  const [first, last] = [chart[0]?.day ?? '', chart.at(-1)?.day ?? '']
  return (
    <section>
      <DayBars title={say('console.home.lastDays', { days: days.length })} days={days} mean={mean} />
      <Link
        to={'/reportorderday' as '/'}
        search={{ datetype: '5', startdate: first, enddate: last } as never}
      >
        {say('console.home.asTable')}
      </Link>
    </section>
  )
}

type Quiet = NonNullable<DashboardData['quietDevices']>

function QuietDevices({ quiet }: { quiet: Quiet }) {
  const say = useTexts()
  const narrow = useNarrow()
  const { type } = useUser()
  const title = say('console.home.quiet', { count: quiet.total, days: quiet.days })
  const shown: (TableColumn<Quiet['list'][number]> & { isHidden?: boolean })[] = [
    {
      key: 'deviceId',
      title: say('devices.field.deviceId'),
      width: 120,
      draw: ({ deviceId }) => (
        <Link to={`/devices/card/${deviceId}` as '/'}>
          <code>{deviceId}</code>
        </Link>
      ),
    },
    { key: 'name', title: say('devices.field.name'), width: 120, isOneLine: true, draw: cell('name') },
    {
      key: 'merchantName',
      title: say('devices.field.merchantName'),
      width: 180,
      isOneLine: true,
      isHidden: isMerchantMode(type),
      draw: cell('merchantName'),
    },
    {
      key: 'placeAddress',
      title: say('devices.field.placeAddress'),
      width: 220,
      isOneLine: true,
      draw: cell('placeAddress'),
    },
    {
      key: 'lastSaleDay',
      title: say('console.home.lastSale'),
      width: 130,
      draw: ({ lastSaleDay }): ReactNode => lastSaleDay ?? say('console.home.neverSold'),
    },
  ]
  const columns = shown.filter(({ isHidden }) => !isHidden)
  const keyOf = ({ deviceId }: Quiet['list'][number]) => deviceId
  return (
    <section>
      <h2>{title}</h2>
      <p className="hint">{say('console.home.quietHint')}</p>
      {narrow ? (
        <RecordCards columns={columns} rows={quiet.list} keyOf={keyOf} hasValue={() => true} />
      ) : (
        <DataTable label={title} columns={columns} rows={quiet.list} keyOf={keyOf} />
      )}
    </section>
  )
}

const cell =
  (field: 'name' | 'merchantName' | 'placeAddress') =>
  (device: Quiet['list'][number]): ReactNode => <span title={device[field]}>{device[field]}</span>
