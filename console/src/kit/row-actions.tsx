import { EllipsisOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { ActionButton } from './action-button.tsx'
import { ActionMenu, type MenuAction } from './action-menu.tsx'
import { useTexts } from './language.tsx'

export type RowAction = MenuAction

interface Props {
  /** What the row is called by who cannot see it. */
  row: string
  actions: readonly RowAction[]
  /** How many have a button in the row; the others are in its menu, so that a row stays one line. */
  shown?: number
}

/** The place of a row's actions, called like the row: their buttons are called the same in each. */
export const ActionsOf = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="row-actions" role="group" aria-label={name}>
    {children}
  </div>
)

/** What can be done with a row: the first actions as buttons, the rest behind "more". */
export function RowActions({ row, actions, shown = 1 }: Props) {
  const say = useTexts()
  // A menu of one would only hide it.
  const inRow = shown > 0 && actions.length <= shown + 1 ? actions : actions.slice(0, shown)
  const inMenu = actions.slice(inRow.length)
  return (
    <>
      {inRow.map(({ key, text, danger = false, disabledBecause, act }) => (
        <ActionButton key={key} danger={danger} disabledBecause={disabledBecause} onClick={act}>
          {text}
        </ActionButton>
      ))}
      {inMenu.length > 0 && (
        <ActionMenu
          size="small"
          icon={<EllipsisOutlined aria-hidden />}
          label={say('console.list.more', { row })}
          actions={inMenu}
        />
      )}
    </>
  )
}
