import type { Call } from '../kit/call.ts'
import type { JobHandler } from '../kit/jobs.ts'
import { applyRefundCall } from './apply-refund.ts'
import { auditRefundCall, endFailedRefundCall } from './audit-refund.ts'
import { chairEventJobs } from './chair-events.ts'
import { counterJobs } from './fold-counters.ts'
import { orderDetailCalls } from './order-detail-api.ts'
import { createOrderListCalls } from './order-list-api.ts'
import { createPayPageCalls, type PayPageServices } from './pay-page-api.ts'
import { createRefundListCalls } from './refund-list-api.ts'
import { createStartOrderCall } from './start-order.ts'
import { createWorkCalls } from './work-devices.ts'

/** Every call of the orders domain. */
export function createOrderCalls(services: PayPageServices): Call[] {
  return [
    ...createOrderListCalls(services.timeZone),
    ...createRefundListCalls(services.timeZone),
    ...orderDetailCalls,
    createStartOrderCall(services.paymentWindowSeconds),
    ...createWorkCalls(services.paymentWindowSeconds),
    applyRefundCall,
    auditRefundCall,
    endFailedRefundCall,
    ...createPayPageCalls(services),
  ]
}

/** Every job of the orders domain. */
export const orderJobs: JobHandler[] = [...chairEventJobs, ...counterJobs]
