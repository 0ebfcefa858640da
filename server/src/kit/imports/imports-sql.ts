import type { ImportOutcome, SheetImport } from '@chairside/contract'
import { advisoryLocks } from '../advisory-locks.ts'
import { sql, type Database } from '../database.ts'

/** Rows of somebody's, by which a repeat is known. */
export interface ImportedRows {
  organisationId: number
  kind: SheetImport['kind']
  /** What they are added to, such as a template; 0 when that is the organisation itself. */
  targetId: number
  /** SHA-256 of what the rows say. */
  contentHash: Buffer
}

/** Keeps other imports of the same rows waiting until the transaction ends; thousands of rows take a moment each. */
export async function holdImport(db: Database, rows: ImportedRows): Promise<void> {
  const name = `${rows.organisationId}/${rows.kind}/${rows.targetId}/${rows.contentHash.toString('hex')}`
  await sql`select set_config('lock_timeout', '60s', true)`.execute(db)
  await sql`select pg_advisory_xact_lock(${advisoryLocks.sheetImport}, hashtext(${name}))`.execute(db)
}

/** The last import of just these rows. */
export async function findLastImport(
  db: Database,
  { organisationId, kind, targetId, contentHash }: ImportedRows,
): Promise<ImportOutcome['repeats']> {
  const { rows } = await sql<{ id: number; at: Date; userName: string; good: number }>`
    select id, imported_at as at, user_name as "userName", good from sheet_imports
     where organisation_id = ${organisationId} and kind = ${kind} and target_id = ${targetId} and content_hash = ${contentHash}
     order by id desc limit 1`.execute(db)
  return rows[0] ? { ...rows[0], at: rows[0].at.toISOString() } : null
}

export async function insertImport(
  db: Database,
  rows: ImportedRows,
  done: { accountId: number; userName: string; good: number; bad: number },
): Promise<void> {
  await sql`
    insert into sheet_imports (organisation_id, kind, target_id, content_hash, account_id, user_name, good, bad)
    values (${rows.organisationId}, ${rows.kind}, ${rows.targetId}, ${rows.contentHash}, ${done.accountId}, ${done.userName},
            ${done.good}, ${done.bad})`.execute(db)
}
