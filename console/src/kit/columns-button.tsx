import { TableOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTexts } from './language.tsx'
import { lazyDialog } from './lazy-part.tsx'
import type { ColumnsDefinition } from './list-columns.ts'

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
      <Button icon={<TableOutlined aria-hidden />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {say('console.columns.open')}
      </Button>
      {isOpen && <ColumnsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
