import type { ReactNode } from 'react'

/** Title of a screen and what can be done with the whole of it. */
export function ScreenHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="screen-header">
      <h1>{title}</h1>
      <div className="screen-actions">{children}</div>
    </div>
  )
}
