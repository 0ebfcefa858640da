import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filter, recordId } from '../kit/fields.ts'
import { coveredDays, dayPeriodFields } from '../kit/period.ts'
import type { SheetColumn } from '../kit/sheet.ts'

const incomeFields = {
  qrcodePayIncome: z.int(),
  qrcodePayCount: z.int(),
  rechargeIncome: z.int(),
  rechargeCount: z.int(),
  otherIncome: z.int(),
  otherCount: z.int(),
  totalIncome: z.int(),
  totalCount: z.int(),
}

/** Income of one day, in cents (spec 3 §2.1, decisions §6). */
export const IncomeDay = z.object({ reportDate: z.string(), ...incomeFields })
export type IncomeDay = z.output<typeof IncomeDay>

export const incomeDayColumns: readonly SheetColumn[] = [
  { field: 'reportDate', text: 'reports.field.reportDate', kind: 'date' },
  { field: 'qrcodePayIncome', text: 'reports.field.qrcodePayIncome', kind: 'money', totalled: true },
  { field: 'qrcodePayCount', text: 'reports.field.qrcodePayCount', kind: 'integer', totalled: true },
  { field: 'rechargeIncome', text: 'reports.field.rechargeIncome', kind: 'money', totalled: true },
  { field: 'rechargeCount', text: 'reports.field.rechargeCount', kind: 'integer', totalled: true },
  { field: 'otherIncome', text: 'reports.field.otherIncome', kind: 'money', totalled: true },
  { field: 'otherCount', text: 'reports.field.otherCount', kind: 'integer', totalled: true },
  { field: 'totalIncome', text: 'reports.field.totalIncome', kind: 'money', totalled: true },
  { field: 'totalCount', text: 'reports.field.totalCount', kind: 'integer', totalled: true },
]

/** Daily merchant income (spec 3 §7); `previous` is the total of as many days just before, for comparison. */
export const reportOrderDays = endpoint({
  verb: 'GET',
  path: '/api/accounting/merchantdays/day',
  summary: 'Merchant income by day',
  needs: 'reportorderday.list',
  input: z.object({ merchantid: filter(recordId), ...dayPeriodFields('4') }),
  data: z.object({
    ...coveredDays,
    reportDate: z.array(IncomeDay),
    total: z.object(incomeFields),
    previous: z.object(incomeFields),
  }),
  refuses: [],
  sheet: { fileName: 'report.xlsx', columns: incomeDayColumns },
})

export const reportCalls = { reportOrderDays }
