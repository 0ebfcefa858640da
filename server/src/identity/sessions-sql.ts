import { sql, type Database } from '../kit/database.ts'
import { accountColumns, accountTables, type AccountRow } from './principal-sql.ts'

export interface SessionRow extends AccountRow {
  renewedAt: Date
  expiresAt: Date
  replaced: boolean
}

/** The session of a token with its account, in one look-up. */
export async function findSession(db: Database, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select ${accountColumns}, s.renewed_at as "renewedAt", s.expires_at as "expiresAt",
           s.replaced_by is not null as replaced
      from sessions s join ${accountTables} on a.id = s.account_id
     where s.token_hash = ${tokenHash}`.execute(db)
  return rows[0]
}

export async function insertSession(
  db: Database,
  session: {
    tokenHash: Buffer
    accountId: number
    now: Date
    expiresAt: Date
    address: string
    userAgent: string
  },
): Promise<void> {
  await sql`
    insert into sessions (token_hash, account_id, created_at, renewed_at, expires_at, address, user_agent)
    values (${session.tokenHash}, ${session.accountId}, ${session.now}, ${session.now}, ${session.expiresAt},
            ${session.address}, ${session.userAgent})`.execute(db)
}

/**
 * Puts a new token in the place of one; the old one works until `oldExpiresAt`.
 * @returns false when another request has renewed it already
 */
export async function replaceSession(
  db: Database,
  session: { oldHash: Buffer; newHash: Buffer; now: Date; expiresAt: Date; oldExpiresAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with old as (
      update sessions set replaced_by = ${session.newHash}, expires_at = least(expires_at, ${session.oldExpiresAt})
       where token_hash = ${session.oldHash} and replaced_by is null
      returning account_id, created_at, address, user_agent)
    insert into sessions (token_hash, account_id, created_at, renewed_at, expires_at, address, user_agent)
    select ${session.newHash}, account_id, created_at, ${session.now}, ${session.expiresAt}, address, user_agent from old
    returning 1`.execute(db)
  return rows.length === 1
}

export async function deleteSession(db: Database, tokenHash: Buffer): Promise<void> {
  await sql`delete from sessions where token_hash = ${tokenHash} or replaced_by = ${tokenHash}`.execute(db)
}

export async function deleteExpiredSessions(db: Database, now: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${now}`.execute(db)
}
