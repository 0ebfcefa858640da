import { useTexts } from '../kit/language.tsx'
import { PageTitle } from '../kit/screen-header.tsx'
import { useUser } from '../kit/user.ts'
import { Dashboard } from '../reports/dashboard.tsx'
import { ProfilePanel } from '../identity/profile-panel.tsx'

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
      <Dashboard />
      <h2>{say('identity.profile.title')}</h2>
      <ProfilePanel />
    </>
  )
}
