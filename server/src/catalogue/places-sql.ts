import { isWholeDay, wholeDay, type PlaceRow } from '@chairside/contract'
import { contains } from '../kit/containing-text.ts'
import { sql, streamRows, type Database, type RawBuilder } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'

interface PlaceRecord {
  id: number
  address: string
  phone: string
  merchantId: number
  ownerid: number | null
  opens: string | null
  closes: string | null
  devices: string[]
  subName: string
}

/** Places with their devices and the sub-accounts bound to them, for `places p`. */
const columns = sql`
  p.id, p.address, p.phone, p.merchant_id as "merchantId", owner.id as ownerid,
  to_char(p.open_time, 'HH24:MI') as opens, to_char(p.close_time, 'HH24:MI') as closes,
  array(select d.sid from devices d where d.place_id = p.id and d.removed_at is null order by d.sid) as devices,
  coalesce((select string_agg(a.real_name, ', ' order by a.id) from account_places b join accounts a on a.id = b.account_id
             where b.place_id = p.id), '') as "subName"`
const tables = sql`places p left join accounts owner on owner.organisation_id = p.merchant_id and owner.is_owner`

const within = (scope: Scope): RawBuilder<unknown> =>
  sql`p.removed_at is null and ${withinScope(scope, { merchantId: sql`p.merchant_id`, placeId: sql`p.id` })}`

/** A place as it is kept; one without hours is open all day. */
function rowOf({ opens, closes, ...record }: PlaceRecord): PlaceRow {
  const [openTime, closeTime] = [opens ?? '00:00', closes ?? '00:00']
  return {
    ...record,
    businessTime: { id: record.id, openTime, closeTime },
    hours: isWholeDay(openTime, closeTime) ? wholeDay : `${openTime}–${closeTime}`,
    deviceCount: record.devices.length,
  }
}

const matching = (scope: Scope, address: string | undefined) =>
  address === undefined ? within(scope) : sql`${within(scope)} and ${contains(sql`p.address`, address)}`

/** A page of places, newest first, and how many there are; those with a part of an address where one is given. */
export async function findPlaces(
  db: Database,
  scope: Scope,
  address: string | undefined,
  page: { skip: number; take: number },
): Promise<{ list: PlaceRow[]; total: number }> {
  const where = matching(scope, address)
  const count = await sql<{ total: number }>`select count(*) as total from places p where ${where}`.execute(
    db,
  )
  const { rows } = await sql<PlaceRecord>`
    select ${columns}
      from (select * from places p where ${where} order by p.id desc offset ${page.skip} limit ${page.take}) p
      left join accounts owner on owner.organisation_id = p.merchant_id and owner.is_owner
     order by p.id desc`.execute(db)
  return { list: rows.map(rowOf), total: count.rows[0]?.total ?? 0 }
}

/** All of them, newest first. */
export async function* streamPlaces(
  db: Database,
  scope: Scope,
  address: string | undefined,
): AsyncGenerator<PlaceRow[]> {
  const query = sql<PlaceRecord>`select ${columns} from ${tables} where ${matching(scope, address)} order by p.id desc`
  for await (const records of streamRows(db, query)) yield records.map(rowOf)
}

/** One place. */
export async function findPlace(db: Database, scope: Scope, placeId: number): Promise<PlaceRow | undefined> {
  const { rows } = await sql<PlaceRecord>`
    select ${columns} from ${tables} where p.id = ${placeId} and ${within(scope)}`.execute(db)
  return rows[0] && rowOf(rows[0])
}

/** The same, locked until the transaction ends: nothing can be linked to it meanwhile. */
export async function lockPlace(db: Database, scope: Scope, placeId: number): Promise<PlaceRow | undefined> {
  await sql`select 1 from places where id = ${placeId} for no key update`.execute(db)
  return findPlace(db, scope, placeId)
}

/**
 * Adds places to a merchant, one or thousands.
 * @returns their ids, in the order in which they were given
 */
export async function insertPlaces(
  db: Database,
  merchantId: number,
  places: readonly { address: string; phone?: string | undefined }[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into places (merchant_id, address, phone)
      select ${merchantId}::bigint, place ->> 'address', coalesce(place ->> 'phone', '')
        from jsonb_array_elements(${JSON.stringify(places)}::jsonb) with ordinality as given (place, position) order by position
      returning id)
    select id from made order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function updatePlace(
  db: Database,
  { id, address, phone }: Pick<PlaceRow, 'id' | 'address' | 'phone'>,
): Promise<void> {
  await sql`update places set address = ${address}, phone = ${phone} where id = ${id}`.execute(db)
}

/** @param hours `HH:MM`; the same two times mean all day */
export async function updateHours(
  db: Database,
  placeId: number,
  hours: { opens: string; closes: string },
): Promise<void> {
  await sql`update places set open_time = ${hours.opens}::time, close_time = ${hours.closes}::time where id = ${placeId}`.execute(
    db,
  )
}

/** Deletes a place and takes it from its devices and sub-accounts; orders keep it. */
export async function removePlace(
  db: Database,
  placeId: number,
): Promise<{ devices: number; subAccounts: number }> {
  await sql`update places set removed_at = now() where id = ${placeId}`.execute(db)
  const released = await sql`delete from account_places where place_id = ${placeId} returning 1`.execute(db)
  await sql`select 1 from devices where place_id = ${placeId} order by id for no key update`.execute(db)
  const unlinked =
    await sql`update devices set place_id = null where place_id = ${placeId} returning 1`.execute(db)
  return { devices: unlinked.rows.length, subAccounts: released.rows.length }
}
