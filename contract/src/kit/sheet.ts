import type { UserType } from '../identity/user-types.ts'

/** How a column's values are written in a sheet and drawn on a screen. */
export type ColumnKind =
  | 'id'
  | 'text'
  | 'integer'
  | 'money'
  | 'dateTime'
  | 'date'
  | 'duration'
  | 'status'
  | 'code'

/** A column that a list's screen and its Excel file share; `text` is a key of the locales. */
export interface SheetColumn {
  field: string
  text: string
  kind: ColumnKind
  /**
   * Prefix of the locale keys of the values; a sheet takes several of a `status` at once. A `code` need not have words.
   */
  valueText?: string
  /** Whether the total row sums it. */
  totalled?: boolean
  /** Who has it; everybody when absent. */
  types?: readonly UserType[]
}

/** The columns of a list for somebody; of one field there may be several, each for others. */
export const columnsFor = (columns: readonly SheetColumn[], type: UserType | undefined): SheetColumn[] =>
  columns.filter(({ types }) => types === undefined || (type !== undefined && types.includes(type)))
