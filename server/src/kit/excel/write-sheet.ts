import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SheetColumn } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import yazl from 'yazl'
import { createCellWriters, textCell } from './cells.ts'
import { noteStyle, parts, sheetFooter, sheetHeader, titleStyle } from './workbook-parts.ts'

export interface SheetRequest {
  columns: readonly SheetColumn[]
  /** Words above the columns that are not texts of ours. */
  titles?: readonly string[]
  /** A second line, below the titles. */
  notes?: readonly string[]
  rows: AsyncIterable<Record<string, unknown>>
  language: Language
  timeZone: string
}

/**
 * Text written to the zip stream at a time. From 128 kB on, V8 keeps a string outside the young generation, where it
 * stays until the whole heap is collected.
 */
const charactersPerChunk = 16 * 1024

async function* sheetXml(request: SheetRequest): AsyncGenerator<string> {
  const { columns, language } = request
  const writerOf = createCellWriters(language, request.timeZone)
  const cells = columns.map((column) => ({ ...column, write: writerOf(column) }))
  const titles = request.titles ?? columns.map((column) => translate(language, column.text))
  yield sheetHeader(columns)
  yield `<row>${titles.map((title) => textCell(title, titleStyle)).join('')}</row>`
  if (request.notes) yield `<row>${request.notes.map((note) => textCell(note, noteStyle)).join('')}</row>`
  const totals = new Map(columns.filter(({ totalled }) => totalled).map(({ field }) => [field, 0]))
  let rowCount = 0
  let chunk = ''
  for await (const row of request.rows) {
    chunk += '<row>'
    for (const { field, write } of cells) chunk += write(row[field])
    chunk += '</row>'
    for (const [field, total] of totals) totals.set(field, total + Number(row[field] ?? 0))
    rowCount++
    if (chunk.length >= charactersPerChunk) {
      yield chunk
      chunk = ''
    }
  }
  if (totals.size > 0) {
    const words = `${translate(language, 'sheet.total')} · ${translate(language, 'sheet.rows', { count: rowCount })}`
    const totalCells = cells.map(({ field, write }, index) => {
      if (totals.has(field)) return write(totals.get(field))
      return index === 0 ? textCell(words, titleStyle) : '<c/>'
    })
    chunk += `<row>${totalCells.join('')}</row>`
  }
  yield chunk + sheetFooter
}

/**
 * An Excel file with the one sheet `Sheet1`, written while its rows arrive: memory stays flat however many there are.
 * Ids are text, money is numeric with two decimals, dates are dates, and no cell begins a formula.
 */
export function writeSheet(request: SheetRequest): Readable {
  const zip = new yazl.ZipFile()
  for (const [name, xml] of parts) zip.addBuffer(Buffer.from(xml), name)
  const sheet = new PassThrough({ highWaterMark: 64 * 1024 })
  const output = new PassThrough()
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { compressionLevel: 3 })
  zip.end()
  const fail = (error: Error) => output.destroy(error)
  zip.on('error', fail)
  sheet.on('error', fail)
  zip.outputStream.pipe(output)
  // Who goes away in the middle reads no more of the zip, and the zip no more of the sheet.
  output.once('close', () => sheet.destroy())
  pipeline(Readable.from(sheetXml(request)), sheet).catch(fail)
  return output
}
