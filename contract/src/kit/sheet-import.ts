import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { filter, flag, instant, recordId } from './fields.ts'

const megabyte = 1024 * 1024

/** Most that a file of rows may be; what is unpacked of it is counted while it is read. */
export const importLimits = { bytes: 5 * megabyte, unpackedBytes: 10 * megabyte, rows: 5000 } as const

/** Media type of an .xlsx file. */
export const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A column that somebody fills in; its limits are those of the field of the single call. */
export interface ImportColumn {
  /** Field of the single call that the cell goes to. */
  field: string
  /** Key of its title; both languages are understood. */
  text: string
  /** `yuan`: an amount in yuan for a field in cents. `choice`: a word that stands for an id. */
  reads?: 'yuan' | 'choice'
  /** Key of what else there is to know of it, with its values. */
  hint?: string
  hintValues?: Record<string, number>
}

/** The rows of a sheet, each of which goes to the single call that adds one. */
export interface SheetImport<Add extends Endpoint = Endpoint> {
  kind: 'devices' | 'places' | 'goods'
  add: Add
  columns: readonly ImportColumn[]
  /** Names of the sheet to fill in, and of the one with the rows that failed. */
  fileNames: { blank: string; failed: string }
}

/** Keeps the type of the single call. */
export const sheetImport = <Add extends Endpoint>(declared: SheetImport<Add>): SheetImport<Add> => declared

/** What every import takes, beside what its rows have in common. */
export const importFields = {
  file: z.custom<Uint8Array>((value) => value instanceof Uint8Array, { error: 'sheetMissing' }),
  /** Only says what would happen. */
  dryrun: filter(flag),
  /** For rows that were imported before: the id of that import, which is knowingly done again. */
  again: filter(recordId),
}

/** What came, or would come, of a file. */
export const ImportOutcome = z.object({
  dryRun: z.boolean(),
  /** Rows that hold something. */
  total: z.int(),
  /** Rows that were added, in a dry run: would be. */
  good: z.int(),
  bad: z.int(),
  /** The rows that were not, by their number in the sheet, with a message at each field that is wrong. */
  rows: z.array(z.object({ row: z.int(), name: z.string(), fields: z.record(z.string(), z.string()) })),
  /** Titles of columns that are not of this import; what stands below them is left out. */
  ignored: z.array(z.string()),
  /** The Excel file of the failed rows with their reasons, as base64; empty when none failed. */
  failedRows: z.string(),
  /** The last import of just these rows. */
  repeats: z.object({ id: z.int(), at: instant, userName: z.string(), good: z.int() }).nullable(),
})
export type ImportOutcome = z.output<typeof ImportOutcome>

/** A call that takes a sheet. */
export type ImportEndpoint<Outcome extends ImportOutcome = ImportOutcome> = Endpoint<
  string,
  z.ZodObject,
  z.ZodType<Outcome>
>

/** What all imports have in common; the good rows are added in one transaction, the others are answered. */
export const importCall = {
  verb: 'POST',
  takesFile: { field: 'file', maxBytes: importLimits.bytes },
} as const

/** Also refused: rows that were imported already, and when too many files are being read. */
export const importRefusals = ['importedAlready', 'unavailable'] as const

/** What the sheets to fill in have in common. */
export const blankSheetCall = {
  verb: 'GET',
  input: z.object({}),
  file: sheetType,
  data: z.custom<Uint8Array>(),
  refuses: [],
} as const
