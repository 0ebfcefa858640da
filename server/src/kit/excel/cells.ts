import type { SheetColumn } from '@chairside/contract'
import { codeInWords, translate } from '@chairside/contract/locales/texts'
import { joinWords, type Language } from '@chairside/contract/locales/languages'
import { styleOf } from './workbook-parts.ts'

const notXml = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu

/** Text as XML may hold it; characters that XML does not allow are left out. */
const escapeXml = (text: string) =>
  text.replace(notXml, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Days from Excel's epoch to 1970-01-01. */
const epochDays = 25_569
const dayMs = 86_400_000
/** Digits of a moment behind its day: a tenth of a millisecond. */
const momentDigits = 9
const momentsOfDay = 10 ** momentDigits

/** Space that a reader of XML would leave out. */
const hasOuterSpace = /^\s|\s$|\s\s/u
/** Nearly every text is plain; one look spares it all others. */
const isPlain = /^[^&<>\s\p{Cc}\ufffe\uffff]+(?: [^&<>\s\p{Cc}\ufffe\uffff]+)*$/u

/** What Excel has room for in a cell: with a longer text the file is broken to it. */
export const longestText = 32_767

/** A text as far as Excel has room for it; what is cut off ends with dots, and never within a character. */
function fitted(text: string): string {
  const kept = text.slice(0, longestText - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

/** Text in a cell is an inline string, which Excel never takes for a formula, whatever it begins with. */
export const textCell = (whole: string, style: number) => {
  if (whole === '') return '<c/>'
  const text = whole.length > longestText ? fitted(whole) : whole
  if (isPlain.test(text)) return `<c t="inlineStr" s="${style}"><is><t>${text}</t></is></c>`
  const space = hasOuterSpace.test(text) ? ' xml:space="preserve"' : ''
  return `<c t="inlineStr" s="${style}"><is><t${space}>${escapeXml(text)}</t></is></c>`
}

const numberCell = (value: number, style: number) => `<c s="${style}"><v>${value}</v></c>`

/** Writes one value of a column as its cell, as text or as bytes. */
export type CellWriter = (value: unknown) => string | Buffer

/** Cells that a column remembers at most. */
const mostRemembered = 2000

/** Names, addresses, prices, minutes and statuses come again and again: a cell is found quicker than it is written. */
function remembering(write: (value: unknown) => string): CellWriter {
  const cells = new Map<unknown, Buffer>()
  return (value) => {
    const known = cells.get(value)
    if (known !== undefined) return known
    const cell = write(value)
    if (cells.size < mostRemembered) cells.set(value, Buffer.from(cell))
    return cell
  }
}

const emptyCell = Buffer.from('<c/>')

/** Makes the writers of a sheet's columns, in one language and time zone. */
export function createCellWriters(language: Language, timeZone: string) {
  const offsets = new Map<number, number>()
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  /** Milliseconds that the zone is ahead of UTC; the same within an hour, so that each hour is asked for once. */
  const offsetMs = (instantMs: number): number => {
    const hour = Math.floor(instantMs / 3_600_000)
    let offset = offsets.get(hour)
    if (offset === undefined) {
      const name = clock.formatToParts(instantMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
      const [, sign, hours, minutes] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? []
      offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1)
      offsets.set(hour, offset)
    }
    return offset
  }
  /** Day and moment are written one by one: whole numbers are quicker to write than a fraction. */
  const instantCell = (instantMs: number, style: number) => {
    const localMs = instantMs + offsetMs(instantMs)
    const day = Math.floor(localMs / dayMs)
    const moment = Math.round(((localMs - day * dayMs) / dayMs) * momentsOfDay)
    return `<c s="${style}"><v>${day + epochDays}.${String(moment).padStart(momentDigits, '0')}</v></c>`
  }

  const writerOf = (column: SheetColumn): CellWriter => {
    const style = styleOf[column.kind]
    switch (column.kind) {
      case 'money':
        return remembering((value) => numberCell(Number(value) / 100, style))
      case 'integer':
      case 'duration':
        return remembering((value) => numberCell(Number(value), style))
      case 'dateTime':
        return (value) =>
          instantCell(value instanceof Date ? value.getTime() : Date.parse(String(value)), style)
      case 'date':
        return (value) => numberCell(Date.parse(`${String(value)}T00:00:00Z`) / dayMs + epochDays, style)
      case 'status': {
        const wordOf = (value: unknown) => translate(language, `${column.valueText}.${String(value)}`)
        return remembering((value) =>
          textCell(Array.isArray(value) ? joinWords(value.map(wordOf), language) : wordOf(value), style),
        )
      }
      case 'code':
        return remembering((value) =>
          textCell(codeInWords(language, column.valueText ?? '', String(value)), style),
        )
      case 'id':
        return (value) => textCell(String(value), style)
      case 'text':
        return remembering((value) => textCell(String(value), style))
    }
  }

  return (column: SheetColumn): CellWriter => {
    const write = writerOf(column)
    return (value) => (value === null || value === undefined || value === '' ? emptyCell : write(value))
  }
}
