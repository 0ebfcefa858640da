import { z } from 'zod'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { createAfterEndJobs } from './end-payment.ts'
import { createPaymentQueryJobs } from './payment-queries.ts'
import { queryKey, refundKey, type PaymentServices } from './payment-services.ts'
import { deleteOldStrangers } from './payment-notices-sql.ts'
import { findForgottenPayments } from './payments-sql.ts'
import { queryPayment } from './prepare-payment.ts'
import { findForgottenRefunds } from './provider-refunds-sql.ts'
import { createProviderRefundJobs, pursueRefund } from './provider-refunds.ts'

const findForgotten = jobKind('payments:find-forgotten', z.unknown())

const forgetStrangers = jobKind('payments:forget-strangers', z.unknown())

/** Every minute, and every night. */
export const paymentCrontab = `* * * * * payments:find-forgotten
47 3 * * * payments:forget-strangers`

/** All background work of payments. */
export function createPaymentJobs(services: PaymentServices): JobHandler[] {
  return [
    ...createPaymentQueryJobs(services),
    ...createAfterEndJobs(services),
    ...createProviderRefundJobs(services),
    handleJob(findForgotten, () => askAfterForgotten(services)),
    handleJob(forgetStrangers, ({ db }) => deleteOldStrangers(db)),
  ]
}

/**
 * A process that is killed in the very moment it has taken a job keeps it locked for hours, and a job that failed for days,
 * as with a channel whose settings could not be read, is not tried any more. What should be queried and has no job that
 * waits gets one.
 */
async function askAfterForgotten({ db, log }: PaymentServices): Promise<void> {
  const [payments, refunds] = [await findForgottenPayments(db), await findForgottenRefunds(db)]
  for (const outTradeNo of payments)
    await addJob(db, queryPayment, { outTradeNo }, { key: queryKey(outTradeNo) })
  for (const outRefundNo of refunds)
    await addJob(db, pursueRefund, { outRefundNo }, { key: refundKey(outRefundNo) })
  const found = payments.length + refunds.length
  if (found > 0) log.warn({ found }, 'payments or refunds that no job was querying')
}
