import { z } from 'zod'
import { chairEnded, commandAcknowledged, commandTimedOut } from '../devices/command-events.ts'
import { requestStop } from '../devices/device-commands.ts'
import { inTransaction, sql, type Database } from '../kit/database.ts'
import { handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import {
  changeStatuses,
  lockOrder,
  noteOnOrder,
  paid,
  running,
  type OrderRecord,
} from './change-order-status.ts'
import { giveMoneyBack } from './give-money-back.ts'

/** A chair that does not report the end of a run has ended it this long after its time. */
const overdueSeconds = 120

const endOverdue = jobKind('orders.end-overdue', z.unknown())

/** Every minute. */
export const chairEventsCrontab = '* * * * * orders.end-overdue'

/** What chairs do changes their orders; each event may come again and changes nothing then. */
export const chairEventJobs: JobHandler[] = [
  handleJob(commandAcknowledged, ({ db }, event) =>
    inTransaction(db, async (trx) => {
      const order = await lockOrder(trx, event.orderId)
      if (!order || event.kind !== 'start') return
      if (event.accepted) await chairStarted(trx, order, event.commandId, new Date(event.at))
      else await chairRefused(trx, order, `the chair refused: ${event.reason || 'no reason'}`)
    }),
  ),
  handleJob(commandTimedOut, ({ db }, event) =>
    inTransaction(db, async (trx) => {
      const order = await lockOrder(trx, event.orderId)
      if (order && event.kind === 'start') await chairRefused(trx, order, 'the chair did not acknowledge')
    }),
  ),
  handleJob(chairEnded, ({ db }, event) =>
    inTransaction(db, async (trx) => {
      const order = await lockOrder(trx, event.orderId)
      if (order)
        await endRun(trx, order, {
          at: new Date(event.at),
          deliveredSeconds: event.deliveredSeconds,
          cause: 'the chair ended',
          byWhom: 'device',
        })
    }),
  ),
  handleJob(endOverdue, ({ db }) => endOverdueRuns(db)),
]

async function chairStarted(db: Database, order: OrderRecord, commandId: string, at: Date): Promise<void> {
  const command = await commandOf(db, commandId)
  if (!command) return
  if (order.status !== paid && order.status !== running) {
    // The money is on its way back: the chair must not run for it.
    if (order.deviceId === null || order.startedAt !== null) return
    await requestStop(db, {
      commandId: `${commandId}-X`,
      deviceId: order.deviceId,
      orderId: order.orderId,
      stops: commandId,
      requestedBy: 'system',
    })
    await noteOnOrder(db, order, 'the chair acknowledged too late and is stopped', 'system')
    return
  }
  // The end may have been told before the acknowledgement.
  if (order.finishedAt !== null) return
  const endsAt = new Date(at.getTime() + command.durationSeconds * 1000)
  await sql`
    update orders set started_at = coalesce(started_at, ${at}), ends_at = ${endsAt}
     where order_id = ${order.orderId} and order_time = ${order.orderTime}`.execute(db)
  if (order.status === paid)
    await changeStatuses(db, [{ order, to: running, cause: 'the chair acknowledged', byWhom: 'device' }])
}

async function commandOf(db: Database, commandId: string): Promise<{ durationSeconds: number } | undefined> {
  const { rows } = await sql<{ durationSeconds: number }>`
    select (payload ->> 'durationSeconds')::integer as "durationSeconds" from device_commands where id = ${commandId}`.execute(
    db,
  )
  return rows[0]
}

/** No start, no charge: an order that never ran is refunded by itself. One that has run stays, with a note. */
async function chairRefused(db: Database, order: OrderRecord, cause: string): Promise<void> {
  if (order.status !== paid || order.startedAt !== null) return noteOnOrder(db, order, cause, 'system')
  const giving = {
    amountCents: order.feeCents - order.refundedCents,
    refundId: null,
    cause,
    byWhom: 'system',
    now: new Date(),
  }
  const given = await giveMoneyBack(db, order, giving)
  // Cash and a partner's money cannot go back by themselves; the merchant may start the chair again.
  if (!given) await noteOnOrder(db, order, cause, 'system')
  return undefined
}

async function endRun(
  db: Database,
  order: OrderRecord,
  end: { at: Date; deliveredSeconds: number; cause: string; byWhom: string },
): Promise<void> {
  await sql`
    update orders set finished_at = ${end.at}, delivered_seconds = delivered_seconds + ${end.deliveredSeconds}, started_at = coalesce(started_at, ${end.at})
     where order_id = ${order.orderId} and order_time = ${order.orderTime}`.execute(db)
  if (order.status === running)
    await changeStatuses(db, [{ order, to: paid, cause: end.cause, byWhom: end.byWhom }])
}

async function endOverdueRuns(db: Database): Promise<void> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from orders
     where status = 4 and finished_at is null and order_time > now() - interval '3 days'
       and ends_at < now() - make_interval(secs => ${overdueSeconds}) limit 500`.execute(db)
  for (const { orderId } of rows) {
    await inTransaction(db, async (trx) => {
      const order = await lockOrder(trx, orderId)
      if (order?.status !== running || !order.endsAt || order.finishedAt) return
      const deliveredSeconds = order.durationMinutes * 60 - order.deliveredSeconds
      await endRun(trx, order, {
        at: order.endsAt,
        deliveredSeconds,
        cause: 'its time is over; the chair did not report the end',
        byWhom: 'system',
      })
    })
  }
}
