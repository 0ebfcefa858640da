import { createHash, randomBytes } from 'node:crypto'
import { sql, type Database } from '../kit/database.ts'

/** Somebody at a pay page, known by a random key that only their browser has. */
export interface Customer {
  id: number
  /** Who it is to an app of the provider's, and the app; one is no payer to another app. */
  openId: string | null
  appId: string | null
}

export const newCustomerKey = (): string => randomBytes(24).toString('base64url')

const hashOf = (key: string) => createHash('sha256').update(key).digest()

export async function findCustomer(db: Database, key: string): Promise<Customer | undefined> {
  const { rows } = await sql<Customer>`
    select id, open_id as "openId", app_id as "appId" from customers where key_hash = ${hashOf(key)}`.execute(
    db,
  )
  return rows[0]
}

/** The customer of a key, made when it is new. */
export async function customerOf(db: Database, key: string): Promise<Customer> {
  const { rows } = await sql<Customer>`
    insert into customers (key_hash) values (${hashOf(key)})
    on conflict (key_hash) do update set seen_at = now() returning id, open_id as "openId", app_id as "appId"`.execute(
    db,
  )
  if (!rows[0]) throw new Error('the customer was not kept')
  return rows[0]
}

/** Keeps who a customer is to a provider's app, and that it was: a browser may be somebody else's later. */
export async function storeOpenId(
  db: Database,
  customerId: number,
  appId: string,
  openId: string,
): Promise<void> {
  await sql`
    with known as (
      update customers set app_id = ${appId}, open_id = ${openId} where id = ${customerId} returning id, app_id, open_id)
    insert into customer_payers (customer_id, app_id, open_id) select id, app_id, open_id from known
    on conflict do nothing`.execute(db)
}
