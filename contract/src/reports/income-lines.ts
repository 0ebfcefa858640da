import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { choice, day, filter, instant, listOf, paging, recordId } from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'

/** The parts of a day's income; without one, the total. */
const incomeParts = ['qrcodePay', 'recharge', 'other'] as const
export type IncomePart = (typeof incomeParts)[number]

/** What one order added to the income of a day, or took from it. */
export const IncomeLine = z.object({
  orderId: z.string(),
  /** The platform's year that the order is listed in. */
  year: z.int(),
  /** When it was paid, or given back. */
  at: instant,
  what: z.enum(['payment', 'refund']),
  merchantName: z.string(),
  deviceSid: z.string(),
  payChannel: z.string(),
  /** In cents; negative for a refund. */
  amount: z.int(),
})
export type IncomeLine = z.output<typeof IncomeLine>

const incomeLineColumns: readonly SheetColumn[] = [
  { field: 'orderId', text: 'orders.field.orderId', kind: 'id' },
  { field: 'at', text: 'reports.field.at', kind: 'dateTime' },
  { field: 'what', text: 'reports.field.what', kind: 'status', valueText: 'reports.line' },
  { field: 'merchantName', text: 'orders.field.merchantName', kind: 'text' },
  { field: 'deviceSid', text: 'orders.field.deviceSid', kind: 'id' },
  { field: 'payChannel', text: 'orders.field.payChannel', kind: 'status', valueText: 'orders.payChannel' },
  { field: 'amount', text: 'reports.field.amount', kind: 'money', totalled: true },
]

const ofDay = { day, merchantid: filter(recordId), part: filter(choice(incomeParts)) }

/** What the income of a day sums up, newest first: each payment and refund, with its order. */
export const listIncomeLines = endpoint({
  verb: 'GET',
  path: '/api/accounting/merchantdays/day/lines',
  summary: 'What the income of a day sums up',
  needs: 'reportorderday.list',
  input: z.object({ ...paging, ...ofDay }),
  data: listOf(IncomeLine),
  refuses: [],
  sheet: { fileName: 'report.xlsx', columns: incomeLineColumns },
})

export const sumIncomeLines = endpoint({
  verb: 'GET',
  path: '/api/accounting/merchantdays/day/lines/sum',
  summary: 'Sum of the lines of a day, in cents',
  needs: 'reportorderday.list',
  input: z.object(ofDay),
  data: z.int(),
  refuses: [],
})

export const incomeLineCalls = { listIncomeLines, sumIncomeLines }
