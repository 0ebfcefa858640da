/** How a column's values are written in a sheet and drawn on a screen. */
export type ColumnKind = 'id' | 'text' | 'integer' | 'money' | 'dateTime' | 'date' | 'duration' | 'status'

/** A column that a list's screen and its Excel file share; `text` is a key of the locales. */
export interface SheetColumn {
  field: string
  text: string
  kind: ColumnKind
  /** For `status`: prefix of the locale keys of the values. */
  valueText?: string
  /** Whether the total row sums it. */
  totalled?: boolean
}
