import type { OrganisationProfile } from '@chairside/contract'
import { maskedNumber, permissionIds, permissionKeys } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { organisationsOf, type CreatedOrganisation } from '../testing/test-organisations.ts'
import { addAccount } from '../testing/test-server.ts'

let network: TestNetwork
let admin: string
let agent: string
beforeAll(async () => {
  network = await startTestNetwork()
  ;({ admin, agent } = network.tokens)
})
afterAll(() => network.stop())

const { add, auditOf, call, code, data, grantsOf } = organisationsOf(() => network)

describe('a new agent or merchant', () => {
  it('belongs to whoever made it, signs in with the password shown once, and must change it', async () => {
    const { id, userId, password } = await add('merchant', agent)
    const { rows } = await network.pool.query(
      'select parent_id, path::text from organisations where id = $1',
      [id],
    )
    expect(rows[0]).toEqual({ parent_id: network.ours.agentId, path: `1.${network.ours.agentId}.${id}` })
    const answer = await network.call<{ type: number; merchantId: number; merchantUserID: string }>(
      'POST',
      '/api/sessions/login',
      { body: { username: userId, password } },
    )
    expect(answer.body.data).toMatchObject({ type: 2, merchantId: id, merchantUserID: userId })
    const account = await network.pool.query(
      'select must_change_password from accounts where user_name = $1',
      [userId],
    )
    expect(account.rows[0].must_change_password).toBe(true)
    expect(JSON.stringify(await auditOf('users.addmerchant'))).not.toContain(password)
    expect(await auditOf('users.addmerchant')).toMatchObject({
      user_name: 'our-agent',
      target: userId,
      outcome: '000',
    })
  })

  it('may belong to an agent below the caller, never to a merchant or to somebody else’s agent', async () => {
    const sub = await add('agent', agent)
    const below = await add('merchant', agent, { parentid: sub.id })
    const { rows } = await network.pool.query('select parent_id from organisations where id = $1', [below.id])
    expect(rows[0].parent_id).toBe(sub.id)
    const form = { userid: 'nobody', name: 'x' }
    expect(await code(agent, 'POST', '/api/agent', { ...form, parentid: network.theirs.agentId })).toBe('104')
    expect(await code(agent, 'POST', '/api/agent', { ...form, parentid: 1 })).toBe('104')
    expect(await code(agent, 'POST', '/api/agent', { ...form, parentid: network.ours.merchantId })).toBe(
      '105',
    )
    expect(await grantsOf('nobody')).toBeUndefined()
  })

  it('holds what its maker holds and no more; of an admin it gets the whole tree', async () => {
    const whole = await add('merchant')
    expect(await grantsOf(whole.userId)).toEqual(
      permissionIds('merchant').toSorted((one, other) => one - other),
    )
    await addAccount(network, {
      organisationId: network.ours.agentId,
      userName: 'few-keys',
      isOwner: false,
      tree: 'agent',
      permissionIds: [12, 21, 211, 212, 216],
    })
    const few = await network.signIn('few-keys')
    const subAgent = await add('agent', few)
    expect(await grantsOf(subAgent.userId)).toEqual([12, 21, 211, 212, 216])
    const merchant = await add('merchant', few)
    const keys = permissionKeys('merchant', new Set(await grantsOf(merchant.userId)))
    // What no agent can hold comes along: a merchant's places, goods, and its refunds and starts with the orders. The
    // lists of refunds and devices do not.
    const domains = new Set([...keys].map((key) => key.split('.')[0]))
    expect([...domains].toSorted()).toEqual(['goods', 'goodstemp', 'order', 'place'])
    expect([...keys].filter((key) => key.startsWith('order.')).toSorted()).toEqual([
      'order.list',
      'order.refund',
      'order.start',
    ])
  })

  it('needs a user name of its own, whatever its letters’ case', async () => {
    const { body } = await call(admin, 'POST', '/api/merchant', { userid: 'OUR-merchant', name: 'x' })
    expect(body).toMatchObject({ resultCode: '106', message: 'This user name is taken' })
    const count = await network.pool.query(
      `select count(*) as orphans from organisations o where not exists (select from accounts where organisation_id = o.id) and id <> 1`,
    )
    expect(count.rows[0].orphans).toBe(0)
  })

  it('is not called what stands for who has no account', async () => {
    for (const path of ['/api/merchant', '/api/agent']) {
      const { body } = await call(admin, 'POST', path, { userid: 'System', name: 'x' })
      expect(body).toMatchObject({ resultCode: '100', data: { fields: { userid: expect.any(String) } } })
    }
  })

  it('is made once when twenty ask for the same name at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        call(admin, 'POST', '/api/agent', { userid: 'wanted', name: 'Wanted' }),
      ),
    )
    const codes = answers.map(({ body }) => body.resultCode)
    expect(codes.filter((one) => one === '000')).toHaveLength(1)
    expect(codes.filter((one) => one === '106')).toHaveLength(19)
  })
})

const limits = {
  userid: 50,
  name: 50,
  telephone: 32,
  mobile: 32,
  email: 64,
  address: 128,
  remark: 128,
  mchId: 50,
  appId: 50,
} as const

describe('the fields of an agent or merchant', () => {
  it.each(Object.entries(limits))('%s takes %i characters and not one more', async (field, max) => {
    for (const kind of ['agent', 'merchant'] as const) {
      const form = { userid: `limit-${kind}-${field}`, name: 'n' }
      const longest = { ...form, [field]: 'a'.repeat(field === 'userid' ? max - kind.length : max) }
      if (field === 'userid') longest.userid = `${kind}${longest.userid}`
      const { id } = await data<CreatedOrganisation>(admin, 'POST', `/api/${kind}`, longest)
      const found = await data<OrganisationProfile>(admin, 'GET', `/api/${kind}/${id}`)
      const kept = longest[field as 'name']
      expect(found[(field === 'userid' ? 'userId' : field) as 'name']).toBe(
        field === 'mobile' ? maskedNumber(kept) : kept,
      )
      const tooLong = { userid: 'x', name: 'n', [field]: 'b'.repeat(max + 1) }
      for (const path of [`/api/${kind}`, `/api/${kind}/edit/${id}`]) {
        const { body } = await call<{ fields: object }>(admin, 'POST', path, tooLong)
        expect(body).toMatchObject({
          resultCode: '100',
          data: { fields: { [field]: `At most ${max} characters` } },
        })
      }
    }
  })

  it.each(['has space', 'has.dot', 'ümlaut', '用户', 'a/b', "x'--"])(
    'refuse the user name %s',
    async (userid) => {
      const { body } = await call(admin, 'POST', '/api/merchant', { userid, name: 'n' })
      expect(body).toMatchObject({
        resultCode: '100',
        data: { fields: { userid: expect.stringContaining('not alphanumeric') as string } },
      })
    },
  )

  it.each([{}, { name: '' }, { name: '   ' }])('refuse %j: the name is empty', async (name) => {
    const { body } = await call(admin, 'POST', '/api/agent', { userid: 'nameless', ...name })
    expect(body).toMatchObject({
      resultCode: '100',
      data: { fields: { name: 'The merchant name is empty' } },
    })
  })
})
