import { Readable } from 'node:stream'
import type { SheetColumn } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import { zipOf, type ZippedFile } from '../zip-stream.ts'
import { createCellWriters, textCell } from './cells.ts'
import { bytesPerChunk, SheetBytes } from './sheet-bytes.ts'
import { noteStyle, parts, sheetFooter, sheetHeader, titleStyle } from './workbook-parts.ts'

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
}

const rowBegin = Buffer.from('<row>')
const rowEnd = Buffer.from('</row>')

function addRow(sheet: SheetBytes, cells: Iterable<string | Buffer>): void {
  sheet.add(rowBegin)
  for (const cell of cells) sheet.add(cell)
  sheet.add(rowEnd)
}

async function* sheetXml(request: SheetRequest): AsyncGenerator<Buffer> {
  const { columns, language } = request
  const writerOf = createCellWriters(language, request.timeZone)
  const cells = columns.map((column) => ({ ...column, write: writerOf(column) }))
  const titles = request.titles ?? columns.map((column) => translate(language, column.text))
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
  const totals = new Map(columns.filter(({ totalled }) => totalled).map(({ field }) => [field, 0]))
  let rowCount = 0
  for await (const fetched of request.rows) {
    for (const row of fetched) {
      sheet.add(rowBegin)
      for (const { field, write } of cells) sheet.add(write(row[field]))
      sheet.add(rowEnd)
      for (const [field, total] of totals) totals.set(field, total + Number(row[field] ?? 0))
      if (sheet.length >= bytesPerChunk) yield sheet.take()
    }
    rowCount += fetched.length
  }
  if (totals.size > 0) {
    const words = `${translate(language, 'sheet.total')} · ${translate(language, 'sheet.rows', { count: rowCount })}`
    addRow(
      sheet,
      cells.map(({ field, write }, index) => {
        if (totals.has(field)) return write(totals.get(field))
        return index === 0 ? textCell(words, titleStyle) : '<c/>'
      }),
    )
  }
  sheet.add(sheetFooter)
  yield sheet.take()
}

/**
 * An Excel file with the one sheet `Sheet1`, written while its rows arrive: memory stays flat however many there are.
 * Ids are text, money is numeric with two decimals, dates are dates, and no cell begins a formula.
 */
export function writeSheet(request: SheetRequest): Readable {
  const files: ZippedFile[] = [
    ...parts.map(([name, xml]) => ({ name, content: Buffer.from(xml) })),
    { name: 'xl/worksheets/sheet1.xml', content: sheetXml(request), level: 3 },
  ]
  return Readable.from(zipOf(files, new Date()), { objectMode: false, highWaterMark: 64 * 1024 })
}
