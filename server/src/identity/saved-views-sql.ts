import type { SavedView } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import { isUniqueViolation } from '../kit/unique-violation.ts'

/** What is kept of a view, beside whose it is. */
export interface KeptView {
  screen: string
  name: string
  query: string
  shared: boolean
}

/** Whose views are meant: one's own, and those of one's own organisation that are shared. */
export interface ViewReader {
  accountId: number
  organisationId: number
}

/** The views of a screen that somebody is offered: his own first, each kind by name. */
export async function findViews(
  db: Database,
  { accountId, organisationId }: ViewReader,
  screen: string,
): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    select v.id, v.name, v.query, v.shared, v.account_id = ${accountId} as own, a.user_name as "ownerName"
      from saved_views v join accounts a on a.id = v.account_id
     where v.screen = ${screen}
       and (v.account_id = ${accountId} or (v.shared and v.organisation_id = ${organisationId}))
     order by v.account_id = ${accountId} desc, lower(v.name), v.id`.execute(db)
  return rows
}

/** Counts the views of an account on all screens; nobody adds one to them until the transaction is over. */
export async function countViewsLocked(db: Database, accountId: number): Promise<number> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from saved_views where account_id = ${accountId}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Keeps a new view.
 * @returns its id; undefined when the account has one of this name for the screen, whatever the letters' case
 */
export async function insertView(
  db: Database,
  { accountId, organisationId }: ViewReader,
  { screen, name, query, shared }: KeptView,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into saved_views (account_id, organisation_id, screen, name, query, shared)
    values (${accountId}, ${organisationId}, ${screen}, ${name}, ${query}, ${shared})
    on conflict (account_id, screen, lower(name)) do nothing returning id`.execute(db)
  return rows[0]?.id
}

/** A view of somebody's own, which stays as it is until the transaction is over. */
export async function lockOwnView(
  db: Database,
  accountId: number,
  viewId: number,
): Promise<KeptView | undefined> {
  const { rows } = await sql<KeptView>`
    select screen, name, query, shared from saved_views where id = ${viewId} and account_id = ${accountId} for update`.execute(
    db,
  )
  return rows[0]
}

/**
 * Stores a view as it is now; the transaction is over when it is refused.
 * @returns whether it was stored: another of the same screen may have this name
 */
export async function updateView(
  db: Database,
  viewId: number,
  { name, query, shared }: KeptView,
): Promise<boolean> {
  try {
    await sql`
      update saved_views set name = ${name}, query = ${query}, shared = ${shared}, updated_at = now()
       where id = ${viewId}`.execute(db)
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

export async function deleteView(db: Database, viewId: number): Promise<void> {
  await sql`delete from saved_views where id = ${viewId}`.execute(db)
}
