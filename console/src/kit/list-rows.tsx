import type { SheetColumn } from '@chairside/contract'
import type { ReactNode } from 'react'
import { drawCell, isNumeric } from './cell.tsx'
import { DataTable, type TableColumn } from './data-table.tsx'
import { idWidth } from './id-width.ts'
import { useLanguage, useTextOf, useTexts } from './language.tsx'
import { shownColumns, type ColumnsDefinition } from './list-columns.ts'
import { useNarrow } from './narrow.ts'
import { RecordCards } from './record-cards.tsx'
import { ActionsOf } from './row-actions.tsx'
import type { RowSelection } from './row-selection.ts'
import { useUser } from './user.ts'

export type Row = Record<string, unknown>

/** How the rows of a list look; declared by constants. */
export interface RowsDefinition<R extends Row> extends Omit<ColumnsDefinition, 'fixedColumn'> {
  rowKey: keyof R & string
  /** What a row is called by who cannot see it, where its key says nothing. */
  rowName?: (keyof R & string) | undefined
  /** Of rows that no one field tells apart. */
  keyOf?: ((row: R) => string) | undefined
  /** Widths that differ from those of the column's kind, in pixels. */
  widths?: Partial<Record<string, number>> | undefined
  /** How some columns are drawn otherwise than their kind says. */
  draw?: Partial<Record<string, (row: R) => ReactNode>> | undefined
  actions?: ((row: R) => ReactNode) | undefined
  expanded?: ((row: R) => ReactNode) | undefined
  /** Lets rows be ticked, by their keys. */
  selection?: RowSelection<R> | undefined
  /** Opens the details of a row; its id leads there. */
  onOpen?: ((row: R) => void) | undefined
}

const widthOf: Record<SheetColumn['kind'], number> = {
  id: 208,
  text: 168,
  integer: 84,
  money: 92,
  dateTime: 168,
  date: 120,
  duration: 76,
  status: 124,
  code: 168,
}

/** The id that opens the details is seen in any case. */
export function columnsOf<R extends Row>(rows: RowsDefinition<R>): ColumnsDefinition {
  return { ...rows, fixedColumn: rows.onOpen && rows.rowKey }
}

/** The rows of a list: a table, or cards on a phone. */
export function ListRows<R extends Row>(props: RowsDefinition<R> & { label: string; rows: readonly R[] }) {
  const { label, rows, rowKey, draw = {}, widths = {}, actions, expanded, selection, onOpen } = props
  const say = useTexts()
  const textOf = useTextOf()
  const narrow = useNarrow()
  const { language } = useLanguage()
  const { hiddenColumns } = useUser()
  const keyOf = props.keyOf ?? ((row: R) => String(row[rowKey]))
  const nameOf = (row: R) => String(row[props.rowName ?? rowKey])
  const idWidthOf = ({ field, kind }: SheetColumn) =>
    kind === 'id' ? idWidth(rows.map((row) => row[field])) : 0
  const columns: TableColumn<R>[] = shownColumns(columnsOf(props), hiddenColumns[props.endpoint.path]).map(
    (column) => ({
      key: column.field,
      title: textOf(column.text),
      width: Math.max(widths[column.field] ?? widthOf[column.kind], idWidthOf(column)),
      isNumeric: isNumeric(column),
      isOneLine: column.kind === 'text',
      draw: (row) =>
        draw[column.field]?.(row) ??
        drawCell(
          column,
          row[column.field],
          language,
          onOpen && column.field === rowKey ? () => onOpen(row) : undefined,
        ),
    }),
  )
  if (narrow) {
    const hasValue = (row: R, { key }: TableColumn<R>) => !isEmpty(draw[key]?.(row) ?? row[key])
    return (
      <RecordCards
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hasValue={hasValue}
        actions={actions}
        expanded={expanded}
        selection={selection}
      />
    )
  }
  const actionColumn: TableColumn<R>[] = actions
    ? [
        {
          key: 'actions',
          title: say('console.list.actions'),
          width: widths['actions'] ?? 164,
          isPinned: true,
          draw: (row) => <ActionsOf name={(nameOf ?? keyOf)(row)}>{actions(row)}</ActionsOf>,
        },
      ]
    : []
  return (
    <DataTable
      label={label}
      columns={[...columns, ...actionColumn]}
      rows={rows}
      keyOf={keyOf}
      nameOf={nameOf}
      expanded={expanded}
      selection={selection}
    />
  )
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
