import type { ReactNode } from 'react'
import { useTexts } from './language.tsx'

/** Names with their values, two or more beside each other; what is empty shows a dash. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const say = useTexts()
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null || value === undefined || value === '' ? say('console.list.none') : value}</dd>
        </div>
      ))}
    </dl>
  )
}
