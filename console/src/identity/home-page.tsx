import { formatYuan, reportOrderDays } from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import { useMay, useUser } from '../kit/user.ts'
import { useRead } from '../kit/call.ts'
import { formatCount, formatDateTime } from '../kit/formats.ts'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { usePages } from '../kit/pages.ts'

/** The first screen: who one is, today beside yesterday, and the way to every other screen. */
export function HomePage() {
  const say = useTexts()
  const textOf = useTextOf()
  const user = useUser()
  const may = useMay()
  const { pages } = usePages()
  return (
    <>
      <div className="screen-header">
        <h1>{say('console.home.welcome', { name: user.realName || user.userName })}</h1>
        {user.lastLogin && (
          <span className="hint">
            {say('console.home.lastLogin', { time: formatDateTime(user.lastLogin) })}
          </span>
        )}
      </div>
      {may('reportorderday.list') && <Today />}
      <div className="figures" style={{ marginTop: 12 }}>
        {pages.map((page) => (
          <Link key={page.id} to={page.url as '/'} className="panel">
            {textOf(page.description)}
          </Link>
        ))}
      </div>
    </>
  )
}

function Today() {
  const say = useTexts()
  const { language } = useLanguage()
  const { data } = useRead(reportOrderDays, { datetype: '2' })
  const figures = [
    {
      name: say('console.home.income'),
      value: formatYuan(data?.total.totalIncome ?? 0),
      before: formatYuan(data?.previous.totalIncome ?? 0),
    },
    {
      name: say('console.home.orders'),
      value: formatCount(data?.total.totalCount ?? 0, language),
      before: formatCount(data?.previous.totalCount ?? 0, language),
    },
  ]
  return (
    <section className="figures" aria-label={say('console.home.today')} aria-busy={!data}>
      {figures.map(({ name, value, before }) => (
        <div key={name} className="panel">
          <span className="hint">
            {say('console.home.today')} · {name}
          </span>
          <strong>{value}</strong>
          <span className="hint">{say('console.home.comparedWith', { amount: before })}</span>
        </div>
      ))}
    </section>
  )
}
