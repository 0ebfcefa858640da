import { expect } from 'vitest'
import type { OrganisationRow } from '@chairside/contract'
import type { TestNetwork } from './test-network.ts'

type Verb = 'GET' | 'POST' | 'PUT'

export interface CreatedOrganisation {
  id: number
  userId: string
  password: string
}

export interface OrganisationList {
  list: OrganisationRow[]
  total: number
  chain?: { id: number; name: string }[]
}

export const idsOf = ({ list }: OrganisationList) => list.map(({ id }) => id)

/** How tests of agents and merchants ask and look, once the network is there. */
export function organisationsOf(network: () => TestNetwork) {
  const call = <Data = unknown>(token: string, verb: Verb, path: string, body?: unknown) =>
    network().call<Data>(verb, path, { token, ...(body === undefined ? {} : { body }) })
  const code = async (token: string, verb: Verb, path: string, body?: unknown) =>
    (await call(token, verb, path, body)).body.resultCode
  const data = async <Data>(token: string, verb: Verb, path: string, body?: unknown) => {
    const answer = await call<Data>(token, verb, path, body)
    expect(answer.body, `${verb} ${path}`).toMatchObject({ success: true })
    return answer.body.data
  }
  let made = 0
  return {
    call,
    code,
    data,
    /** Makes an agent or merchant; the operator does, unless a token says who. */
    add(kind: 'agent' | 'merchant', token = network().tokens.admin, more: object = {}) {
      const userid = `made-${++made}`
      return data<CreatedOrganisation>(token, 'POST', `/api/${kind}`, {
        userid,
        name: `Made ${made}`,
        ...more,
      })
    },
    async grantsOf(userName: string) {
      const { rows } = await network().pool.query<{ ids: number[] }>(
        'select permission_ids as ids from accounts where user_name = $1',
        [userName],
      )
      return rows[0]?.ids.toSorted((one, other) => one - other)
    },
    async auditOf(action: string) {
      const { rows } = await network().pool.query(
        'select user_name, target, outcome, details from audit_trail where action = $1 order by id desc limit 1',
        [action],
      )
      return rows[0]
    },
  }
}
