import type { ImportColumn, SheetImport } from '@chairside/contract'
import { isRequired } from '@chairside/contract'
import { joinWords, languages, type Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import { SheetFault } from '../excel/sheet-fault.ts'
import type { SheetRow } from '../excel/read-sheet.ts'

/** What the line below the titles begins with in our sheets; it is no row. */
export const noteMark = '※'
/** Something may stand above the titles. */
const searchedRows = 10
/** Lines of a sheet that are no rows: what was just said. */
export const mostOtherLines = searchedRows + 1

/** A column of the sheet as it stands there. */
export interface SheetColumnFound {
  index: number
  title: string
  /** Undefined for one that is not of this import. */
  column: ImportColumn | undefined
}

/** The rows of a sheet below its titles. */
export interface TitledRows {
  columns: readonly SheetColumnFound[]
  rows: readonly SheetRow[]
}

/** A text as long as this is no title; one character can become eighteen when it is compared. */
const longestTitle = 200

/** Titles are compared without case, white space, asterisks and width of brackets. */
const plainTitle = (title: string) =>
  title.slice(0, longestTitle).normalize('NFKC').toLowerCase().replace(/[\s*]/g, '')

const titlesOf = (key: string) => languages.map((language) => plainTitle(translate(language, key)))
const isReasons = (title: string) => titlesOf('imports.reasons').includes(plainTitle(title))
const isTitled = ({ field, text }: ImportColumn, title: string) =>
  [plainTitle(field), ...titlesOf(text)].includes(plainTitle(title))

/** The columns of a line, if it is that of the titles; reasons of an earlier import are no column. */
const columnsOf = ({ columns }: SheetImport, row: SheetRow): SheetColumnFound[] =>
  [...row.cells]
    .filter(([, { text }]) => !isReasons(text))
    .map(([index, { text }]) => ({
      index,
      title: text.trim(),
      column: columns.find((column) => isTitled(column, text)),
    }))
    .toSorted((one, other) => one.index - other.index)

const knownIn = (columns: readonly SheetColumnFound[]) => columns.flatMap(({ column }) => column ?? [])

/**
 * Finds the titles, in either language and any order, and the rows below.
 * @throws SheetFault when a required column is missing or one is there twice
 */
export function findTitles(declared: SheetImport, rows: readonly SheetRow[], language: Language): TitledRows {
  const wordsOf = (columns: readonly ImportColumn[]) =>
    joinWords(
      columns.map(({ text }) => translate(language, text)),
      language,
    )
  const lines = rows.slice(0, searchedRows).map((row) => columnsOf(declared, row))
  const hits = lines.map((columns) => knownIn(columns).length)
  const place = hits.indexOf(Math.max(...hits, 1))
  const columns = lines[place]
  if (!columns) throw new SheetFault('noTitles', { titles: wordsOf(declared.columns) })
  const known = knownIn(columns)
  const twice = known.find((column, index) => known.indexOf(column) < index)
  if (twice) throw new SheetFault('columnTwice', { title: wordsOf([twice]) })
  const missing = declared.columns.filter(
    (column) => isRequired(declared.add, column.field) && !known.includes(column),
  )
  if (missing.length > 0) throw new SheetFault('columnMissing', { titles: wordsOf(missing) })
  const below = rows.slice(place + 1)
  const [first] = below
  const isNote = first !== undefined && [...first.cells.values()][0]?.text.startsWith(noteMark) === true
  return { columns, rows: isNote ? below.slice(1) : below }
}
