import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { idsOf, organisationsOf, type OrganisationList } from '../testing/test-organisations.ts'
import { addOrganisation } from '../testing/test-server.ts'

let network: TestNetwork
let admin: string
let agent: string
beforeAll(async () => {
  network = await startTestNetwork()
  ;({ admin, agent } = network.tokens)
})
afterAll(() => network.stop())

const { add, data } = organisationsOf(() => network)

describe('the agent and merchant list', () => {
  it('drills down with counts of what stands below and a chain for the breadcrumb', async () => {
    const top = { id: await addOrganisation(network, 'agent', 'Top') }
    const mid = await add('agent', admin, { parentid: top.id, name: 'Mid', mobile: '13812345678' })
    const leaf = await add('merchant', admin, { parentid: mid.id, name: 'Leaf' })
    const other = await add('merchant', admin, { parentid: top.id, name: 'Other' })
    await network.pool.query(
      `insert into devices (sid, model_id, merchant_id, credential_hash) values ('K1', 1, $1, ''), ('K2', 1, $1, ''), ('K3', 1, $2, '')`,
      [leaf.id, other.id],
    )
    const first = await data<OrganisationList>(admin, 'GET', `/api/agentmerchants?parentid=${top.id}`)
    expect(first.chain).toEqual([{ id: top.id, name: 'Top', type: '1' }])
    // Agents first.
    expect(first).toMatchObject({
      total: 2,
      list: [
        {
          id: mid.id,
          userId: mid.userId,
          type: '1',
          status: '1',
          parentId: top.id,
          parentName: 'Top',
          agents: 0,
          merchants: 1,
          devices: 2,
          mobile: '138****5678',
        },
        { id: other.id, type: '2', agents: 0, merchants: 0, devices: 1 },
      ],
    })
    const second = await data<OrganisationList>(admin, 'GET', `/api/agentmerchants?parentid=${mid.id}`)
    expect(second.chain?.map(({ name }) => name)).toEqual(['Top', 'Mid'])
    expect(idsOf(second)).toEqual([leaf.id])
    const whole = await data<OrganisationList>(admin, 'GET', '/api/agentmerchants?pagesize=0')
    expect(whole.list.find(({ id }) => id === top.id)).toMatchObject({ agents: 1, merchants: 2, devices: 3 })
    // The agent's own view begins below it.
    const token = await network.signIn('Top')
    expect(
      (await data<OrganisationList>(token, 'GET', `/api/agentmerchants?parentid=${mid.id}`)).chain,
    ).toEqual([{ id: mid.id, name: 'Mid', type: '1' }])
    expect(await data<OrganisationList>(token, 'GET', '/api/agentmerchants')).toMatchObject({
      total: 2,
      chain: [],
    })
  })

  it('counts devices as they are bound, moved on, removed and deleted, many at once', async () => {
    const [one, other] = [await add('merchant'), await add('merchant')]
    const counts = async () => {
      const { list } = await data<OrganisationList>(admin, 'GET', '/api/merchants/user?pagesize=0&type=2')
      return [one, other].map(({ id }) => list.find((row) => row.id === id)?.devices)
    }
    const change = (text: string, values: unknown[] = []) => network.pool.query(text, values)
    await change(
      `insert into devices (sid, model_id, merchant_id, credential_hash) select 'N' || n, 1, case when n <= 5 then $1::bigint end, '' from generate_series(1, 9) n`,
      [one.id],
    )
    expect(await counts()).toEqual([5, 0])
    await change(`update devices set merchant_id = $1 where sid in ('N4', 'N5', 'N6', 'N7')`, [other.id])
    expect(await counts()).toEqual([3, 4])
    await change(`update devices set removed_at = now() where sid in ('N1', 'N4', 'N9')`)
    expect(await counts()).toEqual([2, 3])
    await change(`update devices set name = 'renamed' where sid like 'N%'`)
    await change(`update devices set removed_at = null where sid = 'N1'`)
    await change(`delete from devices where sid in ('N2', 'N4', 'N5')`)
    expect(await counts()).toEqual([2, 2])
  })

  it('finds by parts of user name and name at any depth, letters of any case, signs of “like” as they are', async () => {
    const { id: parentid } = await add('agent', agent)
    const { id } = await add('merchant', agent, { parentid, userid: 'Deep_Down', name: '100% Wellness' })
    for (const path of ['/api/agentmerchants', '/api/merchants/user']) {
      expect(idsOf(await data<OrganisationList>(agent, 'GET', `${path}?userid=deep_d`)), path).toEqual([id])
      expect(idsOf(await data<OrganisationList>(agent, 'GET', `${path}?userid=deepx`)), path).toEqual([])
      expect(idsOf(await data<OrganisationList>(agent, 'GET', `${path}?username=0%25%20well`)), path).toEqual(
        [id],
      )
      expect(idsOf(await data<OrganisationList>(agent, 'GET', `${path}?username=0_well`)), path).toEqual([])
      expect(idsOf(await data<OrganisationList>(agent, 'GET', `${path}?userid=their`)), path).toEqual([])
    }
  })

  it('pages without gap or repeat; a page past the end is empty and knows the total', async () => {
    const { id: parentid } = await add('agent')
    const all: number[] = []
    for (let index = 0; index < 23; index++)
      all.push((await add(index % 3 ? 'merchant' : 'agent', admin, { parentid })).id)
    const seen = []
    for (const pagenum of [1, 2, 3]) {
      const page = await data<OrganisationList>(
        admin,
        'GET',
        `/api/agentmerchants?parentid=${parentid}&pagesize=10&pagenum=${pagenum}`,
      )
      expect(page.total).toBe(23)
      seen.push(...idsOf(page))
    }
    expect(seen.toSorted()).toEqual(all.toSorted())
    const whole = await data<OrganisationList>(
      admin,
      'GET',
      `/api/agentmerchants?parentid=${parentid}&pagesize=0`,
    )
    expect(idsOf(whole)).toEqual(seen)
    expect(await data(admin, 'GET', `/api/agentmerchants?parentid=${parentid}&pagenum=4`)).toMatchObject({
      list: [],
      total: 23,
    })
  })

  it('has the operator’s pages of all below, from both ends, as they stand in the whole list', async () => {
    // Enough that some pages are read row by row, some by the ids of theirs, and some of these from the end.
    for (let index = 0; index < 60; index++) {
      await addOrganisation(network, 'agent', `FarAgent${index}`)
      await addOrganisation(network, 'merchant', `FarMerchant${index}`)
    }
    for (const type of ['A', '1', '2']) {
      const path = `/api/merchants/user?type=${type}`
      const whole = idsOf(await data<OrganisationList>(admin, 'GET', `${path}&pagesize=0`))
      const pages = Math.ceil(whole.length / 10)
      expect(pages, type).toBeGreaterThan(1)
      for (let pagenum = 1; pagenum <= pages + 1; pagenum++) {
        const page = await data<OrganisationList>(admin, 'GET', `${path}&pagesize=10&pagenum=${pagenum}`)
        expect(idsOf(page), `${type}, page ${pagenum}`).toEqual(whole.slice((pagenum - 1) * 10, pagenum * 10))
        expect(page.total).toBe(whole.length)
      }
      const farthest = `${path}&pagesize=999&pagenum=999999999999999`
      expect(await data<OrganisationList>(admin, 'GET', farthest)).toMatchObject({
        list: [],
        total: whole.length,
      })
    }
  })

  it('of all below the caller can be narrowed to agents or merchants, and leaves as Excel', async () => {
    const types = async (type: string) =>
      new Set(
        (await data<OrganisationList>(admin, 'GET', `/api/merchants/user?pagesize=0&type=${type}`)).list.map(
          (row) => row.type,
        ),
      )
    expect(await types('1')).toEqual(new Set(['1']))
    expect(await types('2')).toEqual(new Set(['2']))
    expect(await types('A')).toEqual(new Set(['1', '2']))
    const accept = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const { headers } = await network.call('GET', '/api/agentmerchants', {
      token: agent,
      headers: { accept },
    })
    expect(headers['content-disposition']).toContain('merchants.xlsx')
  })

  it('says nothing about who stands above', async () => {
    const { list } = await data<OrganisationList>(agent, 'GET', '/api/merchants/user?pagesize=0')
    expect(list.length).toBeGreaterThan(0)
    expect(list.filter(({ parentName }) => parentName === 'Chairside')).toEqual([])
    expect(idsOf({ list, total: 0 })).not.toContain(network.ours.agentId)
  })
})
