import { Readable } from 'node:stream'
import type { SheetColumn } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import { zipOf, type ZippedFile } from '../zip-stream.ts'
import { createCellWriters, textCell } from './cells.ts'
import { bytesPerChunk, SheetBytes } from './sheet-bytes.ts'
import {
  noteStyle,
  partsAfter,
  partsBefore,
  sheetPart,
  sheetFooter,
  sheetHeader,
  titleStyle,
} from './workbook-parts.ts'

export interface SheetRequest {
  columns: readonly SheetColumn[]
  /** Words above the columns that are not texts of ours. */
  titles?: readonly string[]
  /** A second line, below the titles. */
  notes?: readonly string[]
  /** Some at a time. */
  rows: AsyncIterable<Record<string, unknown>[]>
  language: Language
  timeZone: string
  /** Rows of a sheet, all of them; as many as Excel has, but in tests. */
  rowsPerSheet?: number
}

/** What Excel has: a longer sheet is a broken file to it. */
const mostRowsPerSheet = 1_048_576
/** Titles, notes and total. */
const otherRows = 3

const rowBegin = Buffer.from('<row>')
const rowEnd = Buffer.from('</row>')

function addRow(sheet: SheetBytes, cells: Iterable<string | Buffer>): void {
  sheet.add(rowBegin)
  for (const cell of cells) sheet.add(cell)
  sheet.add(rowEnd)
}

/** The rows on their way into the sheets. */
class RowSource {
  count = 0
  #fetched: Record<string, unknown>[] = []
  readonly #iterator: AsyncIterator<Record<string, unknown>[]>

  constructor(rows: AsyncIterable<Record<string, unknown>[]>) {
    this.#iterator = rows[Symbol.asyncIterator]()
  }

  /** The next rows, no more than `most`; none when there are no more. */
  async take(most: number): Promise<Record<string, unknown>[]> {
    if (await this.isOver()) return []
    const taken = this.#fetched.length <= most ? this.#fetched : this.#fetched.slice(0, most)
    this.#fetched = taken === this.#fetched ? [] : this.#fetched.slice(most)
    this.count += taken.length
    return taken
  }

  async isOver(): Promise<boolean> {
    while (this.#fetched.length === 0) {
      const next = await this.#iterator.next()
      if (next.done) return true
      this.#fetched = next.value
    }
    return false
  }

  async letGo(): Promise<void> {
    await this.#iterator.return?.()
  }
}

/** Writes one sheet after the other, until there are no more rows; the last one has the total of all. */
function createSheets(request: SheetRequest, source: RowSource) {
  const { columns, language } = request
  const writerOf = createCellWriters(language, request.timeZone)
  const cells = columns.map((column) => ({ ...column, write: writerOf(column) }))
  const titles = request.titles ?? columns.map((column) => translate(language, column.text))
  const totals = new Map(columns.filter(({ totalled }) => totalled).map(({ field }) => [field, 0]))

  function addTotals(sheet: SheetBytes): void {
    if (totals.size === 0) return
    const words = `${translate(language, 'sheet.total')} · ${translate(language, 'sheet.rows', { count: source.count })}`
    addRow(
      sheet,
      cells.map(({ field, write }, index) => {
        if (totals.has(field)) return write(totals.get(field))
        return index === 0 ? textCell(words, titleStyle) : '<c/>'
      }),
    )
  }

  return async function* sheetXml(): AsyncGenerator<Buffer> {
    const sheet = new SheetBytes()
    sheet.add(sheetHeader(columns))
    addRow(
      sheet,
      titles.map((title) => textCell(title, titleStyle)),
    )
    if (request.notes)
      addRow(
        sheet,
        request.notes.map((note) => textCell(note, noteStyle)),
      )
    let room = (request.rowsPerSheet ?? mostRowsPerSheet) - otherRows
    for (
      let rows = await source.take(room);
      rows.length > 0;
      rows = room > 0 ? await source.take(room) : []
    ) {
      for (const row of rows) {
        sheet.add(rowBegin)
        for (const { field, write } of cells) sheet.add(write(row[field]))
        sheet.add(rowEnd)
        for (const [field, total] of totals) totals.set(field, total + Number(row[field] ?? 0))
        if (sheet.length >= bytesPerChunk) yield sheet.take()
      }
      room -= rows.length
    }
    if (await source.isOver()) addTotals(sheet)
    sheet.add(sheetFooter)
    yield sheet.take()
  }
}

async function* filesOf(request: SheetRequest): AsyncGenerator<ZippedFile> {
  const source = new RowSource(request.rows)
  try {
    const sheetXml = createSheets(request, source)
    let sheets = 0
    for (const [name, xml] of partsBefore) yield { name, content: Buffer.from(xml) }
    do {
      yield { name: sheetPart(++sheets), content: sheetXml(), level: 3 }
    } while (!(await source.isOver()))
    for (const [name, xml] of partsAfter(sheets)) yield { name, content: Buffer.from(xml) }
  } finally {
    await source.letGo()
  }
}

/**
 * An Excel file with the sheet `Sheet1`, written while its rows arrive: memory stays flat however many there are. What is
 * more than Excel shows in one sheet follows in `Sheet2` and so on. Ids are text, money is numeric with two decimals, dates
 * are dates, and no cell begins a formula.
 */
export function writeSheet(request: SheetRequest): Readable {
  return Readable.from(zipOf(filesOf(request), new Date()), {
    objectMode: false,
    highWaterMark: 64 * 1024,
  })
}
