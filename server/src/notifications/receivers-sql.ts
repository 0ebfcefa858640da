import type { NotificationEventType, Receiver } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { isUniqueViolation } from '../kit/unique-violation.ts'

/** A receiver with what is kept sealed of it. */
export interface KeptReceiver {
  id: number
  name: string
  kind: Receiver['kind']
  sealedAddress: Buffer
  shownAddress: string
  sealedSecret: Buffer | null
  language: Receiver['language']
  events: NotificationEventType[]
  active: boolean
}

const columns = sql`
  id, name, kind, sealed_address as "sealedAddress", shown_address as "shownAddress", sealed_secret as "sealedSecret",
  language, events, active`

/** The receivers of an organisation by name. */
export async function findReceivers(db: Database, organisationId: number): Promise<Receiver[]> {
  const { rows } = await sql<
    Omit<Receiver, 'createdTime' | 'lastSentTime' | 'failingTime'> & {
      createdAt: Date
      lastSentAt: Date | null
      failingSince: Date | null
    }
  >`
    select id, name, kind, shown_address as address, sealed_secret is not null as "hasSecret", language, events, active,
           created_at as "createdAt", last_sent_at as "lastSentAt", failing_since as "failingSince", failure
      from notification_receivers where organisation_id = ${organisationId} order by lower(name), id`.execute(
    db,
  )
  return rows.map(({ createdAt, lastSentAt, failingSince, ...receiver }) => ({
    ...receiver,
    createdTime: createdAt.toISOString(),
    lastSentTime: lastSentAt?.toISOString() ?? null,
    failingTime: failingSince?.toISOString() ?? null,
  }))
}

/** Counts the receivers of an organisation; nobody adds one to them until the transaction is over. */
export async function countReceiversLocked(trx: Database, organisationId: number): Promise<number> {
  await sql`select 1 from organisations where id = ${organisationId} for no key update`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from notification_receivers where organisation_id = ${organisationId}`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

/**
 * Keeps a new receiver.
 * @returns its id; undefined when the organisation has one of this name, whatever the letters' case
 */
export async function insertReceiver(
  trx: Database,
  organisationId: number,
  receiver: Omit<KeptReceiver, 'id' | 'active'>,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into notification_receivers (organisation_id, name, kind, sealed_address, shown_address, sealed_secret, language, events)
    values (${organisationId}, ${receiver.name}, ${receiver.kind}, ${receiver.sealedAddress}, ${receiver.shownAddress},
            ${receiver.sealedSecret}, ${receiver.language}, ${receiver.events})
    on conflict (organisation_id, lower(name)) do nothing returning id`.execute(trx)
  return rows[0]?.id
}

/** A receiver of an organisation. */
export async function findReceiver(
  db: Database,
  organisationId: number,
  id: number,
): Promise<KeptReceiver | undefined> {
  const { rows } = await sql<KeptReceiver>`
    select ${columns} from notification_receivers where id = ${id} and organisation_id = ${organisationId}`.execute(
    db,
  )
  return rows[0]
}

/** A receiver of an organisation, which stays as it is until the transaction is over. */
export async function lockReceiver(
  trx: Database,
  organisationId: number,
  id: number,
): Promise<KeptReceiver | undefined> {
  const { rows } = await sql<KeptReceiver>`
    select ${columns} from notification_receivers where id = ${id} and organisation_id = ${organisationId} for update`.execute(
    trx,
  )
  return rows[0]
}

/** A receiver that something is to be sent to now: neither it nor its organisation is closed. */
export async function findOpenReceiver(db: Database, id: number): Promise<KeptReceiver | undefined> {
  const { rows } = await sql<KeptReceiver>`
    select ${columns} from notification_receivers r
     where r.id = ${id} and r.active
       and exists (select from organisations o where o.id = r.organisation_id and o.status <> 2)`.execute(db)
  return rows[0]
}

/**
 * Stores a receiver as it is now. What failed before says nothing of a new address or secret.
 * @returns whether it was stored: another of the organisation may have this name
 */
export async function updateReceiver(trx: Database, receiver: KeptReceiver): Promise<boolean> {
  try {
    await sql`
      update notification_receivers
         set name = ${receiver.name}, sealed_address = ${receiver.sealedAddress}, shown_address = ${receiver.shownAddress},
             sealed_secret = ${receiver.sealedSecret}, language = ${receiver.language}, events = ${receiver.events},
             active = ${receiver.active}, failing_since = null, failures = 0, failure = ''
       where id = ${receiver.id}`.execute(trx)
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

export async function deleteReceiverRow(trx: Database, id: number): Promise<void> {
  await sql`delete from notification_receivers where id = ${id}`.execute(trx)
}

/** Notes that a message has arrived. */
export async function noteSent(trx: Database, id: number): Promise<void> {
  await sql`
    update notification_receivers set last_sent_at = now(), failing_since = null, failures = 0, failure = ''
     where id = ${id}`.execute(trx)
}

/**
 * Notes that a message has not arrived.
 * @returns failures in a row before this one
 */
export async function noteFailure(trx: Database, id: number, failure: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    update notification_receivers
       set failing_since = coalesce(failing_since, now()), failures = failures + 1, failure = ${failure}
     where id = ${id} returning failures`.execute(trx)
  return (rows[0]?.failures ?? 1) - 1
}
