import type { Readable } from 'node:stream'
import { readXml } from './read-xml.ts'

/** What a number in a cell is shown as, as far as it changes what somebody typed. */
export interface CellFormat {
  isDate: boolean
  /** Digits that are shown at least, zeros in front; 0 for any. */
  digits: number
}

const plain: CellFormat = { isDate: false, digits: 0 }

/** Numbers of the built-in formats for dates and times, with those of Chinese and Japanese. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Excel's own limit; what is longer is nobody's format. */
const longestCode = 255
const mostDigits = 20

/** Reads a format as somebody wrote it: without quoted text, escaped characters, colours and conditions. */
function formatOf(code: string): CellFormat {
  if (code.length > longestCode) return plain
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, '')
  if (/[ymdhs]/i.test(bare)) return { isDate: true, digits: 0 }
  return /^0+$/.test(bare) && bare.length <= mostDigits ? { isDate: false, digits: bare.length } : plain
}

/** The format of each style, by the number by which cells name it. */
export async function readCellFormats(source: Readable): Promise<CellFormat[]> {
  const written = new Map<number, CellFormat>()
  const formats: CellFormat[] = []
  let isInCellFormats = false
  await readXml(source, {
    open(name, attributes) {
      const id = Number(attributes['numFmtId'] ?? 0)
      if (name === 'numFmt') written.set(id, formatOf(attributes['formatCode'] ?? ''))
      else if (name === 'cellXfs') isInCellFormats = true
      else if (name === 'xf' && isInCellFormats)
        formats.push(written.get(id) ?? (isBuiltInDate(id) ? { isDate: true, digits: 0 } : plain))
    },
    close(name) {
      if (name === 'cellXfs') isInCellFormats = false
    },
  })
  return formats
}
