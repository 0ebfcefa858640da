import { Fragment, useId, useState, type ReactNode } from 'react'
import { useTexts } from './language.tsx'
import type { RowSelection } from './row-selection.ts'
import { PageTick, RowTick } from './row-ticks.tsx'
import './data-table.css'

export interface TableColumn<R> {
  key: string
  title: string
  /** In pixels; what is left over is spread over all columns. */
  width: number
  isNumeric?: boolean
  /** Long words end in an ellipsis instead of a second line. */
  isOneLine?: boolean
  /** Stays in sight at the right when the table is wider than its place. */
  isPinned?: boolean
  draw: (row: R) => ReactNode
}

interface Props<R> {
  /** Name of the table for who does not see its title. */
  label: string
  columns: readonly TableColumn<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string
  /** What a row is called by who cannot see it; its key when absent. */
  nameOf?: ((row: R) => string) | undefined
  /** What a row shows more when it is opened. */
  expanded?: ((row: R) => ReactNode) | undefined
  /** Lets rows be ticked. */
  selection?: RowSelection<R> | undefined
  /** Cells of a last row that sums the others, by column. */
  summary?: ((column: TableColumn<R>, index: number) => ReactNode) | undefined
}

const expanderWidth = 36
const tickWidth = 36
/** A few columns are not torn apart over a wide screen. */
const mostStretched = 2

/**
 * A plain table: antd's brings trees, trees of columns and a pager of its own, which cost a quarter of the first load.
 * A table wider than its place scrolls inside its frame, never the page.
 */
export function DataTable<R>(props: Props<R>) {
  const { label, columns, rows, keyOf, nameOf = keyOf, expanded, selection, summary } = props
  const say = useTexts()
  const extraWidth = (expanded ? expanderWidth : 0) + (selection ? tickWidth : 0)
  const width = columns.reduce((sum, column) => sum + column.width, extraWidth)
  return (
    <div className="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table style={{ minWidth: width, maxWidth: mostStretched * width }}>
        <colgroup>
          {selection && <col style={{ width: tickWidth }} />}
          {expanded && <col style={{ width: expanderWidth }} />}
          {columns.map((column) => (
            <col key={column.key} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th scope="col">
                <PageTick selection={selection} rows={rows} keyOf={keyOf} />
              </th>
            )}
            {expanded && (
              <th scope="col">
                <span className="unseen">{say('console.list.details')}</span>
              </th>
            )}
            {columns.map((column) => (
              <th key={column.key} scope="col" className={cellClass(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow
              key={keyOf(row)}
              keyOf={keyOf}
              nameOf={nameOf}
              row={row}
              columns={columns}
              expanded={expanded}
              selection={selection}
            />
          ))}
        </tbody>
        {summary && (
          <tfoot>
            <tr>
              {selection && <td aria-label={say('console.list.selectPage')} />}
              {expanded && <td aria-label={say('console.list.details')} />}
              {columns.map((column, index) => (
                <td key={column.key} className={cellClass(column)}>
                  {summary(column, index)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

function cellClass<R>({ isNumeric, isOneLine, isPinned }: TableColumn<R>): string {
  return [isNumeric && 'numeric', isOneLine && 'one-line', isPinned && 'pinned'].filter(Boolean).join(' ')
}

interface RowProps<R> {
  keyOf: (row: R) => string
  nameOf: (row: R) => string
  row: R
  columns: readonly TableColumn<R>[]
  expanded: ((row: R) => ReactNode) | undefined
  selection: RowSelection<R> | undefined
}

function TableRow<R>({ keyOf, nameOf, row, columns, expanded, selection }: RowProps<R>) {
  const say = useTexts()
  const moreId = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <Fragment>
      <tr>
        {selection && (
          <td>
            <RowTick selection={selection} row={row} keyOf={keyOf} />
          </td>
        )}
        {expanded && (
          <td>
            <button
              type="button"
              className="icon-button"
              aria-expanded={isOpen}
              {...(isOpen ? { 'aria-controls': moreId } : {})}
              aria-label={say('console.list.expand', { row: nameOf(row) })}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? '−' : '+'}
            </button>
          </td>
        )}
        {columns.map((column) => (
          <td key={column.key} className={cellClass(column)}>
            {column.draw(row)}
          </td>
        ))}
      </tr>
      {expanded && isOpen && (
        <tr id={moreId} className="table-more">
          <td colSpan={columns.length + (selection ? 2 : 1)}>{expanded(row)}</td>
        </tr>
      )}
    </Fragment>
  )
}
