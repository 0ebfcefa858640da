import { formatYuan, type SheetColumn } from '@chairside/contract'
import { codeInWords } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import type { ReactNode } from 'react'
import { Copyable } from './copyable.tsx'
import { formatCount, formatDateTime } from './formats.ts'
import { StatusTag } from './status-tag.tsx'

/**
 * How a value of a column is drawn: the same kinds that the Excel file writes by.
 * @param onOpen makes an id the way to the details
 */
export function drawCell(
  column: SheetColumn,
  value: unknown,
  language: Language,
  onOpen?: () => void,
): ReactNode {
  if (value === null || value === undefined || value === '') return <span className="nothing">—</span>
  switch (column.kind) {
    case 'money':
      return <span className="figure">{formatYuan(Number(value))}</span>
    case 'integer':
    case 'duration':
      return <span className="figure">{formatCount(Number(value), language)}</span>
    case 'dateTime':
      return <time dateTime={String(value)}>{formatDateTime(String(value))}</time>
    case 'id':
      return <Copyable value={String(value)} onOpen={onOpen} />
    case 'status':
      return <StatusTag of={column.valueText ?? ''} value={String(value)} />
    case 'code':
      return codeInWords(language, column.valueText ?? '', String(value))
    case 'date':
      return <span className="figure">{String(value)}</span>
    case 'text':
      return <span title={String(value)}>{String(value)}</span>
  }
}

/** Numbers are aligned right, so that their digits are under each other. */
export const isNumeric = (column: SheetColumn): boolean =>
  ['money', 'integer', 'duration'].includes(column.kind)
