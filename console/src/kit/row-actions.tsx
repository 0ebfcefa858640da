import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useRef, useState } from 'react'
import { ActionButton } from './action-button.tsx'
import { useTexts } from './language.tsx'

export interface RowAction {
  key: string
  text: string
  danger?: boolean
  act: () => void
}

interface Props {
  /** What the row is called by who cannot see it. */
  row: string
  actions: readonly RowAction[]
  /** How many stand in the row; the others are in its menu, so that a row stays one line. */
  shown?: number
}

/** What can be done with a row: the first actions as buttons, the rest behind "more". */
export function RowActions({ row, actions, shown = 1 }: Props) {
  // A menu of one would only hide it.
  const inRow = actions.length <= shown + 1 ? actions : actions.slice(0, shown)
  const inMenu = actions.slice(inRow.length)
  return (
    <>
      {inRow.map(({ key, text, danger = false, act }) => (
        <ActionButton key={key} danger={danger} onClick={act}>
          {text}
        </ActionButton>
      ))}
      {inMenu.length > 0 && <MoreActions row={row} actions={inMenu} />}
    </>
  )
}

function MoreActions({ row, actions }: Pick<Props, 'row' | 'actions'>) {
  const say = useTexts()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const change = (next: boolean) => {
    setOpen(next)
    // Closed by a key, the menu takes the focus with it; it goes back to where it was opened.
    const isLost = document.activeElement?.closest('[role=menu]')
    if (!next && isLost) button.current?.focus()
  }
  return (
    <Dropdown
      open={isOpen}
      onOpenChange={change}
      trigger={['click']}
      placement="bottomRight"
      autoFocus
      menu={{
        items: actions.map(({ key, text, danger = false }) => ({ key, label: text, danger })),
        onClick: ({ key }) => actions.find((action) => action.key === key)?.act(),
      }}
    >
      <Button
        ref={button}
        size="small"
        icon={<EllipsisOutlined aria-hidden />}
        aria-label={say('console.list.more', { row })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
      />
    </Dropdown>
  )
}
