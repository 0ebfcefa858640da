import { z } from 'zod'
import { databaseNow } from '../kit/database-clock.ts'
import { inTransaction, type Database } from '../kit/database.ts'
import { addJob, handleJob, jobKind, type JobHandler } from '../kit/jobs.ts'
import { composeMessage } from './compose-message.ts'
import { findDestination, storeDelivery, type ReceiverServices } from './receiver-services.ts'
import type { Delivery } from './senders/sender.ts'
import { countWaiting, endWaiting, findWaiting, forgetOldNotifications } from './notifications-sql.ts'

const deliver = jobKind('notifications:deliver', z.object({ receiverId: z.int() }), { waitsOutside: true })
const forget = jobKind('notifications:forget', z.unknown())

/** Every night. */
export const notificationCrontab = '51 3 * * * notifications:forget'

/** What comes within this time is one message: a robot takes twenty a minute. */
const gatheredForMs = 5000
/** Most events of one message; others follow in the next. */
const mostInOne = 50
/** The pause after a failure doubles from the first to the second. */
const pausesMs = { first: 30_000, longest: 1_800_000 }

async function addDelivery(
  trx: Database,
  receiverId: number,
  { afterMs, keepsTime }: { afterMs: number; keepsTime: boolean },
): Promise<void> {
  // One message at a time.
  const name = `notify:${receiverId}`
  const runAt = new Date((await databaseNow(trx)).getTime() + afterMs)
  return addJob(trx, deliver, { receiverId }, { key: name, queue: name, runAt, keepsTime })
}

/** Asks for what waits for a receiver to be sent in a moment, or when it is tried again anyway. */
export const askToDeliver = (trx: Database, receiverId: number, afterMs = gatheredForMs): Promise<void> =>
  addDelivery(trx, receiverId, { afterMs, keepsTime: true })

/** Asks for it to be sent in a moment, however long it was to wait. */
export const deliverSoon = (trx: Database, receiverId: number): Promise<void> =>
  addDelivery(trx, receiverId, { afterMs: gatheredForMs, keepsTime: false })

const pauseAfter = (failures: number) =>
  Math.min(pausesMs.first * 2 ** Math.min(failures, 16), pausesMs.longest)

/** Whether the same message need not be sent again: it has arrived, or never will. */
function isFinal(delivery: Delivery): boolean {
  switch (delivery.outcome) {
    case 'sent':
      return true
    case 'refused':
      return !delivery.isPassing
    case 'unreachable':
      return delivery.reason === 'the address is private'
  }
}

/**
 * Sends what waits for a receiver as one message. What the other side refuses is not sent again; while it is away it is
 * asked again, until what waits is a day old.
 */
async function deliverWaiting(db: Database, services: ReceiverServices, receiverId: number): Promise<void> {
  const waiting = await findWaiting(db, receiverId, mostInOne)
  const found = waiting.length > 0 ? await findDestination(db, services, receiverId) : undefined
  if (!found) return
  const { receiver, send } = found
  const delivery = await send(composeMessage(receiver.language, waiting, services.publicUrl))
  await inTransaction(db, async (trx) => {
    const failures = await storeDelivery(trx, receiverId, delivery)
    const isOver = isFinal(delivery)
    if (isOver)
      await endWaiting(
        trx,
        waiting.map(({ id }) => id),
      )
    if (!isOver) await askToDeliver(trx, receiverId, pauseAfter(failures))
    else if ((await countWaiting(trx, receiverId)) > 0) await askToDeliver(trx, receiverId)
  })
}

/** The sending of notifications, and the forgetting of those that were sent long ago. */
export const createNotificationJobs = (services: ReceiverServices): JobHandler[] => [
  handleJob(deliver, ({ db }, { receiverId }) => deliverWaiting(db, services, receiverId)),
  handleJob(forget, ({ db }) => forgetOldNotifications(db)),
]
