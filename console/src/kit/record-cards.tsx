import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { useId, useState, type ReactNode } from 'react'
import type { TableColumn } from './data-table.tsx'
import { Facts } from './facts.tsx'
import { useTexts } from './language.tsx'
import { ActionsOf } from './row-actions.tsx'
import type { RowSelection } from './row-selection.ts'
import { PageTick, RowTick } from './row-ticks.tsx'

interface Props<R> {
  columns: readonly TableColumn<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string
  /** What a row is called by who cannot see it; its key when absent. */
  nameOf?: ((row: R) => string) | undefined
  /** Whether a row has something to say under a column; what has not is left out. */
  hasValue: (row: R, column: TableColumn<R>) => boolean
  actions?: ((row: R) => ReactNode) | undefined
  expanded?: ((row: R) => ReactNode) | undefined
  selection?: RowSelection<R> | undefined
}

/** The rows of a table on a phone: a card each, the first column as its title. */
export function RecordCards<R>(props: Props<R>) {
  const { columns, rows, keyOf, nameOf = keyOf, hasValue, actions, expanded, selection } = props
  const [first, ...rest] = columns
  return (
    <>
      {selection && (
        <div className="cards-tick">
          <PageTick selection={selection} rows={rows} keyOf={keyOf} showsWord />
        </div>
      )}
      <ul className="cards" tabIndex={-1}>
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
            <CardFoot
              name={nameOf(row)}
              actions={actions && <ActionsOf name={nameOf(row)}>{actions(row)}</ActionsOf>}
              details={expanded && (() => expanded(row))}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

interface FootProps {
  /** What the row is called. */
  name: string
  actions: ReactNode
  details: (() => ReactNode) | undefined
}

/** What can be done with a row, and what its card shows more when it is opened: a phone shows several of them at once. */
function CardFoot({ name, actions, details }: FootProps) {
  const say = useTexts()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className="card-foot">
        {actions}
        {details && (
          <button
            type="button"
            className="card-more"
            aria-expanded={isOpen}
            {...(isOpen ? { 'aria-controls': id } : {})}
            aria-label={`${say('console.list.details')} ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />} {say('console.list.details')}
          </button>
        )}
      </div>
      {details && isOpen && <div id={id}>{details()}</div>}
    </>
  )
}
