import type { ReactNode } from 'react'
import { useTexts } from './language.tsx'

/** What the browser's tab says; React lifts it into the document's head. */
export const PageTitle = ({ children }: { children: string }) => <title>{children}</title>

interface Props {
  title: string
  /** How the screen is, such as live. */
  beside?: ReactNode
  /** What can be done with the whole of it. */
  children?: ReactNode
}

/** The title of a screen, with how it is and what can be done with it. */
export function ScreenHeader({ title, beside, children }: Props) {
  const say = useTexts()
  return (
    <div className="screen-header">
      <PageTitle>{`${title} · ${say('console.app.name')}`}</PageTitle>
      <div className="screen-title">
        <h1>{title}</h1>
        {beside}
      </div>
      {children && <div className="screen-actions">{children}</div>}
    </div>
  )
}
