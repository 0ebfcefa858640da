import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'

interface Props {
  children: ReactNode
  /** Why it cannot be done now; the button can still be reached and says so. */
  disabledBecause?: string | undefined
  danger?: boolean
  onClick: () => void
}

/** A row's action. A disabled one stays focusable, so that its reason can be read on focus and hover. */
export function ActionButton({ children, disabledBecause, danger = false, onClick }: Props) {
  const button = (
    <Button
      size="small"
      danger={danger}
      aria-disabled={disabledBecause !== undefined}
      className={disabledBecause === undefined ? '' : 'disabled-action'}
      onClick={(event) => {
        event.stopPropagation()
        if (disabledBecause === undefined) onClick()
      }}
    >
      {children}
    </Button>
  )
  return disabledBecause === undefined ? (
    button
  ) : (
    <Tooltip title={disabledBecause} trigger={['hover', 'focus']}>
      {button}
    </Tooltip>
  )
}
