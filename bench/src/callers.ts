import { demoPassword } from '@chairside/server/demo/write-network'
import pg from 'pg'
import { listedYear } from './prepare-data.ts'
import type { PlainQuery } from './peer-sql.ts'
import type { HttpClient } from './http-client.ts'

/** Somebody whose lists are measured. */
export interface Caller extends PlainQuery {
  userName: string
  /** Merchants within reach. */
  merchants: number
  /** Orders of the listed year within reach. */
  orders: number
}

// The platform's days begin in Shanghai.
const period = { from: `${listedYear - 1}-12-31T16:00:00Z`, before: `${listedYear}-12-31T16:00:00Z` }

/** The merchant and the agent with the most orders, and the operator. */
export async function findCallers(databaseUrl: string): Promise<Caller[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{
      role: Caller['role']
      id: string
      userName: string
      merchants: string
      orders: string
    }>(
      `select distinct on (role) * from (
         select case o.kind when 'platform' then 'admin' else o.kind end as role, o.id, a.user_name as "userName",
                sum(c.orders) as orders,
                (select count(*) from organisations below where below.path <@ o.path and below.kind = 'merchant') as merchants
           from order_month_counters c join organisations o on o.id = c.scope_id and c.scope_kind = 'o'
           join accounts a on a.organisation_id = o.id and a.is_owner
          where c.month >= $1 and c.month <= $2 group by o.id, a.user_name) found
        order by role, orders desc`,
      [`${listedYear}-01-01`, `${listedYear}-12-31`],
    )
    return (['merchant', 'agent', 'admin'] as const).map((role) => {
      const row = rows.find((one) => one.role === role)
      if (!row) throw new Error(`the data has no orders for a ${role}`)
      return {
        ...period,
        role,
        organisationId: Number(row.id),
        userName: row.userName,
        merchants: Number(row.merchants),
        orders: Number(row.orders),
      }
    })
  } finally {
    await client.end()
  }
}

/** Signs in as a person does; the headers carry the token. */
export async function signIn(client: HttpClient, userName: string): Promise<Record<string, string>> {
  const answer = await client.postJson('/api/sessions/login', { username: userName, password: demoPassword })
  return { 'x-access-token': readData<{ token: string }>(answer).token }
}

/** The data of an accepted answer; a refusal is an error here. */
export function readData<Data>(body: string): Data {
  const envelope = JSON.parse(body) as { success: boolean; message: string; data: Data }
  if (!envelope.success) throw new Error(`refused: ${envelope.message}`)
  return envelope.data
}
