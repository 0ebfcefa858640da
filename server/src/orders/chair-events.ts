import { refundStatuses, type OrderCause, type OrderStatus } from '@chairside/contract'
import { takeAsAccepted } from '../devices/command-answers.ts'
import { chairEnded, commandAcknowledged, commandTimedOut } from '../devices/command-events.ts'
import { requestStop } from '../devices/device-commands.ts'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { handleJob, type JobHandler } from '../kit/jobs.ts'
import {
  changeStatuses,
  lockOrder,
  noteOnOrder,
  paid,
  refundApplied,
  refunded,
  refunding,
  refundRefused,
  running,
  type OrderRecord,
} from './change-order-status.ts'
import { giveMoneyBack } from './give-money-back.ts'
import { putBack } from './put-back.ts'
import { runOf, startOfCommand, type OrderStart } from './runs-sql.ts'

/** What may be missing of a use that counts as delivered: boards count in whole pulses and are a little off. */
const toleranceSeconds = 30

/** What chairs do changes their orders; each event may come again and changes nothing then. */
export const chairEventJobs: JobHandler[] = [
  handleJob(commandAcknowledged, ({ db }, event) =>
    inTransaction(db, async (trx) => {
      if (event.kind !== 'start') return
      if (!event.accepted) return chairRefused(trx, event.orderId, 'the chair refused', event.reason)
      const order = await lockOrder(trx, event.orderId)
      if (order) await chairStarted(trx, order, event.commandId, new Date(event.at))
    }),
  ),
  handleJob(commandTimedOut, ({ db }, event) =>
    inTransaction(db, async (trx) => {
      if (event.kind === 'start') await chairRefused(trx, event.orderId, 'the chair did not acknowledge')
    }),
  ),
  handleJob(chairEnded, ({ db }, event) =>
    inTransaction(db, async (trx) => {
      const order = await lockOrder(trx, event.orderId)
      if (order) await chairStopped(trx, order, new Date(event.at), event.wasTold)
    }),
  ),
]

async function chairStarted(db: Database, order: OrderRecord, commandId: string, at: Date): Promise<void> {
  const start = await startOfCommand(db, commandId)
  if (!start) return
  if (order.status === refunding || order.status === refunded)
    return stopLateStart(db, order, commandId, start)
  // The end may have been taken in before the acknowledgement.
  const isOver = order.startedAt !== null && order.endsAt === null && start.hasEnded
  if (order.finishedAt !== null || isOver) return
  await takeAsAccepted(db, commandId)
  const endsAt = new Date(at.getTime() + start.durationSeconds * 1000)
  await sql`
    update orders set started_at = coalesce(started_at, ${at}), ends_at = ${endsAt}
     where order_id = ${order.orderId} and order_time = ${order.orderTime} and merchant_id = ${order.merchantId}`.execute(
    db,
  )
  // An order that waits for its refund's audit, or was refused one, runs in its own state.
  if (order.status === paid)
    await changeStatuses(db, [{ order, to: running, cause: 'the chair acknowledged', byWhom: 'device' }])
}

/** The money is on its way back: the chair must not run for it. A run that goes on since before that may end. */
async function stopLateStart(
  db: Database,
  order: OrderRecord,
  commandId: string,
  start: OrderStart,
): Promise<void> {
  const wasRunning = order.startedAt !== null && order.endsAt !== null
  if (order.deviceId === null || wasRunning || start.hasEnded) return
  await requestStop(db, {
    commandId: `${commandId}-X`,
    deviceId: order.deviceId,
    orderId: order.orderId,
    stops: commandId,
    requestedBy: 'system',
  })
  await noteOnOrder(db, order, 'the chair acknowledged too late and is stopped', 'system', commandId)
}

/**
 * No start, no charge: an order that never ran is refunded by itself and goes back on the shelf, also when somebody has
 * applied for that meanwhile or was refused it. One that has run stays, and so does cash or a partner's money, which cannot go back by
 * itself: the merchant may start the chair again.
 */
async function chairRefused(db: Database, orderId: string, cause: OrderCause, detail = ''): Promise<void> {
  const refundId = await lockApplication(db, orderId)
  const order = await lockOrder(db, orderId)
  if (!order) return
  const isApplied = order.status === refundApplied
  if (isApplied && refundId === undefined) throw new Error(`a refund of ${orderId} was applied for meanwhile`)
  if (!keepsMoney.has(order.status) || order.startedAt !== null)
    return noteOnOrder(db, order, cause, 'system', detail)
  const now = new Date()
  const amountCents = order.feeCents - order.refundedCents
  const giving = { amountCents, refundId: refundId ?? null, cause, detail, byWhom: 'system', now }
  const given = await giveMoneyBack(db, order, giving)
  if (!given) return noteOnOrder(db, order, cause, 'system', detail)
  if (refundId !== undefined) await storeGivenBack(db, refundId, given === 'done' ? now : null)
  await putBack(db, [order])
}

/** The states of an order that was paid for and of which nothing is on its way back. */
const keepsMoney: ReadonlySet<OrderStatus> = new Set([paid, refundApplied, refundRefused])

/** The row of a refund that waits for its audit, locked before its order, as an auditor does. */
async function lockApplication(db: Database, orderId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from refunds where order_id = ${orderId} and status = ${refundStatuses.unaudited} for update`.execute(
    db,
  )
  return rows[0]?.id
}

/** Nobody has to decide on it any more. */
async function storeGivenBack(db: Database, refundId: number, settledAt: Date | null): Promise<void> {
  await sql`
    update refunds set status = ${settledAt ? refundStatuses.refunded : refundStatuses.approved}, settled_at = ${settledAt}
     where id = ${refundId}`.execute(db)
}

/**
 * The chair stands still. When its time was up or somebody pressed STOP the order is finished; a chair that lost its
 * power before leaves the rest to be started again.
 */
async function chairStopped(db: Database, order: OrderRecord, at: Date, wasTold: boolean): Promise<void> {
  const boughtSeconds = order.durationMinutes * 60
  const run = await runOf(db, order.orderId)
  const deliveredSeconds = Math.min(run.deliveredSeconds, boughtSeconds)
  // A late word of an earlier run says nothing of the one that goes on.
  if (run.isRunning) return
  const isFinished = deliveredSeconds >= boughtSeconds - toleranceSeconds || run.wasStopped
  await storeEnd(db, order, { at, deliveredSeconds, isFinished })
  // A chair that ended had acknowledged, though that is taken in only later.
  const wasPaid = order.status === paid && order.startedAt === null
  if (wasPaid)
    await changeStatuses(db, [{ order, to: running, cause: 'the chair acknowledged', byWhom: 'device' }])
  if (!wasPaid && order.status !== running) return
  const ran = { ...order, status: running }
  const told = isFinished ? 'the chair ended' : 'the chair ended before its time'
  const cause = wasTold ? told : 'its time is over; the chair did not report the end'
  const detail = `${deliveredSeconds}/${boughtSeconds} s`
  await changeStatuses(db, [{ order: ran, to: paid, cause, byWhom: 'device', detail }])
}

async function storeEnd(
  db: Database,
  order: OrderRecord,
  end: { at: Date; deliveredSeconds: number; isFinished: boolean },
): Promise<void> {
  await sql`
    update orders set delivered_seconds = ${end.deliveredSeconds}, started_at = coalesce(started_at, ${end.at}),
           finished_at = coalesce(finished_at, case when ${end.isFinished} then ${end.at}::timestamptz end),
           ends_at = case when ${end.isFinished} or finished_at is not null then coalesce(ends_at, ${end.at}) end
     where order_id = ${order.orderId} and order_time = ${order.orderTime} and merchant_id = ${order.merchantId}`.execute(
    db,
  )
}
