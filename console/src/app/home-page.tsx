import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { ownPathOf, usePages } from '../kit/pages.ts'
import { PageTitle } from '../kit/screen-header.tsx'
import { useUser } from '../kit/user.ts'
import { forgetWantedAddress, readWantedAddress } from '../kit/wanted-address.ts'
import { Dashboard } from '../reports/dashboard.tsx'
import { ProfilePanel } from '../identity/profile-panel.tsx'

/** The way to what somebody asked for before the login, which always leads here (spec 1 §2). */
function WantedAddress() {
  const say = useTexts()
  const textOf = useTextOf()
  const { pages } = usePages()
  const [wanted] = useState(readWantedAddress)
  useEffect(forgetWantedAddress, [])
  if (wanted === null) return null
  const { pathname: sent, searchParams } = new URL(wanted, location.origin)
  const pathname = ownPathOf(sent, pages)
  const page = pages.find(({ url }) => pathname === url || pathname.startsWith(`${url}/`))
  if (!page) return null
  return (
    <p className="panel wanted" role="status">
      {say('console.home.wanted')}{' '}
      <Link to={pathname as '/'} search={Object.fromEntries(searchParams) as never}>
        {textOf(page.description)}
      </Link>
    </p>
  )
}

/** The first screen: what the day brings, and who one is (spec 1 §2). */
export function HomePage() {
  const say = useTexts()
  const { realName, userName } = useUser()
  return (
    <>
      <PageTitle>{`${say('console.app.home')} · ${say('console.app.name')}`}</PageTitle>
      <div className="screen-header">
        <h1>{say('console.home.welcome', { name: realName || userName })}</h1>
      </div>
      <WantedAddress />
      <Dashboard />
      <h2>{say('identity.profile.title')}</h2>
      <ProfilePanel />
    </>
  )
}
