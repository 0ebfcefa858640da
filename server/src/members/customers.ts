import { createHash, randomBytes } from 'node:crypto'
import { sql, type Database } from '../kit/database.ts'

/** Somebody at a pay page, known by a random key that only their browser has. */
export interface Customer {
  id: number
  openId: string | null
}

export const newCustomerKey = (): string => randomBytes(24).toString('base64url')

const hashOf = (key: string) => createHash('sha256').update(key).digest()

export async function findCustomer(db: Database, key: string): Promise<Customer | undefined> {
  const { rows } =
    await sql<Customer>`select id, open_id as "openId" from customers where key_hash = ${hashOf(key)}`.execute(
      db,
    )
  return rows[0]
}

/** The customer of a key, made when it is new. */
export async function customerOf(db: Database, key: string): Promise<Customer> {
  const { rows } = await sql<Customer>`
    insert into customers (key_hash) values (${hashOf(key)})
    on conflict (key_hash) do update set seen_at = now() returning id, open_id as "openId"`.execute(db)
  if (!rows[0]) throw new Error('the customer was not kept')
  return rows[0]
}

/** Keeps who a customer is to a provider's app. */
export async function storeOpenId(
  db: Database,
  customerId: number,
  appId: string,
  openId: string,
): Promise<void> {
  await sql`update customers set app_id = ${appId}, open_id = ${openId} where id = ${customerId}`.execute(db)
}
