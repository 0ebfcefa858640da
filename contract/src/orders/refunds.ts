import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { cents, choice, day, filter, instant, listOf, paging, recordId, textOrEmpty } from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { auditDecisionValues, refundFilters, refundRemarkMax } from './order-states.ts'

/** A refund record (spec 1 §3). */
export const RefundRow = z.object({
  id: z.int(),
  orderId: z.string(),
  deviceSid: z.string(),
  merchantName: z.string(),
  merchantUserId: z.string(),
  /** Cents asked back. */
  price: z.int(),
  /** Cents of the order that can still be given back, this refund's own included. */
  refundableCents: z.int(),
  /** The same, by hand: gifts of a member's balance are never refunded as cash (decisions §5). */
  refundableByHandCents: z.int(),
  payChannel: z.string(),
  phone: z.string(),
  createTime: instant,
  /** See `refundStatuses`. */
  status: z.int(),
  /** Why it failed, or waits while it is under way, in the provider's words. */
  reason: z.string(),
  /** What the applicant wrote. */
  content: z.string(),
  /** Who decided what and when, in one text of the caller's language; the three below say the same. */
  auditResult: z.string(),
  auditor: z.string(),
  auditTime: instant.nullable(),
  auditDecision: z.enum(auditDecisionValues).nullable(),
  remark: z.string(),
})
export type RefundRow = z.output<typeof RefundRow>

export const refundColumns: readonly SheetColumn[] = [
  { field: 'orderId', text: 'refunds.field.orderId', kind: 'id' },
  { field: 'createTime', text: 'refunds.field.createTime', kind: 'dateTime' },
  { field: 'merchantName', text: 'refunds.field.merchantName', kind: 'text' },
  { field: 'deviceSid', text: 'refunds.field.deviceSid', kind: 'id' },
  { field: 'price', text: 'refunds.field.price', kind: 'money', totalled: true },
  { field: 'phone', text: 'refunds.field.phone', kind: 'id' },
  { field: 'status', text: 'refunds.field.status', kind: 'status', valueText: 'refunds.status' },
  { field: 'content', text: 'refunds.field.content', kind: 'text' },
  { field: 'reason', text: 'refunds.field.reason', kind: 'text' },
  {
    field: 'auditDecision',
    text: 'refunds.field.auditDecision',
    kind: 'status',
    valueText: 'refunds.auditDecision',
  },
  { field: 'auditor', text: 'refunds.field.auditor', kind: 'text' },
  { field: 'auditTime', text: 'refunds.field.auditTime', kind: 'dateTime' },
  { field: 'remark', text: 'refunds.field.remark', kind: 'text' },
]

export const listRefunds = endpoint({
  verb: 'GET',
  path: '/api/orders/refunds',
  summary: 'A page of refunds, newest first',
  needs: 'refund.list',
  input: z.object({
    ...paging,
    merchantid: filter(recordId),
    agentid: filter(recordId),
    devicesid: filter(textOrEmpty(20)),
    startdate: filter(day),
    enddate: filter(day),
    orderid: filter(textOrEmpty(32)),
    status: filter(choice(refundFilters)),
  }),
  data: listOf(RefundRow),
  refuses: [],
  sheet: { fileName: 'refund.xlsx', columns: refundColumns },
})

/** The whole phone number of a refund, of which lists show a part (decisions §1); each look is in the audit trail. */
export const revealRefundPhone = endpoint({
  verb: 'POST',
  path: '/api/orders/refunds/:id/reveal',
  summary: 'The whole phone number of a refund',
  needs: 'custom.reveal',
  audit: 'custom.reveal',
  perMinute: 60,
  input: z.object({ id: recordId }),
  data: z.object({ phone: z.string() }),
  refuses: ['notFound'],
})

const auditRemark = z
  .string({ error: 'auditRemarkEmpty' })
  .trim()
  .min(1, { error: 'auditRemarkEmpty' })
  .max(refundRemarkMax)

/**
 * Decides on a refund (spec 1 §7, decisions §4). `audit` and `auditflag` both carry the decision (1 approve, 0 refuse,
 * 2 offline); `refundid` repeats the path. `price` in cents may refund a part.
 */
export const auditRefund = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/orders/auditrefund/:id',
  summary: 'Approves, refuses or settles a refund offline',
  needs: 'order.auditrefund',
  types: [0, 1, 3],
  audit: 'order.auditrefund',
  input: z.object({
    id: recordId,
    refundid: filter(recordId),
    audit: choice(auditDecisionValues),
    auditflag: filter(choice(auditDecisionValues)),
    price: filter(cents(1)),
    remark: auditRemark,
  }),
  data: z.object({ id: z.int(), status: z.int() }),
  refuses: ['notFound', 'notPossible', 'refundExceedsPaid', 'onlyOfflineRefund', 'notStartedYet'],
})

/** Ends a refund that failed (spec 1 §4). */
export const endFailedRefund = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/orders/endfailedrefund/:id',
  summary: 'Ends a failed refund by hand',
  needs: 'order.endrefund',
  types: [0, 1, 3],
  audit: 'order.endrefund',
  input: z.object({ id: recordId }),
  data: z.object({ id: z.int(), status: z.int() }),
  refuses: ['notFound', 'notPossible'],
})

export const refundCalls = { listRefunds, revealRefundPhone, auditRefund, endFailedRefund }
