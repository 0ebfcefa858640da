import { Link } from '@tanstack/react-router'
import { Result } from 'antd'
import { useTexts } from '../kit/language.tsx'
import type { TextKey } from '@chairside/contract/locales/texts'

function PlainPage({ text, status }: { text: TextKey; status: '403' | '404' | 'error' }) {
  const say = useTexts()
  return (
    <Result status={status} title={say(text)} extra={<Link to="/">{say('console.blocked.back')}</Link>} />
  )
}

export const NotFoundPage = () => <PlainPage text="console.blocked.notFound" status="404" />
export const BrokenPage = () => <PlainPage text="console.blocked.broken" status="error" />
export const BlockedPage = () => <PlainPage text="console.blocked.access" status="403" />
