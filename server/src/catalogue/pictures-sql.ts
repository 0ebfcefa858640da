import type { PicturePurpose } from '@chairside/contract'
import { sql, type Database } from '../kit/database.ts'
import type { Actor } from '../kit/principal.ts'

export async function insertUploadToken(
  db: Database,
  token: { tokenHash: Buffer; accountId: number; purpose: PicturePurpose; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into upload_tokens (token_hash, account_id, purpose, expires_at)
    values (${token.tokenHash}, ${token.accountId}, ${token.purpose}, ${token.expiresAt})`.execute(db)
}

/** Uses a token up; whose it is, as long as that account and its organisation may still sign in. */
export async function takeUploadToken(
  db: Database,
  tokenHash: Buffer,
  now: Date,
): Promise<(Actor & { purpose: PicturePurpose }) | undefined> {
  const { rows } = await sql<Actor & { purpose: PicturePurpose }>`
    with taken as (delete from upload_tokens where token_hash = ${tokenHash} and expires_at > ${now} returning *)
    select t.purpose, a.id as "accountId", a.user_name as "userName", a.organisation_id as "organisationId"
      from taken t join accounts a on a.id = t.account_id join organisations o on o.id = a.organisation_id
     where a.status = 1 and o.status = 1`.execute(db)
  return rows[0]
}

export async function deleteExpiredUploadTokens(db: Database, now: Date): Promise<void> {
  await sql`delete from upload_tokens where expires_at <= ${now}`.execute(db)
}

export interface NewPicture {
  key: string
  purpose: PicturePurpose
  organisationId: number
  accountId: number
  width: number
  height: number
}

/**
 * Takes a key before the bytes are stored; answers false when it is taken, in letters of either case: some folders do not
 * tell them apart, and would put the bytes in the place of another's.
 */
export async function insertPicture(db: Database, picture: NewPicture): Promise<boolean> {
  const { rows } = await sql`
    insert into pictures (key, purpose, organisation_id, account_id, width, height)
    select ${picture.key}, ${picture.purpose}, ${picture.organisationId}::bigint, ${picture.accountId}::bigint, ${picture.width}::integer, ${picture.height}::integer
     where not exists (select 1 from pictures where lower(key) = lower(${picture.key}))
    on conflict do nothing returning 1`.execute(db)
  return rows.length === 1
}

/** Pictures of a purpose that an organisation has sent in since an instant. */
export async function countPicturesSince(
  db: Database,
  { organisationId, purpose, since }: { organisationId: number; purpose: PicturePurpose; since: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pictures
     where organisation_id = ${organisationId} and purpose = ${purpose} and uploaded_at > ${since}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export async function markStored(db: Database, key: string): Promise<void> {
  await sql`update pictures set stored_at = now() where key = ${key}`.execute(db)
}

/**
 * Takes a picture into use, so that it stays. Only pictures of the given organisations are there, and only for their
 * purpose; answers whether it is.
 */
export async function usePicture(
  db: Database,
  picture: { key: string; purpose: PicturePurpose; organisationIds: readonly number[] },
): Promise<boolean> {
  const { rows } = await sql`
    update pictures set used_at = now()
     where key = ${picture.key} and purpose = ${picture.purpose} and organisation_id = any(${[...picture.organisationIds]}::bigint[])
       and stored_at is not null and removed_at is null
    returning 1`.execute(db)
  return rows.length === 1
}

interface PictureRecord {
  key: string
  width: number
  height: number
  uploadedAt: Date
}

/** Pictures that an organisation sent in, newest first, and how many there are. */
export async function findPictures(
  db: Database,
  { organisationId, purpose }: { organisationId: number; purpose: PicturePurpose },
  page: { skip: number; take: number },
): Promise<{ list: PictureRecord[]; total: number }> {
  const ofOrganisation = sql`
    organisation_id = ${organisationId} and purpose = ${purpose} and stored_at is not null and removed_at is null`
  const { rows } = await sql<PictureRecord & { total: number }>`
    select key, width, height, uploaded_at as "uploadedAt" from pictures where ${ofOrganisation}
     order by uploaded_at desc, key offset ${page.skip} limit ${page.take}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from pictures where ${ofOrganisation}`.execute(db)
  return { list: rows, total: counted.rows[0]?.total ?? 0 }
}

/**
 * Notes of every picture that is shown, or waits for a review, that it was in use at this moment; not again for what was
 * noted after an instant.
 */
export async function noteShownPictures(db: Database, notedSince: Date): Promise<void> {
  await sql`
    update pictures p set used_at = now()
      from (select banner_key as key from banners union select time_banner_key from banners union select pending_banner_key from banners
            union select portrait_key from goods where removed_at is null) shown
     where p.key = shown.key and (p.used_at is null or p.used_at < ${notedSince})`.execute(db)
}

/**
 * Marks pictures that are to be removed, and gives all that are marked, also from earlier runs: those that were sent in
 * before an instant and never used, and those that were in use before another one for the last time.
 */
export async function markUnused(
  db: Database,
  { sentBefore, usedBefore }: { sentBefore: Date; usedBefore: Date },
  most: number,
): Promise<string[]> {
  // Looked at again when the row is locked: somebody may just have taken it into use.
  const isUnused = sql`(used_at is null and uploaded_at < ${sentBefore} or used_at < ${usedBefore})`
  const { rows } = await sql<{ key: string }>`
    update pictures set removed_at = coalesce(removed_at, now())
     where key in (select key from pictures where ${isUnused} order by uploaded_at limit ${most} for update skip locked) and ${isUnused}
    returning key`.execute(db)
  return rows.map(({ key }) => key)
}

export async function deletePictures(db: Database, keys: readonly string[]): Promise<void> {
  await sql`delete from pictures where key = any(${[...keys]}) and removed_at is not null`.execute(db)
}
