import type { HiddenColumns } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'

/** What an account chose, for every list that it chose something for. */
export async function findHiddenColumns(db: Database, accountId: number): Promise<HiddenColumns> {
  const { rows } = await sql<{ list: string; hidden: string[] }>`
    select list, hidden from list_columns where account_id = ${accountId}`.execute(db)
  return Object.fromEntries(rows.map(({ list, hidden }) => [list, hidden]))
}

export async function saveHiddenColumns(
  db: Database,
  choice: { accountId: number; list: string; hidden: readonly string[] },
): Promise<void> {
  await sql`
    insert into list_columns (account_id, list, hidden) values (${choice.accountId}, ${choice.list}, ${choice.hidden})
    on conflict (account_id, list) do update set hidden = excluded.hidden`.execute(db)
}

export async function deleteHiddenColumns(db: Database, accountId: number, list: string): Promise<void> {
  await sql`delete from list_columns where account_id = ${accountId} and list = ${list}`.execute(db)
}
