import type { Readable } from 'node:stream'
import { longestText } from './cells.ts'
import { cellOf, type SheetCell, type WrittenCell } from './cell-values.ts'
import { readCellFormats, type CellFormat } from './read-cell-formats.ts'
import { readSharedStrings, unescapeCharacters } from './read-shared-strings.ts'
import { readWorkbook } from './read-workbook.ts'
import { readXml } from './read-xml.ts'
import { orBroken, SheetFault, tooLargeUnpacked } from './sheet-fault.ts'
import { openWorkbookZip } from './workbook-zip.ts'

/** A row that holds something; `number` is the one that Excel shows, columns count from 0. */
export interface SheetRow {
  number: number
  cells: ReadonlyMap<number, SheetCell>
}

export interface SheetLimits {
  /** Of all parts that are read; also of the text of all cells, many of which may name one and the same. */
  unpackedBytes: number
  rows: number
}

/** Nobody has a column further right. */
const mostColumns = 100
const letters = 26
const lastRow = 1_048_576

/** `C7` is column 2; a cell that does not say where it is follows the one before. */
function columnOf(reference: string | undefined, following: number): number {
  const name = /^[A-Za-z]{1,3}/.exec(reference ?? '')?.[0]
  if (name === undefined) return following
  return [...name.toUpperCase()].reduce((sum, letter) => sum * letters + letter.charCodeAt(0) - 64, 0) - 1
}

/** A row that does not say where it is, or says nonsense, follows the one before. */
function rowOf(reference: string | undefined, before: number): number {
  const number = Number(reference)
  return Number.isInteger(number) && number >= 1 && number <= lastRow ? number : before + 1
}

interface Surroundings {
  strings: readonly string[]
  formats: readonly CellFormat[]
  countsFrom1904: boolean
}

/** Reads the cells of a sheet while it is unpacked. */
async function readRows(source: Readable, around: Surroundings, limits: SheetLimits): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  let number = 0
  let characters = 0
  let column = -1
  let cells = new Map<number, SheetCell>()
  let written: WrittenCell | undefined
  let collected: 'value' | 'inline' | undefined
  let isPhonetic = false

  const endRow = () => {
    if (cells.size === 0) return
    if (rows.length >= limits.rows) throw new SheetFault('tooManyRows')
    rows.push({ number, cells })
  }
  const endCell = () => {
    if (!written || column >= mostColumns) return
    const kept = { ...written, inline: unescapeCharacters(written.inline) }
    const cell = cellOf(kept, around.strings, around.countsFrom1904)
    if (!cell) return
    if (cell.text.length > longestText) throw new SheetFault('broken')
    characters += cell.text.length
    if (characters > limits.unpackedBytes) throw tooLargeUnpacked(limits.unpackedBytes)
    cells.set(column, cell)
  }
  await readXml(source, {
    open(name, attributes) {
      if (name === 'row') {
        number = rowOf(attributes['r'], number)
        column = -1
        cells = new Map()
      } else if (name === 'c') {
        column = columnOf(attributes['r'], column + 1)
        const format = around.formats[Number(attributes['s'] ?? 0)]
        written = { type: attributes['t'] ?? 'n', value: '', inline: '', isFormula: false, format }
      } else if (name === 'v') collected = 'value'
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't' && !isPhonetic) collected = 'inline'
      else if (name === 'f' && written) written.isFormula = true
    },
    text(piece) {
      if (written && collected) written[collected] += piece
    },
    close(name) {
      if (name === 'row') endRow()
      else if (name === 'c') {
        endCell()
        written = undefined
      } else if (name === 'v' || name === 't') collected = undefined
      else if (name === 'rPh') isPhonetic = false
    },
  })
  return rows
}

/**
 * Reads the rows of the first sheet of an .xlsx file that hold something, in memory bounded by the limits, whatever the
 * file says or hides.
 * @throws SheetFault
 */
export const readSheet = (file: Buffer, limits: SheetLimits): Promise<SheetRow[]> =>
  orBroken(async () => {
    const zip = await openWorkbookZip(file, limits.unpackedBytes)
    const { sheet, sharedStrings, styles, countsFrom1904 } = await readWorkbook(zip)
    const open = (name: string | undefined) => (name === undefined ? undefined : zip.open(name))
    const stringSource = await open(sharedStrings)
    const strings = stringSource ? await readSharedStrings(stringSource) : []
    const styleSource = await open(styles)
    const formats = styleSource ? await readCellFormats(styleSource) : []
    const source = await zip.open(sheet)
    if (!source) throw new SheetFault('broken')
    return readRows(source, { strings, formats, countsFrom1904 }, limits)
  })
