import { formatYuan } from '@chairside/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTexts } from './language.tsx'

/** A sum beside its name: on its way, or another try when it could not be read. */
export function ReadSum({ read }: { read: UseQueryResult<unknown, Error> }) {
  const say = useTexts()
  if (read.isError && read.data === undefined)
    return (
      <Button type="link" onClick={() => void read.refetch()}>
        {say('console.list.retry')}
      </Button>
    )
  // The sum of another question is not shown as the answer to this one.
  const sum = read.isPlaceholderData ? undefined : read.data
  return <strong>{typeof sum === 'number' ? formatYuan(sum) : '…'}</strong>
}
