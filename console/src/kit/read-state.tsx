import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Empty } from 'antd'
import type { ReactNode } from 'react'
import { useTexts } from './language.tsx'
import { Loading } from './loading.tsx'

interface Props {
  read: UseQueryResult<unknown, Error>
  isEmpty?: boolean
  children: ReactNode
}

/** What stands in the place of data: on its way, failed with its reason and another try, or nothing there. */
export function ReadState({ read, isEmpty = false, children }: Props) {
  const say = useTexts()
  if (read.isError) {
    return (
      <div className="notice" role="alert">
        <p>{say('console.list.failed', { reason: read.error.message })}</p>
        <Button type="primary" onClick={() => void read.refetch()}>
          {say('console.list.retry')}
        </Button>
      </div>
    )
  }
  if (read.data === undefined) return <Loading />
  if (isEmpty) {
    return (
      <div className="notice">
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('console.list.empty')} />
        <p className="hint">{say('console.list.emptyHint')}</p>
      </div>
    )
  }
  return children
}
