import { plannedOnce, sql, type Database } from '../kit/database.ts'
import { accountColumns, accountTables, accountVersion, type AccountRow } from './principal-sql.ts'

export interface SessionRow {
  renewedAt: Date
  expiresAt: Date
  lastUsedAt: Date
  replaced: boolean
  /** A token that was renewed is not used yet: whoever it was meant for may not have got it. */
  isUsed: boolean
  /** The same as long as nothing of what its account may do changes. */
  accountVersion: string
}

/** The session of a token, with the version of its account that holds now. */
export async function findSession(db: Database, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`${plannedOnce}
    select s.renewed_at as "renewedAt", s.expires_at as "expiresAt", s.last_used_at as "lastUsedAt",
           s.replaced_by is not null as replaced, s.is_used as "isUsed", ${accountVersion} as "accountVersion"
      from sessions s where s.token_hash = ${tokenHash}`.execute(db)
  return rows[0]
}

/** The account of a token with all that decides what it may do, and the version of it that was read. */
export async function findAccountOfSession(
  db: Database,
  tokenHash: Buffer,
): Promise<(AccountRow & { version: string }) | undefined> {
  const { rows } = await sql<AccountRow & { version: string }>`${plannedOnce}
    select ${accountColumns}, ${accountVersion} as version
      from ${accountTables} join sessions s on s.account_id = a.id where s.token_hash = ${tokenHash}`.execute(
    db,
  )
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
 * Lets no token of an account be renewed until the transaction is over: what ends sessions would not see the successor
 * that is being made, which would live on.
 */
export async function holdRenewals(db: Database, accountId: number): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(db)
}

/**
 * Replaces a token by a new one; the old one goes on working until the new one is used (`beginUse`). It waits for whoever
 * changes the account: a new password, a deletion and the like end the session first (`holdRenewals`).
 * @returns false when another request has renewed it already, or the session has ended
 */
export async function replaceSession(
  db: Database,
  session: { oldHash: Buffer; newHash: Buffer; salt: Buffer; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with holder as materialized (
      select a.id from accounts a join sessions s on s.account_id = a.id where s.token_hash = ${session.oldHash}
         for share of a),
    old as (
      update sessions set replaced_by = ${session.newHash}, renewal_salt = ${session.salt}
       where token_hash = ${session.oldHash} and replaced_by is null and account_id in (select id from holder)
      returning id, account_id, created_at, address, user_agent)
    insert into sessions (token_hash, id, account_id, created_at, renewed_at, last_used_at, expires_at, address, user_agent, is_used)
    select ${session.newHash}, id, account_id, created_at, ${session.now}, ${session.now}, ${session.expiresAt}, address, user_agent, false from old
    returning 1`.execute(db)
  return rows.length === 1
}

/** What the successor of a token is made of, as long as nobody has used it. */
export async function findRenewalSalt(db: Database, oldHash: Buffer): Promise<Buffer | undefined> {
  const { rows } = await sql<{ salt: Buffer | null }>`
    select old.renewal_salt as salt from sessions old join sessions next on next.token_hash = old.replaced_by
     where old.token_hash = ${oldHash} and not next.is_used`.execute(db)
  return rows[0]?.salt ?? undefined
}

/**
 * Notes the first use of a renewed token; its predecessor works until `oldExpiresAt` at most. The predecessor is locked
 * first, as it is by who ends both, or each might wait for the other.
 */
export async function beginUse(
  db: Database,
  session: { tokenHash: Buffer; oldExpiresAt: Date },
): Promise<void> {
  await sql`
    with held as materialized (
      select token_hash from sessions
       where account_id = (select account_id from sessions where token_hash = ${session.tokenHash})
         and (token_hash = ${session.tokenHash} or replaced_by = ${session.tokenHash})
       order by renewed_at for update),
    used as (
      update sessions set is_used = true
       where token_hash = ${session.tokenHash} and not is_used and token_hash in (select token_hash from held)
      returning account_id, token_hash)
    update sessions old set expires_at = least(old.expires_at, ${session.oldExpiresAt}) from used
     where old.account_id = used.account_id and old.replaced_by = used.token_hash`.execute(db)
}

/** Ends the session of a token of an account, with all tokens that were renewed to it or from it. */
export async function deleteSession(db: Database, accountId: number, tokenHash: Buffer): Promise<void> {
  await holdRenewals(db, accountId)
  await sql`
    delete from sessions where account_id = ${accountId} and id = (select id from sessions where token_hash = ${tokenHash})`.execute(
    db,
  )
}

export async function deleteExpiredSessions(db: Database, now: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${now}`.execute(db)
}

export interface OwnSession {
  id: string
  createdAt: Date
  lastUsedAt: Date
  address: string
  userAgent: string
  current: boolean
}

/** Sessions of an account that are alive, the last used first; a renewed token counts for its predecessor too. */
export async function findSessionsOf(
  db: Database,
  accountId: number,
  { ownTokenHash, now }: { ownTokenHash: Buffer; now: Date },
): Promise<OwnSession[]> {
  const { rows } = await sql<OwnSession>`
    select s.id, s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.address, s.user_agent as "userAgent",
           s.id = (select id from sessions where token_hash = ${ownTokenHash}) as current
      from sessions s where s.account_id = ${accountId} and s.replaced_by is null and s.expires_at > ${now}
     order by s.last_used_at desc, s.id`.execute(db)
  return rows
}

/** Ends a session of an account; false when it has none of this id. */
export async function deleteSessionOf(db: Database, accountId: number, id: string): Promise<boolean> {
  await holdRenewals(db, accountId)
  const { rows } = await sql`
    delete from sessions where account_id = ${accountId} and id = ${id} returning 1`.execute(db)
  return rows.length > 0
}

/** Notes that a session was used. */
export async function touchSession(db: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await sql`update sessions set last_used_at = ${now} where token_hash = ${tokenHash}`.execute(db)
}
