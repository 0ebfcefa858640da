import type { NotificationEvent } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { askToDeliver } from './deliver.ts'

/** Something that happened to a merchant. */
export interface Announcement {
  /** What it is, for ever: told again it is told to nobody twice. */
  cause: string
  merchantId: number
  event: NotificationEvent
}

/**
 * Has the merchant, its agents and the platform notified, those of them who want to be; in the transaction of the fact.
 * An organisation that is locked is told nothing.
 */
export async function announce(trx: Database, announcements: readonly Announcement[]): Promise<void> {
  if (announcements.length === 0) return
  const { rows } = await sql<{ receiverId: number }>`
    with told as (
      select * from unnest(
        ${announcements.map(({ cause }) => cause)}::text[],
        ${announcements.map(({ merchantId }) => merchantId)}::bigint[],
        ${announcements.map(({ event }) => event.type)}::text[],
        ${announcements.map(({ event }) => JSON.stringify(event.told))}::jsonb[]) as t (cause, merchant_id, event, told)),
    meant as (
      insert into notifications (receiver_id, cause, event, told, merchant_name)
      select r.id, t.cause, t.event, t.told, m.name
        from told t
        join organisations m on m.id = t.merchant_id
        join notification_receivers r on r.organisation_id = any(string_to_array(m.path::text, '.')::bigint[])
        join organisations o on o.id = r.organisation_id
       where r.active and t.event = any(r.events) and o.status <> 2
      on conflict (receiver_id, cause) do nothing
      returning receiver_id)
    select distinct receiver_id as "receiverId" from meant`.execute(trx)
  for (const { receiverId } of rows) await askToDeliver(trx, receiverId)
}
