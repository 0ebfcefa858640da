import { PlainPage } from '../kit/plain-page.tsx'

export const NotFoundPage = () => (
  <PlainPage title="console.blocked.notFound" explain="console.blocked.notFoundExplain" />
)

/** An error of a screen, or a part of it that could not be fetched (a new version may be out). */
export const BrokenPage = () => (
  <PlainPage
    title="console.blocked.broken"
    explain="console.blocked.brokenExplain"
    retry={() => location.reload()}
  />
)
