import type { PlaceAssociation } from '@chairside/contract'
import { sql, streamRows, type Database } from '../kit/database.ts'

const associations = (merchantId: number, placeId: number) => sql<PlaceAssociation>`
  select a.id as "userId", a.user_name as "userName", a.real_name as "realName", b.place_id is not null as associated
    from accounts a left join account_places b on b.account_id = a.id and b.place_id = ${placeId}
   where a.organisation_id = ${merchantId} and not a.is_owner order by a.id`

/** A page of a merchant's sub-accounts with whether they are bound to a place of it, and how many there are. */
export async function findAssociations(
  db: Database,
  merchantId: number,
  placeId: number,
  page: { skip: number; take: number },
): Promise<{ list: PlaceAssociation[]; total: number }> {
  const count = await sql<{ total: number }>`
    select count(*) as total from accounts where organisation_id = ${merchantId} and not is_owner`.execute(db)
  const { rows } = await sql<PlaceAssociation>`
    ${associations(merchantId, placeId)} offset ${page.skip} limit ${page.take}`.execute(db)
  return { list: rows, total: count.rows[0]?.total ?? 0 }
}

/** All of them, some at a time. */
export const streamAssociations = (
  db: Database,
  merchantId: number,
  placeId: number,
): AsyncGenerator<PlaceAssociation[]> => streamRows(db, associations(merchantId, placeId))

/** Which of these accounts are sub-accounts of a merchant; they cannot be deleted until the transaction ends. */
export async function holdSubAccounts(
  db: Database,
  merchantId: number,
  accountIds: readonly number[],
): Promise<{ id: number; userName: string }[]> {
  const { rows } = await sql<{ id: number; userName: string }>`
    select id, user_name as "userName" from accounts
     where id = any(${[...accountIds]}::bigint[]) and organisation_id = ${merchantId} and not is_owner
     order by id for key share`.execute(db)
  return rows
}

/** The sub-accounts that are bound to a place. */
export async function boundTo(db: Database, placeId: number): Promise<{ id: number; userName: string }[]> {
  const { rows } = await sql<{ id: number; userName: string }>`
    select a.id, a.user_name as "userName" from account_places b join accounts a on a.id = b.account_id
     where b.place_id = ${placeId} order by a.id`.execute(db)
  return rows
}

/** Binds these accounts to a place and releases all others. */
export async function replaceBindings(
  db: Database,
  placeId: number,
  accountIds: readonly number[],
): Promise<void> {
  await sql`delete from account_places where place_id = ${placeId} and account_id <> all(${[...accountIds]}::bigint[])`.execute(
    db,
  )
  await sql`
    insert into account_places (account_id, place_id) select unnest(${[...accountIds]}::bigint[]), ${placeId}
    on conflict do nothing`.execute(db)
}
