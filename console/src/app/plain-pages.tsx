import type { TextKey } from '@chairside/contract/locales/texts'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useTexts } from '../kit/language.tsx'
import { Mark } from '../kit/mark.tsx'
import { ScreenHeader } from '../kit/screen-header.tsx'

function PlainPage({ title, explain, retry }: { title: TextKey; explain: TextKey; retry?: () => void }) {
  const say = useTexts()
  return (
    <div className="notice">
      <Mark size={48} />
      <ScreenHeader title={say(title)} />
      <p className="hint">{say(explain)}</p>
      {retry && <Button onClick={retry}>{say('console.list.retry')}</Button>}{' '}
      <Link to="/">{say('console.blocked.back')}</Link>
    </div>
  )
}

export const NotFoundPage = () => (
  <PlainPage title="console.blocked.notFound" explain="console.blocked.notFoundExplain" />
)

export const BlockedPage = () => (
  <PlainPage title="console.blocked.access" explain="console.blocked.accessExplain" />
)

/** An error of a screen, or a part of it that could not be fetched (a new version may be out). */
export const BrokenPage = () => (
  <PlainPage
    title="console.blocked.broken"
    explain="console.blocked.brokenExplain"
    retry={() => location.reload()}
  />
)
