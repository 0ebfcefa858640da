import {
  endpoints,
  permissionIds,
  permissionKeys,
  permissionTree,
  type Endpoint,
  type EndpointName,
  type PermissionTree,
  type UserType,
} from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from '../testing/test-server.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())

const all = Object.entries(endpoints) as [EndpointName, Endpoint][]
const guarded = all.filter(([, endpoint]) => !('open' in endpoint))
/** Logging out ends the session that asks the others. */
const guardedWithoutLogout = guarded.filter(([name]) => name !== 'logout')
const keysOf = (endpoint: Endpoint): string[] =>
  'open' in endpoint || endpoint.needs === 'signedIn' ? [] : [endpoint.needs].flat()
/** Pages and buttons of a tree. */
const nodesOf = (tree: PermissionTree) =>
  permissionTree(tree, 'all').flatMap(({ children }) => children.flatMap((page) => [page, ...page.children]))

const trees: { tree: PermissionTree; type: UserType }[] = [
  { tree: 'admin', type: 0 },
  { tree: 'agent', type: 1 },
  { tree: 'merchant', type: 2 },
]

/** A call as somebody would make it who only wants to know whether he may. */
const tryCall = (endpoint: Endpoint, token: string | undefined) =>
  network.call(endpoint.verb, endpoint.path.replace(/:\w+/g, '999999'), token === undefined ? {} : { token })

describe('permissions', () => {
  it('stand on every call: a key of the catalogue, any session, or a reason to be open', () => {
    const known = new Set(
      trees.flatMap(({ tree }) => [...permissionKeys(tree, new Set(permissionIds(tree)))] as string[]),
    )
    for (const [name, endpoint] of all) {
      if ('open' in endpoint) expect(endpoint.open.length, name).toBeGreaterThan(5)
      else
        expect(endpoint.needs === 'signedIn' || keysOf(endpoint).every((key) => known.has(key)), name).toBe(
          true,
        )
    }
  })

  it('are asked of everybody: without a token no guarded call says a word', async () => {
    for (const [name, endpoint] of guarded) {
      const { body } = await tryCall(endpoint, undefined)
      expect([body.resultCode, body.data], name).toEqual(['02000', null])
    }
  })

  it.each(trees)(
    'of the $tree tree, each taken away alone, close just the calls that need it',
    async ({ tree, type }) => {
      const keys = [...permissionKeys(tree, new Set(permissionIds(tree)))]
      const organisationId = { admin: 1, agent: network.ours.agentId, merchant: network.ours.merchantId }[
        tree
      ]
      let tried = 0
      for (const [index, missing] of keys.entries()) {
        const granted = nodesOf(tree).flatMap(({ id, tag }) => (tag === missing ? [] : [id]))
        const left = permissionKeys(tree, new Set(granted))
        expect(left.has(missing)).toBe(false)
        const userName = `${tree}-without-${index}`
        // A sub-account has what it is granted as far as its owner has it, which is all.
        await addAccount(network, { organisationId, userName, isOwner: false, tree, permissionIds: granted })
        const token = await network.signIn(userName)
        const ownType = (type === 0 ? 0 : type + 2) as UserType
        const answers = await Promise.all(
          guardedWithoutLogout.map(async ([name, endpoint]) => ({
            name,
            endpoint,
            code: (await tryCall(endpoint, token)).body.resultCode,
          })),
        )
        for (const { name, endpoint, code } of answers) {
          tried++
          const needed = keysOf(endpoint)
          // A button goes with its page.
          const held = needed.length === 0 || needed.some((key) => (left as Set<string>).has(key))
          const typeFits = !endpoint.types || (endpoint.types as readonly UserType[]).includes(ownType)
          expect(code === '103', `${userName} (${missing}) ${name}`).toBe(
            !held || (needed.length > 0 && !typeFits),
          )
        }
      }
      expect(tried).toBe(keys.length * guardedWithoutLogout.length)
    },
  )

  it('of a user type that a call is not for do not help', async () => {
    const roles = { admin: 0, agent: 1, merchant: 2, subAgent: 3, subMerchant: 4 } as const
    const answers = []
    for (const [name, endpoint] of guarded.filter(([, one]) => one.types !== undefined)) {
      for (const [role, type] of Object.entries(roles)) {
        if ((endpoint.types as readonly UserType[]).includes(type)) continue
        const { body } = await tryCall(endpoint, network.tokens[role as keyof typeof roles])
        answers.push(`${name} ${role} ${body.resultCode}`)
      }
    }
    expect(answers.length).toBeGreaterThan(0)
    expect(answers.filter((answer) => !answer.endsWith(' 103'))).toEqual([])
  })
})
