import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { choice, day, filter, instant, listOf, paging, textOrEmpty } from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'

/** A page shows how many entries match up to this many: counting millions would take longer than reading them helps. */
export const auditCountedMost = 10_000

/** What was tried: it happened, or it was refused. */
export const auditOutcomes = ['done', 'refused'] as const

/** One thing that somebody did or tried. */
export const AuditRow = z.object({
  id: z.int(),
  time: instant,
  /** Empty for a customer. */
  userName: z.string(),
  organisationId: z.int(),
  organisationName: z.string(),
  /** Name of the change, as `order.refund`; its words are under `audit.action` of the locales. */
  action: z.string(),
  /** What was changed: an order id, a user name, a name. */
  target: z.string(),
  /** Result code of the answer; 000 when it was done. */
  resultCode: z.string(),
  outcome: z.enum(auditOutcomes),
  /** Where it was asked from. */
  address: z.string(),
  /** What was before and after, in one line for each field that differs, in the caller's language; secrets are masked. */
  changes: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})
export type AuditRow = z.output<typeof AuditRow>

const auditColumns: readonly SheetColumn[] = [
  { field: 'time', text: 'audit.field.time', kind: 'dateTime' },
  { field: 'userName', text: 'audit.field.userName', kind: 'id' },
  { field: 'organisationName', text: 'audit.field.organisationName', kind: 'text' },
  { field: 'action', text: 'audit.field.action', kind: 'status', valueText: 'audit.action' },
  { field: 'target', text: 'audit.field.target', kind: 'id' },
  { field: 'outcome', text: 'audit.field.outcome', kind: 'status', valueText: 'audit.outcome' },
  { field: 'resultCode', text: 'audit.field.resultCode', kind: 'id' },
  { field: 'changes', text: 'audit.field.changes', kind: 'text' },
  { field: 'address', text: 'audit.field.address', kind: 'id' },
]

/** Who did what, within the caller's scope; a merchant's sub-account sees only what it did itself. */
export const listAudit = endpoint({
  verb: 'GET',
  path: '/api/audit',
  summary: 'A page of the audit trail, newest first',
  needs: 'audit.list',
  input: z.object({
    ...paging,
    username: filter(textOrEmpty(50)),
    action: filter(textOrEmpty(60)),
    /** A part of the name of what was changed, or the whole id of an order. */
    target: filter(textOrEmpty(200)),
    outcome: filter(choice(auditOutcomes)),
    startdate: filter(day),
    enddate: filter(day),
  }),
  /** `total` counts up to `auditCountedMost`; `more` says that there are more, which a period or the Excel file shows. */
  data: listOf(AuditRow).extend({ more: z.boolean().optional() }),
  refuses: [],
  sheet: { fileName: 'audit.xlsx', columns: auditColumns },
})

export const auditCalls = { listAudit }
