import type { MoveRecord, OrganisationRow } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addOrganisation } from '../testing/test-server.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'

let network: TestNetwork
let admin: string
let agent: string
beforeAll(async () => {
  network = await startTestNetwork()
  ;({ admin, agent } = network.tokens)
})
afterAll(() => network.stop())

const call = <Data = unknown>(token: string, verb: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) =>
  network.call<Data>(verb, path, { token, ...(body === undefined ? {} : { body }) })
const move = async (token: string, body: Record<string, unknown>) =>
  (await call<{ moved: number }>(token, 'PUT', '/api/merchant/move', body)).body

let made = 0
const add = (kind: 'agent' | 'merchant', parentId: number) =>
  addOrganisation(network, kind, `org-${++made}`, parentId)

/** A small tree below an agent of ours: top → mid → low → shop, and a merchant right below top. */
async function addTree(parentId: number) {
  const top = await add('agent', parentId)
  const mid = await add('agent', top)
  const low = await add('agent', mid)
  const shop = await add('merchant', low)
  const kiosk = await add('merchant', top)
  return { top, mid, low, shop, kiosk }
}
const pathOf = async (id: number) => {
  const { rows } = await network.pool.query('select path::text from organisations where id = $1', [id])
  return rows[0].path as string
}
const tree = async () => {
  const { rows } = await network.pool.query(
    `select md5(string_agg(id || '>' || parent_id || ' ' || path::text, ' ' order by id)) as mark from organisations`,
  )
  return rows[0].mark as string
}

describe('a move', () => {
  it('takes all below along, by query as by JSON, and is answered with how many stood elsewhere', async () => {
    const { top, mid, low, shop, kiosk } = await addTree(network.ours.agentId)
    const target = await add('agent', network.ours.agentId)
    const { body } = await call(
      agent,
      'PUT',
      `/api/merchant/move?merchantIds=${mid},${kiosk}&parentId=${target}&highestLevel=false`,
    )
    expect(body).toMatchObject({ success: true, data: { moved: 2 } })
    const above = `1.${network.ours.agentId}.${target}`
    expect(await pathOf(shop)).toBe(`${above}.${mid}.${low}.${shop}`)
    expect(await pathOf(kiosk)).toBe(`${above}.${kiosk}`)
    expect(await pathOf(top)).toBe(`1.${network.ours.agentId}.${top}`)
    // Once there, it is moved no more.
    expect(await move(agent, { merchantIds: [mid, kiosk], parentId: target })).toMatchObject({
      data: { moved: 0 },
    })
  })

  it('of an agent and of one below it puts both right below the target', async () => {
    const { top, low, shop } = await addTree(network.ours.agentId)
    const target = await add('agent', network.ours.agentId)
    for (const merchantIds of [[top, low, shop]]) await move(agent, { merchantIds, parentId: target })
    for (const id of [top, low, shop]) {
      expect(await pathOf(id)).toBe(`1.${network.ours.agentId}.${target}.${id}`)
    }
  })

  it('to the highest level takes agents only', async () => {
    const { mid, shop } = await addTree(network.ours.agentId)
    const before = await tree()
    for (const way of [
      { highestLevel: true },
      { parentId: 1 },
      { highestLevel: '1', parentId: network.ours.agentId },
    ]) {
      expect(await move(admin, { merchantIds: [mid, shop], ...way })).toMatchObject({
        resultCode: '105',
        message: 'Just move agent user',
      })
    }
    expect(await tree()).toBe(before)
    expect(await move(admin, { merchantIds: [mid], highestLevel: true })).toMatchObject({
      data: { moved: 1 },
    })
    expect(await pathOf(mid)).toBe(`1.${mid}`)
  })

  it('is refused when it would make a loop, leave the caller’s subtree or stand below a merchant', async () => {
    const { top, mid, low, shop, kiosk } = await addTree(network.ours.agentId)
    const { ours, theirs } = network
    const before = await tree()
    const refusals: [string, Record<string, unknown>, string, string?][] = [
      [agent, { merchantIds: [top], parentId: low }, '105', 'Nothing can be moved below itself'],
      [agent, { merchantIds: [mid], parentId: mid }, '105', 'Nothing can be moved below itself'],
      [agent, { merchantIds: [kiosk, mid], parentId: low }, '105', 'Nothing can be moved below itself'],
      [
        agent,
        { merchantIds: [kiosk], parentId: shop },
        '105',
        'Agents and merchants belong below an agent, never below a merchant',
      ],
      [agent, { merchantIds: [], parentId: top }, '105', 'Please select uset'],
      [agent, { parentId: top }, '105', 'Please select uset'],
      [agent, { merchantIds: '', highestLevel: false, parentId: top }, '105', 'Please select uset'],
      [agent, { merchantIds: [mid] }, '105', 'Please select where to move to'],
      [agent, { merchantIds: [mid], parentId: theirs.agentId }, '104'],
      [agent, { merchantIds: [mid], highestLevel: true }, '104'],
      [agent, { merchantIds: [mid], parentId: 1 }, '104'],
      [agent, { merchantIds: [mid, theirs.merchantId], parentId: top }, '104'],
      [agent, { merchantIds: [mid, 999_999], parentId: top }, '104'],
      [agent, { merchantIds: [ours.agentId], parentId: top }, '105'],
      [admin, { merchantIds: [1], parentId: top }, '105'],
      [admin, { merchantIds: ['x'], parentId: top }, '100'],
      [admin, { merchantIds: Array.from({ length: 2001 }, (_, index) => index + 1), parentId: top }, '100'],
      [network.tokens.merchant, { merchantIds: [mid], parentId: top }, '103'],
    ]
    for (const [token, body, resultCode, message] of refusals) {
      expect(await move(token, body), JSON.stringify(body)).toMatchObject({
        success: false,
        resultCode,
        ...(message ? { message } : {}),
      })
    }
    expect(await tree()).toBe(before)
    const { rows } = await network.pool.query(
      'select count(*) as moves from organisation_moves where organisation_id = any($1)',
      [[top, mid, low, shop, kiosk]],
    )
    expect(rows[0].moves).toBe(0)
  })

  it('gives the new agents sight of the organisation at once, and takes it from the old', async () => {
    const { mid, shop } = await addTree(network.ours.agentId)
    const sees = async (token: string) => (await call(token, 'GET', `/api/merchant/${shop}`)).body.success
    const their = await network.signIn('their-agent')
    expect([await sees(agent), await sees(their)]).toEqual([true, false])
    await move(admin, { merchantIds: [mid], parentId: network.theirs.agentId })
    expect([await sees(agent), await sees(their)]).toEqual([false, true])
  })
})

describe('the preview of a move', () => {
  it('counts agents, merchants and devices once each', async () => {
    const { top, mid, shop, kiosk } = await addTree(network.ours.agentId)
    await network.pool.query(
      `insert into devices (sid, model_id, merchant_id, credential_hash, removed_at) values
         ('K1', 1, $1, '', null), ('K2', 1, $1, '', null), ('K3', 1, $2, '', null), ('K4', 1, $2, '', now())`,
      [shop, kiosk],
    )
    const preview = async (ids: number[], token = agent) =>
      (await call(token, 'GET', `/api/merchant/move/preview?merchantIds=${ids}`)).body
    expect((await preview([top])).data).toEqual({ agents: 1, subAgents: 2, merchants: 2, devices: 3 })
    expect((await preview([top, mid, shop])).data).toEqual({
      agents: 2,
      subAgents: 1,
      merchants: 2,
      devices: 3,
    })
    expect((await preview([kiosk])).data).toEqual({ agents: 0, subAgents: 0, merchants: 1, devices: 1 })
    expect(await preview([])).toMatchObject({ message: 'Please select uset' })
    expect((await preview([top, network.theirs.merchantId])).resultCode).toBe('104')
  })
})

describe('the move log', () => {
  it('tells where from and where to, when and by whom, newest first', async () => {
    const { top, mid } = await addTree(network.ours.agentId)
    const target = await add('agent', network.ours.agentId)
    await move(agent, { merchantIds: [mid], parentId: target })
    await move(admin, { merchantIds: [mid], parentId: top })
    const { data } = (await call<MoveRecord[]>(agent, 'GET', `/api/merchant/move?id=${mid}`)).body
    const nameOf = async (id: number) =>
      (await call<OrganisationRow>(agent, 'GET', `/api/agent/${id}`)).body.data.name
    const [topName, targetName, name] = [await nameOf(top), await nameOf(target), await nameOf(mid)]
    expect(data).toMatchObject([
      { name, createBy: 'admin', fromParent: targetName, parent: topName },
      { name, createBy: 'our-agent', fromParent: topName, parent: targetName },
    ])
    expect(Math.abs(Date.now() - Date.parse(data[0]?.createTime ?? ''))).toBeLessThan(60_000)
  })

  it('keeps to itself whom the reader may not see', async () => {
    const { mid } = await addTree(network.theirs.agentId)
    const sub = await add('agent', network.theirs.agentId)
    await move(await network.signIn('their-agent'), { merchantIds: [mid], parentId: sub })
    expect((await call(agent, 'GET', `/api/merchant/move?id=${mid}`)).body.resultCode).toBe('104')
    await move(admin, { merchantIds: [mid], parentId: network.ours.agentId })
    const { data } = (await call<MoveRecord[]>(agent, 'GET', `/api/merchant/move?id=${mid}`)).body
    expect(data).toMatchObject([
      { createBy: 'admin', fromParent: '', parent: 'our-agent' },
      { createBy: '', fromParent: '', parent: '' },
    ])
  })

  it('stands in the audit trail too, with where each stood before and stands now', async () => {
    const { mid, top } = await addTree(network.ours.agentId)
    await move(agent, { merchantIds: [mid], parentId: network.ours.agentId })
    const { rows } = await network.pool.query(
      `select user_name, target, details from audit_trail where action = 'users.move' and outcome = '000' order by id desc limit 1`,
    )
    const { agentId } = network.ours
    const nameOf = async (id: number) => {
      const found = await network.pool.query('select name from organisations where id = $1', [id])
      return found.rows[0].name as string
    }
    const [name, former, now] = [await nameOf(mid), await nameOf(top), await nameOf(agentId)]
    expect(rows[0]).toEqual({
      user_name: 'our-agent',
      target: `${name} → ${now}`,
      details: {
        before: [{ id: mid, name, parentId: top, parentName: former }],
        after: [{ id: mid, name, parentId: agentId, parentName: now }],
      },
    })
  })
})
