import { sql, type Database } from '../kit/database.ts'

/** Keeps a secret until its first code comes; an earlier offer to the account is void. */
export async function offerSecret(
  db: Database,
  offer: { accountId: number; sealedSecret: Buffer; expiresAt: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into two_step_offers (account_id, secret, expires_at) values (${offer.accountId}, ${offer.sealedSecret}, ${offer.expiresAt})
    on conflict (account_id) do update set id = excluded.id, secret = excluded.secret, expires_at = excluded.expires_at
    returning id`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('an offer was not kept')
  return id
}

/** The sealed secret of an account's offer that has not expired. */
export async function findOffer(
  db: Database,
  wanted: { accountId: number; id: string; now: Date },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ secret: Buffer }>`
    select secret from two_step_offers
     where id = ${wanted.id} and account_id = ${wanted.accountId} and expires_at > ${wanted.now}`.execute(db)
  return rows[0]?.secret
}

/** The same, locked: of many who bring the code at once one activates. */
export async function lockOffer(db: Database, accountId: number, now: Date): Promise<Buffer | undefined> {
  const { rows } = await sql<{ secret: Buffer }>`
    select secret from two_step_offers where account_id = ${accountId} and expires_at > ${now} for update`.execute(
    db,
  )
  return rows[0]?.secret
}

/** Makes the offered secret the account's authenticator, whose code of a step has been used. */
export async function activateOffer(db: Database, accountId: number, step: number): Promise<void> {
  await sql`
    with offer as (delete from two_step_offers where account_id = ${accountId} returning secret)
    update accounts set two_step_secret = offer.secret, two_step_enabled = true, two_step_last_counter = ${step}, updated_at = now()
      from offer where accounts.id = ${accountId}`.execute(db)
}

/** Takes the authenticator, and one that is offered, from an account. */
export async function clearTwoStep(db: Database, accountId: number): Promise<void> {
  await sql`delete from two_step_offers where account_id = ${accountId}`.execute(db)
  await sql`
    update accounts set two_step_secret = null, two_step_enabled = false, updated_at = now() where id = ${accountId}`.execute(
    db,
  )
}

export async function deleteExpiredOffers(db: Database, now: Date): Promise<void> {
  await sql`delete from two_step_offers where expires_at < ${now}`.execute(db)
}
