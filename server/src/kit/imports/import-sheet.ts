import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  importLimits,
  type ImportOutcome,
  type importFields,
  type importRefusals,
  type ParsedInputOf,
  type Endpoint,
  type SheetImport,
} from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import type { z } from 'zod'
import type { CallContext } from '../call.ts'
import { inTransaction, inTrial, type Database } from '../database.ts'
import { readSheet, type SheetRow } from '../excel/read-sheet.ts'
import { SheetFault } from '../excel/sheet-fault.ts'
import { fewAtOnce, TooManyWaitingError } from '../few-at-once.ts'
import { checkRow, type ImportChoices, type RowCells } from './check-row.ts'
import { writeFailedRows, type FailedRow } from './import-sheets.ts'
import { findTitles, mostOtherLines, type SheetColumnFound, type TitledRows } from './import-titles.ts'
import { findLastImport, holdImport, insertImport, type ImportedRows } from './imports-sql.ts'

/** Why a row is not added although its fields are well formed. */
export interface RowFault {
  field: string
  /** Key of the message, and what stands in it. */
  message: string
  values?: Record<string, string | number>
}

/** How one kind of thing is added from sheets. */
export interface Importer<Add extends Endpoint, Made extends object> {
  declared: SheetImport<Add>
  /** Words of the sheet that stand for ids. */
  choices?(db: Database): Promise<ImportChoices>
  /** What the rows are added to, with the fields of the single call that say so; refuses what is not the caller's. */
  target?(db: Database): Promise<{ id: number; name: string; shared: object }>
  /** Adds rows by the rules of the single call; answers why each of them was not added, in their order. */
  add(
    db: Database,
    rows: readonly ParsedInputOf<Add>[],
  ): Promise<{ faults: readonly (RowFault | undefined)[]; made: Made }>
}

export interface ImportContext extends Pick<CallContext, 'db' | 'caller' | 'language' | 'audit'> {
  input: z.output<z.ZodObject<typeof importFields>>
  refuse(refusal: (typeof importRefusals)[number], data?: unknown): never
  refuseField(field: 'file', messageKey: string, values?: Record<string, string | number>): never
}

/** Unpacking takes a core each; who comes when many wait is told to come again. */
const readInTurn = fewAtOnce(2, 30)

/** The rows of the file that was sent; a file that cannot be taken is refused in words. */
async function readFile(context: ImportContext, declared: SheetImport): Promise<TitledRows> {
  const { input, language, refuse, refuseField } = context
  const { bytes, unpackedBytes, rows: mostRows } = importLimits
  try {
    if (input.file.length > bytes) throw new SheetFault('tooLarge', { max: bytes / 1024 / 1024 })
    const limits = { unpackedBytes, rows: mostRows + mostOtherLines }
    const rows = await readInTurn(() => readSheet(Buffer.from(input.file), limits))
    const titled = findTitles(declared, rows, language)
    if (titled.rows.length === 0) throw new SheetFault('noRows')
    if (titled.rows.length > mostRows) throw new SheetFault('tooManyRows')
    return titled
  } catch (error) {
    if (error instanceof TooManyWaitingError) return refuse('unavailable')
    if (!(error instanceof SheetFault)) throw error
    return refuseField('file', `imports.fault.${error.fault}`, { max: mostRows, ...error.values })
  }
}

const cellsOf = (columns: readonly SheetColumnFound[], row: SheetRow): RowCells =>
  new Map(
    columns.flatMap(({ index, column }) => {
      const cell = row.cells.get(index)
      return column && cell ? [[column, cell] as const] : []
    }),
  )

/** What rows say, whatever file they came in. */
function hashOf({ columns }: SheetImport, rows: readonly RowCells[]): Buffer {
  const hash = createHash('sha256')
  for (const cells of rows)
    hash.update(`${JSON.stringify(columns.map((column) => cells.get(column)?.text.trim() ?? ''))}\n`)
  return hash.digest()
}

/** Rows looked at before others have their turn: some milliseconds. */
const rowsPerTurn = 500
const mostNameCharacters = 60

interface Judged<Values> {
  good: { row: SheetRow; values: Values }[]
  failed: FailedRow[]
}

async function judgeRows<Add extends Endpoint>(
  declared: SheetImport<Add>,
  titled: TitledRows,
  rules: Parameters<typeof checkRow>[2],
): Promise<Judged<ParsedInputOf<Add>>> {
  const judged: Judged<ParsedInputOf<Add>> = { good: [], failed: [] }
  for (const [place, row] of titled.rows.entries()) {
    const checked = checkRow(declared, cellsOf(titled.columns, row), rules)
    if ('fields' in checked) judged.failed.push({ row, fields: checked.fields })
    else judged.good.push({ row, values: checked.values as ParsedInputOf<Add> })
    if (place % rowsPerTurn === rowsPerTurn - 1) await setImmediate()
  }
  return judged
}

/** Refuses rows that were imported before, unless just that import is knowingly done again. */
function assertKnowingly({ input, refuse }: ImportContext, repeats: ImportOutcome['repeats']): void {
  if (repeats && input.again !== repeats.id)
    refuse('importedAlready', { userName: repeats.userName, good: String(repeats.good) })
}

/**
 * Adds the rows of an Excel file in one transaction, those that the single call would take, and answers the others with
 * the reasons. A dry run does the same and takes it back.
 */
export async function importSheet<Add extends Endpoint, Made extends object>(
  context: ImportContext,
  importer: Importer<Add, Made>,
): Promise<ImportOutcome & Made> {
  const { declared, add } = importer
  const { input, language, audit } = context
  const isTrial = input.dryrun === true
  if (isTrial) audit({ isTrial })
  const titled = await readFile(context, declared)
  const { organisationId, accountId, userName } = context.caller()
  const work = async (db: Database) => {
    const target = await importer.target?.(db)
    const rules = { choices: (await importer.choices?.(db)) ?? {}, shared: target?.shared ?? {}, language }
    const judged = await judgeRows(declared, titled, rules)
    const rows: ImportedRows = {
      organisationId,
      kind: declared.kind,
      targetId: target?.id ?? 0,
      contentHash: hashOf(
        declared,
        titled.rows.map((row) => cellsOf(titled.columns, row)),
      ),
    }
    if (!isTrial) await holdImport(db, rows)
    const repeats = await findLastImport(db, rows)
    if (!isTrial) assertKnowingly(context, repeats)
    const { faults, made } = await add(
      db,
      judged.good.map(({ values }) => values),
    )
    const refused = judged.good.flatMap(({ row }, place) => {
      const fault = faults[place]
      return fault
        ? [{ row, fields: { [fault.field]: translate(language, fault.message, fault.values) } }]
        : []
    })
    const failed = [...judged.failed, ...refused].toSorted((one, other) => one.row.number - other.row.number)
    const good = judged.good.length - refused.length
    if (good > 0) await insertImport(db, rows, { accountId, userName, good, bad: failed.length })
    return { made, failed, good, repeats, targetName: target?.name ?? '' }
  }
  const done = await (isTrial ? inTrial(context.db, work) : inTransaction(context.db, work))
  audit({ target: done.targetName, after: { imported: done.good, notImported: done.failed.length } })
  return { ...done.made, ...(await outcomeOf(context, declared, titled, { ...done, isTrial })) }
}

interface Done {
  isTrial: boolean
  failed: readonly FailedRow[]
  good: number
  repeats: ImportOutcome['repeats']
}

async function outcomeOf(
  { language }: ImportContext,
  declared: SheetImport,
  { columns, rows }: TitledRows,
  { isTrial, failed, good, repeats }: Done,
): Promise<ImportOutcome> {
  const [first] = columns.filter(({ column }) => column !== undefined)
  return {
    dryRun: isTrial,
    total: rows.length,
    good,
    bad: failed.length,
    rows: failed.map(({ row, fields }) => ({
      row: row.number,
      name: row.cells.get(first?.index ?? 0)?.text.slice(0, mostNameCharacters) ?? '',
      fields,
    })),
    ignored: columns.flatMap(({ column, title }) => (column ? [] : [title])),
    failedRows:
      failed.length === 0
        ? ''
        : (await writeFailedRows(declared, columns, failed, language)).toString('base64'),
    repeats,
  }
}
