import type { NotificationEvent } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'

/** What could not be sent for so long is news to nobody. */
const longestWait = sql`interval '1 day'`
const kept = sql`interval '30 days'`

/** A notification that waits to be sent. */
export interface WaitingNotification {
  id: number
  at: Date
  merchantName: string
  event: NotificationEvent
}

/** What waits for a receiver, the oldest first. */
export async function findWaiting(
  db: Database,
  receiverId: number,
  most: number,
): Promise<WaitingNotification[]> {
  const { rows } = await sql<WaitingNotification>`
    select id, created_at as at, merchant_name as "merchantName", jsonb_build_object('type', event, 'told', told) as event from notifications
     where receiver_id = ${receiverId} and done_at is null and created_at > now() - ${longestWait}
     order by id limit ${most}`.execute(db)
  return rows
}

export async function countWaiting(db: Database, receiverId: number): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from notifications
     where receiver_id = ${receiverId} and done_at is null and created_at > now() - ${longestWait}`.execute(
    db,
  )
  return rows[0]?.waiting ?? 0
}

/** They are not sent any more. */
export async function endWaiting(trx: Database, ids: readonly number[]): Promise<void> {
  await sql`update notifications set done_at = now() where id = any(${ids}::bigint[])`.execute(trx)
}

/** Deletes what was announced long ago; nothing of it can be announced again by then. */
export async function forgetOldNotifications(db: Database): Promise<void> {
  await sql`delete from notifications where created_at < now() - ${kept}`.execute(db)
}
