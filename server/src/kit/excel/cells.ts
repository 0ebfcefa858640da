import type { SheetColumn } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import { styleOf } from './workbook-parts.ts'

const notXml = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu

/** Text as it may stand in XML; characters that XML has no place for fall away. */
export function escapeXml(text: string): string {
  return text.replace(notXml, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Days from Excel's epoch to 1970-01-01. */
const epochDays = 25_569
const dayMs = 86_400_000

/** Text in a cell is an inline string, which Excel never takes for a formula, whatever it begins with. */
const textCell = (text: string, style: number) =>
  text === ''
    ? '<c/>'
    : `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`

const numberCell = (value: number, style: number) => `<c s="${style}"><v>${value}</v></c>`

/** Writes the cells of a sheet in one language and time zone. */
export function createCellWriter(language: Language, timeZone: string) {
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
  const statusTexts = new Map<string, string>()
  const statusText = (column: SheetColumn, value: unknown): string => {
    const key = `${column.valueText}.${String(value)}`
    let text = statusTexts.get(key)
    if (text === undefined) {
      text = translate(language, key)
      statusTexts.set(key, text)
    }
    return text
  }

  return (column: SheetColumn, value: unknown): string => {
    if (value === null || value === undefined) return '<c/>'
    const style = styleOf[column.kind]
    switch (column.kind) {
      case 'money':
        return numberCell(Number(value) / 100, style)
      case 'integer':
      case 'duration':
        return numberCell(Number(value), style)
      case 'dateTime': {
        const instantMs = value instanceof Date ? value.getTime() : Date.parse(String(value))
        return numberCell((instantMs + offsetMs(instantMs)) / dayMs + epochDays, style)
      }
      case 'date':
        return numberCell(Date.parse(`${String(value)}T00:00:00Z`) / dayMs + epochDays, style)
      case 'status':
        return textCell(statusText(column, value), style)
      case 'id':
      case 'text':
        return textCell(String(value), style)
    }
  }
}
