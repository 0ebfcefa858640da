import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { formatCount } from './formats.ts'
import { useLanguage, useTexts } from './language.tsx'
import { chooseRows, type RowSelection } from './row-selection.ts'

interface TickProps<R> {
  selection: RowSelection<R>
  rows: readonly R[]
  keyOf: (row: R) => string
}

/** Ticks a row. */
export function RowTick<R>({ selection, row, keyOf }: Omit<TickProps<R>, 'rows'> & { row: R }) {
  const say = useTexts()
  const key = keyOf(row)
  return (
    <Checkbox
      aria-label={say('console.list.select', { row: key })}
      checked={selection.chosen.has(key)}
      onChange={({ target }) =>
        selection.onChange(chooseRows(selection.chosen, [row], keyOf, target.checked))
      }
    />
  )
}

/** Ticks the rows of this page, and no others; `showsWord` where no column is above it. */
export function PageTick<R>({
  selection,
  rows,
  keyOf,
  showsWord = false,
}: TickProps<R> & { showsWord?: boolean }) {
  const say = useTexts()
  const word = say('console.list.selectPage')
  const count = rows.filter((row) => selection.chosen.has(keyOf(row))).length
  return (
    <Checkbox
      {...(showsWord ? {} : { 'aria-label': word })}
      disabled={rows.length === 0}
      checked={rows.length > 0 && count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      onChange={({ target }) => selection.onChange(chooseRows(selection.chosen, rows, keyOf, target.checked))}
    >
      {showsWord && word}
    </Checkbox>
  )
}

interface CountProps<R> {
  selection: RowSelection<R>
  /** Rows that match, on all pages. */
  total: number
  /** Fetches and chooses all that matches. */
  onChooseAll: () => Promise<void>
}

/** How many are chosen, on whatever page, the way to choose all that matches, and the way to choose none. */
export function SelectionCount<R>({ selection, total, onChooseAll }: CountProps<R>) {
  const say = useTexts()
  const { language } = useLanguage()
  const [busy, setBusy] = useState(false)
  const { size } = selection.chosen
  const chooseAll = () => {
    setBusy(true)
    void onChooseAll().finally(() => setBusy(false))
  }
  return (
    <div className="selection-count" role="status">
      {size > 0 && (
        <>
          {say('console.list.selected', { count: formatCount(size, language) })}
          {selection.offersAll && size < total && (
            <Button size="small" loading={busy} onClick={chooseAll}>
              {say('console.list.selectMatching', { count: formatCount(total, language) })}
            </Button>
          )}
          <Button size="small" onClick={() => selection.onChange(new Map())}>
            {say('console.list.clearSelection')}
          </Button>
        </>
      )}
    </div>
  )
}
