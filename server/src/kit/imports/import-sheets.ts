import { buffer } from 'node:stream/consumers'
import { isRequired, textLimit, type ImportColumn, type SheetImport } from '@chairside/contract'
import { joinWords, type Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import { writeSheet } from '../excel/write-sheet.ts'
import type { ImportChoices } from './check-row.ts'
import { noteMark, type SheetColumnFound } from './import-titles.ts'
import type { SheetRow } from '../excel/read-sheet.ts'

/** Choices named in a note; more of them would be no note. */
const mostNamed = 30

function noteOf(
  { add }: SheetImport,
  { field, hint, hintValues }: ImportColumn,
  choices: ImportChoices,
  language: Language,
): string {
  const say = (key: string, values?: Record<string, string | number>) => translate(language, key, values)
  const max = textLimit(add, field)
  const names = choices[field]?.names ?? []
  const parts = [
    say(isRequired(add, field) ? 'imports.note.required' : 'imports.note.optional'),
    ...(max === undefined ? [] : [say('validation.tooLong', { max })]),
    ...(hint === undefined ? [] : [say(hint, hintValues)]),
    ...(names.length === 0
      ? []
      : [say('validation.notAChoice', { choices: joinWords(names.slice(0, mostNamed), language) })]),
  ]
  return `${noteMark} ${parts.join(' · ')}`
}

async function* none(): AsyncGenerator<never> {
  // A sheet to fill in has no rows.
}

/** A sheet to fill in: the titles, and below what each column takes. Its columns are text, so that zeros stay. */
export function writeBlankSheet(
  declared: SheetImport,
  choices: ImportChoices,
  language: Language,
): Promise<Buffer> {
  const columns = declared.columns.map(({ field, text }) => ({ field, text, kind: 'id' as const }))
  const notes = declared.columns.map((column) => noteOf(declared, column, choices, language))
  return buffer(writeSheet({ columns, notes, rows: none(), language, timeZone: 'UTC' }))
}

export interface FailedRow {
  row: SheetRow
  fields: Record<string, string>
}

/** The words of what is wrong with a row, each with the title of its column. */
const reasonsOf = (declared: SheetImport, fields: Record<string, string>, language: Language) =>
  Object.entries(fields)
    .map(([field, message]) => {
      const column = declared.columns.find((one) => one.field === field)
      return column ? `${translate(language, column.text)}: ${message}` : message
    })
    .join('; ')

/** The same sheet with the rows that failed and why; mended, it can be sent again as it is. */
export async function writeFailedRows(
  declared: SheetImport,
  columns: readonly SheetColumnFound[],
  failed: readonly FailedRow[],
  language: Language,
): Promise<Buffer> {
  const reasons = 'reasons'
  async function* rows() {
    yield failed.map(({ row, fields }) => ({
      ...Object.fromEntries(columns.map(({ index }) => [index, row.cells.get(index)?.text])),
      [reasons]: reasonsOf(declared, fields, language),
    }))
  }
  const written = [...columns.map(({ index }) => String(index)), reasons].map((field) => ({
    field,
    text: field,
    kind: field === reasons ? ('text' as const) : ('id' as const),
  }))
  const titles = [...columns.map(({ title }) => title), translate(language, 'imports.reasons')]
  return buffer(writeSheet({ columns: written, titles, rows: rows(), language, timeZone: 'UTC' }))
}
