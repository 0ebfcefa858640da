import { App } from 'antd'
import { networkFailure } from '../kit/call.ts'
import { useTexts } from '../kit/language.tsx'
import { PlainPage } from '../kit/plain-page.tsx'
import { isReachable, NotReached } from '../kit/reachable.ts'

export const NotFoundPage = () => (
  <PlainPage title="console.blocked.notFound" explain="console.blocked.notFoundExplain" />
)

/** An error of a screen, or a part of it that could not be fetched: a new version may be out, or the connection lost. */
export function BrokenPage({ error }: { error: unknown }) {
  const say = useTexts()
  const { message } = App.useApp()
  const loadAgain = async () => {
    if (await isReachable()) location.reload()
    else void message.error(say('console.list.failed', { reason: networkFailure(0).message }))
  }
  const isLost = error instanceof NotReached
  return (
    <PlainPage
      title={isLost ? 'console.blocked.notReached' : 'console.blocked.broken'}
      explain={isLost ? 'console.blocked.notReachedExplain' : 'console.blocked.brokenExplain'}
      retry={() => void loadAgain()}
    />
  )
}
