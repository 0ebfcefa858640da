import { buffer } from 'node:stream/consumers'
import { importLimits, type ImportOutcome } from '@chairside/contract'
import { readSheet } from '../kit/excel/read-sheet.ts'
import { zipOf } from '../kit/zip-stream.ts'

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationsOf = (targets: Record<string, string>) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    targets,
  )
    .map(([type, target]) => `<Relationship Id="${type}" Type="${relations}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

export interface WrittenWorkbook {
  /** What stands in `sheetData`. */
  rows?: string
  /** Whole parts by name; they replace or add to the usual ones. */
  parts?: Record<string, string | Buffer>
}

/** An .xlsx file as other programs write it, part by part. */
export function writeWorkbook({ rows = '', parts = {} }: WrittenWorkbook): Promise<Buffer> {
  const all: Record<string, string | Buffer> = {
    '_rels/.rels': relationsOf({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="S" sheetId="1" r:id="worksheet"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf({
      worksheet: 'worksheets/sheet1.xml',
      sharedStrings: 'sharedStrings.xml',
      styles: 'styles.xml',
    }),
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  }
  const files = Object.entries(all).map(([name, content]) => ({ name, content: Buffer.from(content) }))
  return buffer(zipOf(files, new Date()))
}

type Cell = string | number | undefined

const cellXml = (cell: Cell) => {
  if (cell === undefined) return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  return `<c t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`
}

/** A sheet with the given rows: text as text, numbers as numbers. */
export const sheetOf = (rows: readonly (readonly Cell[])[]): Promise<Buffer> =>
  writeWorkbook({ rows: rows.map((row) => `<row>${row.map(cellXml).join('')}</row>`).join('') })

/** The texts of a sheet, row by row, without what is empty. */
export async function textsOf(file: Buffer): Promise<string[][]> {
  const rows = await readSheet(file, importLimits)
  return rows.map(({ cells }) => [...cells.values()].map(({ text }) => text))
}

/** The rows that an import answered as failed, as its file has them. */
export const failedRowsOf = ({ failedRows }: Pick<ImportOutcome, 'failedRows'>) =>
  textsOf(Buffer.from(failedRows, 'base64'))
