import type { CellFormat } from './read-cell-formats.ts'

/** A cell as text, with the key under `imports.cell` of what is wrong with it. */
export interface SheetCell {
  text: string
  fault?: 'noValue' | 'error' | 'date' | 'digits'
}

const dayMs = 86_400_000
/** Days from the first day of each calendar to 1970. */
const daysTo1970 = { from1900: 25_569, from1904: 24_107 }
/** The day from which the calendar of 1900 is right: it knows a 29 February of that year. */
const firstTrueDay = 60

/** A day of Excel's as `2026-11-21`, with the time when there is one; a time of day alone as `12:30`. */
function dateText(days: number, countsFrom1904: boolean): string {
  const shift = !countsFrom1904 && days < firstTrueDay ? 1 : 0
  const since1970 = days + shift - (countsFrom1904 ? daysTo1970.from1904 : daysTo1970.from1900)
  const at = new Date(Math.round((since1970 * dayMs) / 1000) * 1000)
  if (Number.isNaN(at.getTime())) return String(days)
  const [day = '', time = ''] = at.toISOString().split('T')
  const clock = time.slice(0, 5)
  if (days >= 0 && days < 1) return clock
  return Number.isInteger(days) ? day : `${day} ${clock}`
}

/** What Excel keeps of a number, and shows. */
const keptDigits = 15
const leastLost = 10 ** keptDigits

/** A number as somebody sees it in the sheet: without the noise of binary fractions, with its zeros in front. */
function numberCell(written: string, format: CellFormat | undefined, countsFrom1904: boolean): SheetCell {
  const value = Number(written)
  if (written.trim() === '' || !Number.isFinite(value)) return { text: written, fault: 'error' }
  if (format?.isDate) return { text: dateText(value, countsFrom1904), fault: 'date' }
  if (!Number.isInteger(value)) return { text: String(Number(value.toPrecision(keptDigits))) }
  const text = BigInt(value).toString()
  if (Math.abs(value) >= leastLost) return { text, fault: 'digits' }
  return { text: value < 0 ? text : text.padStart(format?.digits ?? 0, '0') }
}

/** What a sheet says of a cell. */
export interface WrittenCell {
  /** `n` for numbers and what else says nothing of itself. */
  type: string
  value: string
  /** The text of a cell that holds its own. */
  inline: string
  isFormula: boolean
  format: CellFormat | undefined
}

/** The text of a cell; of a formula the value that was kept with it, undefined for an empty one. */
export function cellOf(
  { type, value, inline, isFormula, format }: WrittenCell,
  strings: readonly string[],
  countsFrom1904: boolean,
): SheetCell | undefined {
  if (isFormula && value === '' && type !== 'str') return { text: '', fault: 'noValue' }
  const text = type === 'inlineStr' ? inline : type === 's' ? (strings[Number(value)] ?? '') : value
  if (text.trim() === '') return undefined
  switch (type) {
    case 's':
    case 'str':
    case 'inlineStr':
      return { text }
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE' }
    case 'e':
      return { text, fault: 'error' }
    case 'd':
      return { text, fault: 'date' }
    default:
      return numberCell(value, format, countsFrom1904)
  }
}
