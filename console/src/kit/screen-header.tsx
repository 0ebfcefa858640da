import type { ReactNode } from 'react'
import { useTexts } from './language.tsx'

/** What the browser's tab says; React lifts it into the document's head. */
export const PageTitle = ({ children }: { children: string }) => <title>{children}</title>

/** Title of a screen and what can be done with the whole of it. */
export function ScreenHeader({ title, children }: { title: string; children?: ReactNode }) {
  const say = useTexts()
  return (
    <div className="screen-header">
      <PageTitle>{`${title} · ${say('console.app.name')}`}</PageTitle>
      <h1>{title}</h1>
      <div className="screen-actions">{children}</div>
    </div>
  )
}
