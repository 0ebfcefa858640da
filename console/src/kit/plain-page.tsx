import type { TextKey } from '@chairside/contract/locales/texts'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useTexts } from './language.tsx'
import { Mark } from './mark.tsx'
import { ScreenHeader } from './screen-header.tsx'

interface Props {
  title: TextKey
  explain: TextKey
  retry?: () => void
}

/** A page in place of one that cannot be shown, which says why. */
export function PlainPage({ title, explain, retry }: Props) {
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

/** In the place of a screen for other kinds of users, or for who holds its key (spec 1 §8). */
export const BlockedPage = ({ isForOthers }: { isForOthers: boolean }) =>
  isForOthers ? (
    <PlainPage title="console.blocked.access" explain="console.blocked.accessExplain" />
  ) : (
    <PlainPage title="console.blocked.permission" explain="console.blocked.permissionExplain" />
  )
