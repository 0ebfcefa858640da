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
/** Pages and buttons of a tree, each with its page. */
const nodesOf = (tree: PermissionTree) =>
  permissionTree(tree, 'all').flatMap(({ children }) =>
    children.flatMap((page) => [page, ...page.children].map((node) => ({ node, page }))),
  )

const trees: { tree: PermissionTree; type: UserType }[] = [
  { tree: 'admin', type: 0 },
  { tree: 'agent', type: 1 },
  { tree: 'merchant', type: 2 },
]

/** A call as somebody would make it who only wants to know whether he may. */
const tryCall = (endpoint: Endpoint, token: string | undefined) =>
  network.call(endpoint.verb, endpoint.path.replace(/:\w+/g, '999999'), token === undefined ? {} : { token })

interface Colleague {
  type: UserType
  held: ReadonlySet<string>
  token: string
}

let colleagues = 0

/** A sub-account has what it is granted as far as its owner has it, which is all. */
async function addColleague(
  { tree, type }: (typeof trees)[number],
  granted: readonly number[],
): Promise<Colleague> {
  const { agentId, merchantId } = network.ours
  const organisationId = { admin: 1, agent: agentId, merchant: merchantId }[tree]
  const userName = `${tree}-colleague-${++colleagues}`
  await addAccount(network, {
    organisationId,
    userName,
    isOwner: false,
    tree,
    permissionIds: [...granted],
  })
  return {
    type: (type === 0 ? 0 : type + 2) as UserType,
    held: permissionKeys(tree, new Set(granted)),
    token: await network.signIn(userName),
  }
}

/** Who holds none of a call's keys is refused it, and so is whom it is not for; nobody else is. */
async function expectJustWhatIsHeld({ type, held, token }: Colleague, calls: typeof guarded): Promise<void> {
  const refused = async ([name, endpoint]: (typeof guarded)[number]) =>
    (await tryCall(endpoint, token)).body.resultCode === '103' ? [name] : []
  const mayNot = ([, endpoint]: (typeof guarded)[number]) => {
    const needed = keysOf(endpoint)
    const isForType = !endpoint.types || (endpoint.types as readonly UserType[]).includes(type)
    return needed.length > 0 && !(isForType && needed.some((key) => held.has(key)))
  }
  expect((await Promise.all(calls.map(refused))).flat(), [...held].join(' ')).toEqual(
    calls.filter(mayNot).map(([name]) => name),
  )
}

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

  // Whoever has all but a call's own keys is refused, and whoever has one of these alone is not: so it needs nothing else.
  it.each(trees)(
    'of the $tree tree: a call opens with each of its keys alone, and closes without',
    async (one) => {
      const nodes = nodesOf(one.tree)
      let tried = 0
      for (const { node, page } of nodes) {
        const calls = guardedWithoutLogout.filter(([, endpoint]) => keysOf(endpoint).includes(node.tag))
        // A button goes with its page.
        const withIt = await addColleague(one, [page.id, node.id])
        expect([...withIt.held].toSorted()).toEqual([...new Set([page.tag, node.tag])].toSorted())
        await expectJustWhatIsHeld(withIt, calls)
        const keySets = new Set(calls.map(([, endpoint]) => keysOf(endpoint).toSorted().join(' ')))
        for (const keys of keySets) {
          const closed = keys.split(' ')
          const rest = nodes.filter((other) => !closed.includes(other.node.tag))
          const withoutIt = await addColleague(
            one,
            rest.map((other) => other.node.id),
          )
          expect(closed.filter((key) => withoutIt.held.has(key))).toEqual([])
          await expectJustWhatIsHeld(withoutIt, calls)
        }
        tried += calls.length * (1 + keySets.size)
      }
      expect(tried).toBeGreaterThan(nodes.length)
    },
  )

  it.each(trees)(
    'of the $tree tree: all of them open all calls of that type, and none but any session’s',
    async (one) => {
      const every = nodesOf(one.tree).map(({ node }) => node.id)
      for (const granted of [every, []]) {
        await expectJustWhatIsHeld(await addColleague(one, granted), guardedWithoutLogout)
      }
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
