import { permissionIds } from '@chairside/contract'
import type { Call } from '../kit/call.ts'
import { accountCalls } from '../identity/account-calls.ts'
import { addAccount, addOrganisation, startTestServer, type TestServer } from './test-server.ts'

export interface TestTeam extends TestServer {
  /** Organisation ids: agent `north` with agent `fjord` and merchants `spa` and `gym` below; agent `south` with merchant `mall`. */
  organisations: Record<'north' | 'fjord' | 'spa' | 'gym' | 'south' | 'mall', number>
  /** Account ids by user name. */
  accounts: Record<string, number>
  /** A call by somebody, whose token is kept for the next one. */
  as<Data = unknown>(
    userName: string,
    verb: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<{ resultCode: string; message: string; success: boolean; data: Data }>
  /** What an account holds, as it is stored. */
  held(userName: string): Promise<number[]>
  /** Gives an account just these nodes, past every rule. */
  give(userName: string, ids: readonly number[]): Promise<void>
}

/** The calls of accounts on a small tree of organisations, with two clerks at `north`, `spa` and the platform. */
export async function startTestTeam(moreCalls: readonly Call[] = []): Promise<TestTeam> {
  const server = await startTestServer(() => [...accountCalls, ...moreCalls])
  await server.pool.query(`alter sequence accounts_id_seq restart with 1`)
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  const north = await addOrganisation(server, 'agent', 'north')
  const south = await addOrganisation(server, 'agent', 'south')
  const organisations = {
    north,
    south,
    fjord: await addOrganisation(server, 'agent', 'fjord', north),
    spa: await addOrganisation(server, 'merchant', 'spa', north),
    gym: await addOrganisation(server, 'merchant', 'gym', north),
    mall: await addOrganisation(server, 'merchant', 'mall', south),
  }
  const clerks = { admin: 1, north, spa: organisations.spa } as const
  for (const [name, organisationId] of Object.entries(clerks)) {
    const tree = name === 'admin' ? 'admin' : name === 'north' ? 'agent' : 'merchant'
    for (const suffix of ['clerk', 'helper'])
      await addAccount(server, { organisationId, userName: `${name}-${suffix}`, isOwner: false, tree })
  }
  const { rows } = await server.pool.query<{ id: number; user_name: string }>(
    'select id, user_name from accounts',
  )
  const tokens = new Map<string, string>()
  return {
    ...server,
    organisations,
    accounts: Object.fromEntries(rows.map(({ id, user_name: userName }) => [userName, id])),
    async as<Data>(userName: string, verb: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) {
      const token = tokens.get(userName) ?? (await server.signIn(userName))
      tokens.set(userName, token)
      return (await server.call<Data>(verb, path, { token, ...(body === undefined ? {} : { body }) })).body
    },
    async held(userName) {
      const found = await server.pool.query<{ ids: number[] }>(
        'select permission_ids as ids from accounts where user_name = $1',
        [userName],
      )
      return (found.rows[0]?.ids ?? []).toSorted((one, other) => one - other)
    },
    async give(userName, ids) {
      await server.pool.query('update accounts set permission_ids = $2 where user_name = $1', [userName, ids])
    },
  }
}

/** Every node of the merchant tree but some. */
export const merchantNodesWithout = (...without: number[]) =>
  permissionIds('merchant').filter((id) => !without.includes(id))
