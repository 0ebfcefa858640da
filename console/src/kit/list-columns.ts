import type { Endpoint, SheetColumn } from '@chairside/contract'

/** Which columns a list has; declared by constants, beside those that the call's sheet gives. */
export interface ColumnsDefinition {
  endpoint: Endpoint
  /** The columns of a list without an Excel file. */
  columns?: readonly SheetColumn[] | undefined
  /** Columns of the sheet that this list never shows: others say the same, or it says nothing to who looks. */
  hiddenColumns?: readonly string[] | undefined
  /** Columns that are left to the details until somebody wants to see them. */
  optionalColumns?: readonly string[] | undefined
  /** Columns of the screen alone, after the one named `after`. */
  extraColumns?: readonly (SheetColumn & { after: string })[] | undefined
  /** The column that stays in any case, since it leads to the details. */
  fixedColumn?: string | undefined
}

/** The columns to choose from, in the order of the call's sheet. */
export function offeredColumns(definition: ColumnsDefinition): SheetColumn[] {
  const { endpoint, hiddenColumns = [], extraColumns = [] } = definition
  const { columns = endpoint.sheet?.columns ?? [] } = definition
  return columns
    .flatMap((column) => [column, ...extraColumns.filter(({ after }) => after === column.field)])
    .filter(({ field }) => !hiddenColumns.includes(field))
}

/**
 * The columns that somebody sees; there is one at least.
 * @param hidden those that they chose not to see, undefined when they chose nothing
 */
export function shownColumns(definition: ColumnsDefinition, hidden?: readonly string[]): SheetColumn[] {
  const { optionalColumns = [], fixedColumn } = definition
  const offered = offeredColumns(definition)
  const unseen = hidden ?? optionalColumns
  const shown = offered.filter(({ field }) => field === fixedColumn || !unseen.includes(field))
  return shown.length > 0 ? shown : offered
}
