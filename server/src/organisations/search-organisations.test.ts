import type { OrganisationFound } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { idsOf, organisationsOf, type OrganisationList } from '../testing/test-organisations.ts'
import { addOrganisation } from '../testing/test-server.ts'
import { writeNameInitials } from './name-initials.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())

const { add, data } = organisationsOf(() => network)

const list = (token: string, query: string) =>
  data<OrganisationList>(token, 'GET', `/api/merchants/user?${query}`)

/** What a search finds, and that its pages are those of the whole list. */
async function finds(token: string, query: string): Promise<number[]> {
  const whole = idsOf(await list(token, `${query}&pagesize=0`))
  const pages = Math.ceil(whole.length / 10) + 1
  for (let pagenum = 1; pagenum <= pages; pagenum++) {
    const page = await list(token, `${query}&pagesize=10&pagenum=${pagenum}`)
    expect(idsOf(page), `${query}, page ${pagenum}`).toEqual(whole.slice(10 * (pagenum - 1), 10 * pagenum))
    expect(page.total, query).toBe(whole.length)
  }
  return whole
}

describe('the list of those whose name has two letters', () => {
  const firstToLast = (made: readonly { id: number }[]) => made.map(({ id }) => id).toReversed()
  const byKind: Record<'agent' | 'merchant', { id: number; userId: string }[]> = { agent: [], merchant: [] }

  beforeAll(async () => {
    for (const kind of ['agent', 'merchant'] as const)
      for (let index = 0; index < 12; index++) {
        const named = { name: `Vq ${kind} 海底角店`, userid: `${kind}-jx${index}` }
        byKind[kind].push(await add(kind, network.tokens.agent, named))
      }
    await writeNameInitials(network.db)
  })

  it('stands in the order of all, agents first and newest first, for the operator and for their agent', async () => {
    const [agents, merchants] = [firstToLast(byKind.agent), firstToLast(byKind.merchant)]
    for (const token of [network.tokens.admin, network.tokens.agent])
      for (const sought of [
        'username=vq',
        'username=VQ',
        'username=海底',
        'username=hd',
        'userid=jx',
        'userid=-J',
      ]) {
        const query = encodeURI(sought)
        expect(await finds(token, query), sought).toEqual([...agents, ...merchants])
        expect(await finds(token, `${query}&type=1`), sought).toEqual(agents)
        expect(await finds(token, `${query}&type=2`), sought).toEqual(merchants)
      }
  })

  it('has what is renamed by its new letters alone', async () => {
    const { admin, agent } = network.tokens
    const { id } = await add('merchant', agent, { name: 'Wv 一', userid: 'wv-one' })
    await data(admin, 'PUT', `/api/merchant/edit/${id}`, { name: 'Kz 二', userid: 'kz-two' })
    await writeNameInitials(network.db)
    for (const token of [admin, agent])
      for (const [query, found] of [
        ['username=wv', []],
        ['userid=wv', []],
        ['username=kz', [id]],
        ['userid=kz', [id]],
        ['username=二&userid=kz', [id]],
        ['username=kz&userid=wv', []],
      ] as const)
        expect(await finds(token, encodeURI(query)), query).toEqual(found)
  })

  it('has what was moved for the agent to whom it came, and no more for the one whom it left', async () => {
    const { admin } = network.tokens
    const old = await addOrganisation(network, 'agent', 'LeftAgent')
    const next = await addOrganisation(network, 'agent', 'NextAgent')
    const { id } = await add('merchant', admin, { parentid: old, name: 'Yk', userid: 'yk-moved' })
    const found = async (who: string) => {
      const token = await network.signIn(who)
      const suggested = await data<OrganisationFound[]>(token, 'GET', '/api/merchants/userid?username=yk')
      expect(suggested.map((one) => one.id)).toEqual(await finds(token, 'username=yk'))
      return finds(token, 'userid=yk-moved')
    }
    expect([await found('LeftAgent'), await found('NextAgent')]).toEqual([[id], []])
    await data(admin, 'PUT', '/api/merchant/move', { merchantIds: [id], parentId: next })
    expect([await found('LeftAgent'), await found('NextAgent')]).toEqual([[], [id]])
  })

  it('is narrowed to whom one drilled down to, and is empty below whom one does not see', async () => {
    const { admin, agent } = network.tokens
    const top = await addOrganisation(network, 'agent', 'DrilledTop')
    const mid = await addOrganisation(network, 'agent', 'DrilledMid', top)
    const deep = await add('merchant', admin, { parentid: mid, name: 'Wk deep', userid: 'wk-deep' })
    const beside = await add('merchant', admin, { parentid: top, name: 'Wk beside', userid: 'wk-beside' })
    const below = async (token: string, parentid: number, query: string) =>
      idsOf(await data<OrganisationList>(token, 'GET', `/api/agentmerchants?parentid=${parentid}&${query}`))
    const ofTop = await network.signIn('DrilledTop')
    for (const query of ['username=wk', 'userid=wk', 'username=wk%20'])
      for (const token of [admin, ofTop]) {
        expect(await below(token, top, query), query).toEqual([beside.id, deep.id])
        expect(await below(token, mid, query), query).toEqual([deep.id])
      }
    const foreign = await Promise.all(
      ['username=wk', 'userid=wk'].map((query) =>
        network.call<OrganisationList | null>('GET', `/api/agentmerchants?parentid=${top}&${query}`, {
          token: agent,
        }),
      ),
    )
    for (const { body } of foreign) expect(body.data?.list ?? []).toEqual([])
  })

  it('is kept for everybody as their names are', async () => {
    const { rows } = await network.pool.query(
      `with kept as (select field, pair, kind, organisation_id from organisation_letter_pairs),
            made as (select p.field, p.pair, o.kind, o.id
                       from organisations o, lateral pairs_of_organisation(o.name, o.name_initials, o.owner_user_name) p
                      where o.kind <> 'platform')
       select (select count(*) from kept) as kept, (select count(*) from (table kept except table made) d) as surplus,
              (select count(*) from (table made except table kept) d) as missing`,
    )
    expect(rows).toEqual([{ kept: expect.toSatisfy((count) => count > 300), surplus: 0, missing: 0 }])
  })
})

describe('the search of organisations', () => {
  it('names who stands between the caller and what it finds, and nobody above the caller', async () => {
    const { admin } = network.tokens
    const top = await addOrganisation(network, 'agent', 'SearchTop')
    const mid = await addOrganisation(network, 'agent', 'SearchMid', top)
    const shop = await add('merchant', admin, { parentid: mid, name: 'Sought Shop', userid: 'SoughtShop' })
    const chainFor = async (token: string) => {
      const found = await data<OrganisationFound[]>(token, 'GET', '/api/merchants/userid?userid=soughts')
      return found.map(({ id, userId, chain }) => ({ id, userId, chain: chain.map((one) => one.id) }))
    }
    const sought = { id: shop.id, userId: 'SoughtShop' }
    expect(await chainFor(admin)).toEqual([{ ...sought, chain: [top, mid] }])
    const ofMid = await network.signIn('SearchMid')
    expect(await chainFor(ofMid)).toEqual([{ ...sought, chain: [mid] }])
    const itself = await data<OrganisationFound[]>(
      ofMid,
      'GET',
      '/api/merchants/userid?userid=searchm&type=A',
    )
    expect(itself.map(({ id, chain }) => ({ id, chain }))).toEqual([{ id: mid, chain: [] }])
    const own = { id: await addOrganisation(network, 'merchant', 'SoughtsOwn', mid), userId: 'SoughtsOwn' }
    expect(await chainFor(await network.signIn('SoughtsOwn'))).toEqual([{ ...own, chain: [] }])
  })

  it('takes the first ten in the order of the list, however many letters, and shows them by name', async () => {
    const made: number[] = []
    for (let index = 0; index < 25; index++) {
      const named = { name: `Xg0 ${(index * 7) % 25}`, userid: `many-xg0-${index}` }
      made.push((await add(index % 5 ? 'merchant' : 'agent', network.tokens.agent, named)).id)
    }
    const agents = made.filter((_, index) => index % 5 === 0)
    const merchants = made.filter((_, index) => index % 5).toReversed()
    const inOrder = (ids: readonly number[]) => ids.toSorted((one, other) => one - other)
    for (const token of [network.tokens.admin, network.tokens.agent])
      for (const [query, expected] of [
        ['username=xg', [...agents, ...merchants.slice(0, 5)]],
        ['username=xg0', [...agents, ...merchants.slice(0, 5)]],
        ['userid=0-', [...agents, ...merchants.slice(0, 5)]],
        ['userid=xg0-', [...agents, ...merchants.slice(0, 5)]],
      ] as const) {
        const path = `/api/merchants/userid?${query}`
        const all = await data<OrganisationFound[]>(token, 'GET', `${path}&type=A`)
        expect(inOrder(all.map(({ id }) => id)), query).toEqual(inOrder(expected))
        const names = all.map(({ name }) => name)
        expect(names, query).toEqual(names.toSorted())
        const shops = await data<OrganisationFound[]>(token, 'GET', path)
        expect(inOrder(shops.map(({ id }) => id)), query).toEqual(inOrder(merchants.slice(0, 10)))
      }
  })

  it('finds by name in their order, and nothing for a single letter', async () => {
    const { admin } = network.tokens
    for (const name of ['Zz 二', 'Zz 一', 'Zz 0']) await add('merchant', admin, { name })
    const names = async (text: string) => {
      const path = `/api/merchants/userid?username=${encodeURIComponent(text)}`
      return (await data<OrganisationFound[]>(admin, 'GET', path)).map(({ name }) => name)
    }
    expect(await names('zz')).toEqual(['Zz 0', 'Zz 一', 'Zz 二'])
    expect(await names('z')).toEqual([])
    // Of these letters JavaScript and PostgreSQL make different small ones.
    const foreign = 'İnci ΟΔΟΣ'
    await add('merchant', admin, { name: foreign })
    for (const text of ['İn', 'İnc', 'inci', 'ΟΔΟΣ', 'οδοσ', 'ΟΣ'])
      expect(await names(text), text).toEqual([foreign])
  })
})
