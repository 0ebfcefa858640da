import { TableOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTexts } from './language.tsx'
import { lazyDialog } from './lazy-part.tsx'
import type { ColumnsDefinition } from './list-columns.ts'
import { ToolButton } from './tool-button.tsx'

const ColumnsDialog = lazyDialog(() => import('./columns-dialog.tsx').then((module) => module.ColumnsDialog))

interface Props {
  /** What the list is called. */
  title: string
  definition: ColumnsDefinition
}

/** Opens the choice of a list's columns. */
export function ColumnsButton(props: Props) {
  const say = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ToolButton
        icon={<TableOutlined aria-hidden />}
        text={say('console.columns.open')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <ColumnsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
