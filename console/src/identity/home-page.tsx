import {
  formatYuan,
  listDevices,
  listRefunds,
  reportOrderDays,
  type PermissionKey,
} from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../kit/call.ts'
import { formatCount, formatDateTime } from '../kit/formats.ts'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { usePages } from '../kit/pages.ts'
import { PageTitle } from '../kit/screen-header.tsx'
import { useMay, useUser } from '../kit/user.ts'
import './identity.css'

/** The first screen: who one is, today beside yesterday, what waits, and the way to every other screen. */
export function HomePage() {
  const say = useTexts()
  const textOf = useTextOf()
  const user = useUser()
  const may = useMay()
  const { pages } = usePages()
  const figures: [PermissionKey, ReactNode][] = [
    ['reportorderday.list', <Today key="today" />],
    ['refund.list', <WaitingRefunds key="refunds" />],
    ['device.list', <DevicesInTrouble key="devices" />],
  ]
  return (
    <>
      <PageTitle>{`${say('console.app.home')} · ${say('console.app.name')}`}</PageTitle>
      <div className="screen-header">
        <h1>{say('console.home.welcome', { name: user.realName || user.userName })}</h1>
        {user.lastLogin && (
          <span className="hint">
            {say('console.home.lastLogin', { time: formatDateTime(user.lastLogin) })}
          </span>
        )}
      </div>
      <section className="figures" aria-label={say('console.home.today')}>
        {figures.flatMap(([key, figure]) => (may(key) ? [figure] : []))}
      </section>
      <h2>{say('console.home.screens')}</h2>
      <div className="tiles">
        {pages.map((page) => (
          <Link key={page.id} to={page.url as '/'} className="tile">
            {textOf(page.description)}
          </Link>
        ))}
      </div>
    </>
  )
}

interface FigureProps {
  name: string
  value: string | undefined
  hint: string
  to: string
  search?: Record<string, string>
}

/** A number that leads to what it counts. */
function Figure({ name, value, hint, to, search }: FigureProps) {
  return (
    <Link to={to as '/'} {...(search ? { search: search as never } : {})} className="panel figure-panel">
      <span className="hint">{name}</span>
      <strong>{value ?? '…'}</strong>
      <span className="hint">{hint}</span>
    </Link>
  )
}

const todayPeriod = { datetype: '2' } as const

function Today() {
  const say = useTexts()
  const { language } = useLanguage()
  const { data } = useRead(reportOrderDays, todayPeriod)
  const compared = (amount: string) => say('console.home.comparedWith', { amount })
  return (
    <>
      <Figure
        name={say('console.home.incomeToday')}
        value={data && formatYuan(data.total.totalIncome)}
        hint={compared(data ? formatYuan(data.previous.totalIncome) : '…')}
        to="/reportorderday"
        search={todayPeriod}
      />
      <Figure
        name={say('console.home.ordersToday')}
        value={data && formatCount(data.total.totalCount, language)}
        hint={compared(data ? formatCount(data.previous.totalCount, language) : '…')}
        to="/reportorderday"
        search={todayPeriod}
      />
    </>
  )
}

const firstRow = { pagenum: 1, pagesize: 1 } as const

function WaitingRefunds() {
  const say = useTexts()
  const { language } = useLanguage()
  const { data } = useRead(listRefunds, { ...firstRow, status: '1' })
  return (
    <Figure
      name={say('console.home.waitingRefunds')}
      value={data && formatCount(data.total, language)}
      hint={say('console.home.waitingRefundsHint')}
      to="/refunds"
      search={{ status: '1' }}
    />
  )
}

function DevicesInTrouble() {
  const say = useTexts()
  const { language } = useLanguage()
  const trouble = useRead(listDevices, { ...firstRow, status: '3' })
  const all = useRead(listDevices, firstRow)
  return (
    <Figure
      name={say('console.home.troubledDevices')}
      value={trouble.data && formatCount(trouble.data.total, language)}
      hint={say('console.home.ofDevices', { count: all.data ? formatCount(all.data.total, language) : '…' })}
      to="/devices"
      search={{ status: '3' }}
    />
  )
}
