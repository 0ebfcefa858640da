import { readYuan, type ImportColumn, type SheetImport } from '@chairside/contract'
import { fieldMessages } from '@chairside/contract/locales/field-messages'
import type { Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import type { SheetCell } from '../excel/cell-values.ts'
import { isUnkeepable } from '../keepable-text.ts'

/** Words that stand for ids. */
export interface ImportChoice {
  names: readonly string[]
  idOf(name: string): number | undefined
  /** Key of the message for a word that stands for nothing. */
  unknown: string
}

/** Choices by field. */
export type ImportChoices = Readonly<Record<string, ImportChoice>>

/** The cells of a row by field. */
export type RowCells = ReadonlyMap<ImportColumn, SheetCell>

/** A row as the single call takes it, or a message at each field that it would not take. */
export type CheckedRow = { values: Record<string, unknown> } | { fields: Record<string, string> }

/** Longest part of a cell that is repeated in a message. */
const mostQuoted = 40

/** The value of a cell for its field, or the key of what is wrong with it. */
function readCell(
  { field, reads }: ImportColumn,
  { text, fault }: SheetCell,
  choices: ImportChoices,
): { value: unknown } | { fault: string; values?: Record<string, string> } {
  if (fault) return { fault: `imports.cell.${fault}`, values: { value: text.slice(0, mostQuoted) } }
  if (isUnkeepable(text)) return { fault: 'validation.wrongForm' }
  if (reads === 'yuan') {
    const read = readYuan(text)
    return 'fault' in read ? read : { value: read.amountCents }
  }
  if (reads === 'choice') {
    const choice = choices[field]
    const id = choice?.idOf(text.trim())
    return id === undefined ? { fault: choice?.unknown ?? 'validation.wrongForm' } : { value: id }
  }
  return { value: text }
}

/**
 * Looks at a row with the schema of the single call, in the same words.
 * @param shared what all rows have in common, such as the template that goods are added to
 */
export function checkRow(
  { add, columns }: SheetImport,
  cells: RowCells,
  { choices, shared, language }: { choices: ImportChoices; shared: object; language: Language },
): CheckedRow {
  const values: Record<string, unknown> = { ...shared }
  const wrong: Record<string, string> = {}
  for (const column of columns) {
    const cell = cells.get(column)
    if (!cell) continue
    const read = readCell(column, cell, choices)
    if ('value' in read) values[column.field] = read.value
    else wrong[column.field] = translate(language, read.fault, read.values)
  }
  const parsed = add.input.safeParse(values, { reportInput: true })
  // A cell that could not be read is told as such, not as missing.
  const fields = { ...(parsed.success ? {} : fieldMessages(parsed.error.issues, language)), ...wrong }
  return parsed.success && Object.keys(fields).length === 0 ? { values: parsed.data } : { fields }
}
