import type { ReactNode } from 'react'
import type { TableColumn } from './data-table.tsx'
import { Facts } from './facts.tsx'
import type { RowSelection } from './row-selection.ts'
import { RowTick } from './row-ticks.tsx'

interface Props<R> {
  columns: readonly TableColumn<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string
  /** Whether a row has something to say under a column; what has not is left out. */
  hasValue: (row: R, column: TableColumn<R>) => boolean
  actions?: ((row: R) => ReactNode) | undefined
  expanded?: ((row: R) => ReactNode) | undefined
  selection?: RowSelection<R> | undefined
}

/** The rows of a table on a phone: a card each, the first column as its title. */
export function RecordCards<R>(props: Props<R>) {
  const { columns, rows, keyOf, hasValue, actions, expanded, selection } = props
  const [first, ...rest] = columns
  return (
    <ul className="cards">
      {rows.map((row) => (
        <li key={keyOf(row)} className="card">
          <div className="card-title">
            {selection && <RowTick selection={selection} row={row} keyOf={keyOf} />}
            {first?.draw(row)}
          </div>
          <Facts
            facts={rest
              .filter((column) => hasValue(row, column))
              .map((column) => [column.title, column.draw(row)] as const)}
          />
          {expanded?.(row)}
          {actions && <div className="row-actions">{actions(row)}</div>}
        </li>
      ))}
    </ul>
  )
}
