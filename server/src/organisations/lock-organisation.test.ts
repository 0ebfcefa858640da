import type { OrganisationProfile } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { organisationsOf } from '../testing/test-organisations.ts'
import { addAccount, addOrganisation, testPassword } from '../testing/test-server.ts'

let network: TestNetwork
let admin: string
let agent: string
beforeAll(async () => {
  network = await startTestNetwork()
  ;({ admin, agent } = network.tokens)
})
afterAll(() => network.stop())

const { add, auditOf, code, data } = organisationsOf(() => network)

describe('a lock', () => {
  it('ends the sessions of all accounts at once, keeps them out, and lets them in again when lifted', async () => {
    const id = await addOrganisation(network, 'agent', 'to-lock')
    const below = await addOrganisation(network, 'merchant', 'below-lock', id)
    await addAccount(network, {
      organisationId: id,
      userName: 'to-lock-clerk',
      isOwner: false,
      tree: 'agent',
    })
    const tokens = [await network.signIn('to-lock'), await network.signIn('to-lock-clerk')]
    const belowToken = await network.signIn('below-lock')
    expect(await data(admin, 'PUT', '/api/agent/lock', { id, option: 1 })).toEqual({ id, status: '2' })
    for (const token of tokens) expect(await code(token, 'GET', '/api/agentmerchants')).toBe('02000')
    const login = { username: 'to-lock', password: testPassword }
    expect((await network.call('POST', '/api/sessions/login', { body: login })).body.resultCode).toBe('102')
    // What stands below an agent goes on.
    expect(await code(belowToken, 'GET', '/api/merchant')).toBe('000')
    expect(await data<OrganisationProfile>(admin, 'GET', `/api/agent/${id}`)).toMatchObject({ status: '2' })
    await data(admin, 'PUT', `/api/agent/lock?id=${id}&option=0`)
    for (const token of tokens) expect(await code(token, 'GET', '/api/agentmerchants')).toBe('02000')
    expect(await code(await network.signIn('to-lock'), 'GET', '/api/agentmerchants')).toBe('000')
    expect(await auditOf('users.statusagent')).toMatchObject({
      target: 'to-lock',
      details: { before: { status: '2' }, after: { status: '1' } },
    })
    expect(below).toBeGreaterThan(id)
  })

  it('of a merchant blocks its devices', async () => {
    const { merchantId, deviceSid } = network.theirs
    const page = async () =>
      (await network.call<{ state: string }>('GET', `/api/pay/devices/${deviceSid}`)).body.data.state
    const before = await page()
    await data(admin, 'PUT', '/api/merchant/lock', { id: merchantId, option: '1' })
    expect(await page()).toBe('blocked')
    const devices = await data<{ list: { blocked: boolean }[] }>(
      admin,
      'GET',
      `/api/devices?deviceid=${deviceSid}`,
    )
    expect(devices.list).toMatchObject([{ blocked: true }])
    await data(admin, 'PUT', '/api/merchant/lock', { id: merchantId, option: '0' })
    expect(await page()).toBe(before)
  })

  it('is refused for oneself, for the other kind and for other options', async () => {
    const { agentId, merchantId } = network.ours
    expect(await code(agent, 'PUT', '/api/agent/lock', { id: agentId, option: 1 })).toBe('105')
    expect(await code(agent, 'PUT', '/api/agent/lock', { id: merchantId, option: 1 })).toBe('104')
    expect(await code(agent, 'PUT', '/api/merchant/lock', { id: network.theirs.merchantId, option: 1 })).toBe(
      '104',
    )
    expect(await code(agent, 'PUT', '/api/merchant/lock', { id: merchantId, option: 2 })).toBe('100')
    expect(
      await code(network.tokens.merchant, 'PUT', '/api/merchant/lock', { id: merchantId, option: 1 }),
    ).toBe('103')
  })

  it('and its lifting, by twenty at once, leave one of the two', async () => {
    const { id } = await add('merchant')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        code(admin, 'PUT', '/api/merchant/lock', { id, option: index % 2 }),
      ),
    )
    expect(new Set(answers)).toEqual(new Set(['000']))
    const { rows } = await network.pool.query('select status from organisations where id = $1', [id])
    expect([1, 2]).toContain(rows[0].status)
  })
})
