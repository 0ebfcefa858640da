import { Link } from '@tanstack/react-router'
import type { AddressState } from './address.ts'
import { useTexts } from './language.tsx'

interface Props {
  /** From the top down to what is shown. */
  steps: readonly { name: string; address: AddressState }[]
}

/** The way down a hierarchy to what is shown; each step leads back to it on the same screen. */
export function DrillDown({ steps }: Props) {
  const say = useTexts()
  return (
    <nav className="drill-down" aria-label={say('console.list.trail')}>
      <ol>
        {steps.map(({ name, address }, index) => (
          <li key={JSON.stringify(address)}>
            {index === steps.length - 1 ? (
              <span aria-current="page">{name}</span>
            ) : (
              <Link to="." search={address as never} activeOptions={{ exact: true }}>
                {name}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
