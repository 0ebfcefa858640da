import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTexts } from './language.tsx'
import { Loading } from './loading.tsx'

/** A reading that failed, and can be tried again. */
interface FailedRead {
  read: { error: Error | null; refetch: () => unknown }
}

interface Props {
  read: UseQueryResult<unknown, Error>
  /** Stands in the place of the data when there is none. */
  empty?: ReactNode
  children: ReactNode
}

/**
 * What is shown in place of data: loading, failed with the reason and a way to try again, or nothing there. What is there
 * already stays, and whatever is typed in it, when it could not be read anew; that is said above it. What answers an
 * earlier question is dimmed until the present one is answered.
 */
export function ReadState({ read, empty, children }: Props) {
  if (read.data === undefined) return read.isError ? <ReadFailure read={read} /> : <Loading />
  return (
    <>
      {read.isError && (
        <div className="stale" role="alert">
          <ReadAgain read={read} />
        </div>
      )}
      <div className="read" aria-busy={read.isPlaceholderData}>
        {empty ?? children}
      </div>
    </>
  )
}

const ReadFailure = ({ read }: FailedRead) => (
  <div className="notice" role="alert">
    <ReadAgain read={read} />
  </div>
)

/** The same in the place of a part of something, as of options or a figure. */
export const PartFailure = ({ read }: FailedRead) => (
  <div className="stale" role="alert">
    <ReadAgain read={read} />
  </div>
)

/** Why something could not be read, and another try. */
function ReadAgain({ read }: FailedRead) {
  const say = useTexts()
  return (
    <>
      <p>{say('console.list.failed', { reason: read.error?.message ?? '' })}</p>
      <Button type="primary" onClick={() => read.refetch()}>
        {say('console.list.retry')}
      </Button>
    </>
  )
}
