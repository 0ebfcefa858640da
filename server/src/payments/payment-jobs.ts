import { z } from 'zod'
import { sql } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { createAfterEndJobs } from './end-payment.ts'
import { createPaymentQueryJobs } from './payment-queries.ts'
import { queryKey, refundKey, type PaymentServices } from './payment-services.ts'
import { queryPayment } from './prepare-payment.ts'
import { createProviderRefundJobs, pursueRefund } from './provider-refunds.ts'

const findForgotten = jobKind('payments.find-forgotten', z.unknown())

/** Every minute. */
export const paymentCrontab = '* * * * * payments.find-forgotten'

/** All background work of payments. */
export function createPaymentJobs(services: PaymentServices): JobHandler[] {
  return [
    ...createPaymentQueryJobs(services),
    ...createAfterEndJobs(services),
    ...createProviderRefundJobs(services),
    handleJob(findForgotten, () => askAfterForgotten(services)),
  ]
}

/**
 * A process that is killed in the very moment it has taken a job keeps it locked for hours. What should be asked after
 * and has no job that waits gets one.
 */
async function askAfterForgotten({ db, log }: PaymentServices): Promise<void> {
  const payments = await sql<{ outTradeNo: string }>`
    select out_trade_no as "outTradeNo" from payments p
     where state in ('preparing', 'prepared') and created_at < now() - interval '30 seconds'
       and not exists (select 1 from graphile_worker.jobs j where j.key = ${queryKey('')} || p.out_trade_no and j.locked_at is null)`.execute(
    db,
  )
  const refunds = await sql<{ outRefundNo: string }>`
    select out_refund_no as "outRefundNo" from provider_refunds r
     where state in ('wanted', 'accepted') and created_at < now() - interval '30 seconds'
       and not exists (select 1 from graphile_worker.jobs j where j.key = ${refundKey('')} || r.out_refund_no and j.locked_at is null)`.execute(
    db,
  )
  for (const { outTradeNo } of payments.rows)
    await addJob(db, queryPayment, { outTradeNo }, { key: queryKey(outTradeNo) })
  for (const { outRefundNo } of refunds.rows)
    await addJob(db, pursueRefund, { outRefundNo }, { key: refundKey(outRefundNo) })
  const found = payments.rows.length + refunds.rows.length
  if (found > 0) log.warn({ found }, 'payments or refunds that nothing asked after')
}
