import type { OrganisationProfile, OrganisationRow } from '@chairside/contract'
import { permissionIds, permissionKeys } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, addOrganisation, testPassword } from '../testing/test-server.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'

let network: TestNetwork
let admin: string
let agent: string
beforeAll(async () => {
  network = await startTestNetwork()
  ;({ admin, agent } = network.tokens)
})
afterAll(() => network.stop())

type Verb = 'GET' | 'POST' | 'PUT'
const call = <Data = unknown>(token: string, verb: Verb, path: string, body?: unknown) =>
  network.call<Data>(verb, path, { token, ...(body === undefined ? {} : { body }) })
const code = async (token: string, verb: Verb, path: string, body?: unknown) =>
  (await call(token, verb, path, body)).body.resultCode
const data = async <Data>(token: string, verb: Verb, path: string, body?: unknown) => {
  const answer = await call<Data>(token, verb, path, body)
  expect(answer.body, `${verb} ${path}`).toMatchObject({ success: true })
  return answer.body.data
}

interface Created {
  id: number
  userId: string
  password: string
}
interface List {
  list: OrganisationRow[]
  total: number
  chain?: { id: number; name: string }[]
}
const idsOf = ({ list }: List) => list.map(({ id }) => id)

let made = 0
const add = (kind: 'agent' | 'merchant', token = admin, more: object = {}) => {
  const userid = `made-${++made}`
  return data<Created>(token, 'POST', `/api/${kind}`, { userid, name: `Made ${made}`, ...more })
}
const grantsOf = async (userName: string) => {
  const { rows } = await network.pool.query<{ ids: number[] }>(
    'select permission_ids as ids from accounts where user_name = $1',
    [userName],
  )
  return rows[0]?.ids.toSorted((one, other) => one - other)
}
const auditOf = async (action: string) => {
  const { rows } = await network.pool.query(
    'select user_name, target, outcome, details from audit_trail where action = $1 order by id desc limit 1',
    [action],
  )
  return rows[0]
}

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
    // A merchant's refunds and starts are no agent's to hold: they come with the orders. Refunds and devices do not.
    expect([...keys].toSorted()).toEqual(['order.list', 'order.refund', 'order.start'])
  })

  it('needs a user name of its own, whatever its letters’ case', async () => {
    const { body } = await call(admin, 'POST', '/api/merchant', { userid: 'OUR-merchant', name: 'x' })
    expect(body).toMatchObject({ resultCode: '106', message: 'This user name is taken' })
    const count = await network.pool.query(
      `select count(*) as orphans from organisations o where not exists (select from accounts where organisation_id = o.id) and id <> 1`,
    )
    expect(count.rows[0].orphans).toBe(0)
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
      const { id } = await data<Created>(admin, 'POST', `/api/${kind}`, longest)
      const found = await data<OrganisationProfile>(admin, 'GET', `/api/${kind}/${id}`)
      expect(found[(field === 'userid' ? 'userId' : field) as 'name']).toBe(longest[field as 'name'])
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

describe('editing', () => {
  it('changes what is sent and keeps what is not; the trail has before and after with the mobile masked', async () => {
    const { id, userId } = await add('merchant', agent, {
      mobile: '13812345678',
      email: 'a@b.c',
      remark: 'old',
    })
    const after = await data<OrganisationProfile>(agent, 'PUT', `/api/merchant/edit/${id}?name=New&remark=`)
    expect(after).toMatchObject({ userId, name: 'New', remark: '', email: 'a@b.c', mobile: '13812345678' })
    expect((await auditOf('users.editmerchant')).details).toMatchObject({
      before: { remark: 'old', mobile: '138****5678' },
      after: { name: 'New', mobile: '138****5678' },
    })
    // POST does the same, and a masked mobile that a form sends back is no new mobile.
    await data(agent, 'POST', `/api/merchant/edit/${id}`, { name: 'New', mobile: '138****5678' })
    const stored = await network.pool.query('select mobile from organisations where id = $1', [id])
    expect(stored.rows[0].mobile).toBe('13812345678')
  })

  it('gives the owner another user name, unless it is taken', async () => {
    const { id } = await add('agent')
    expect(await code(admin, 'PUT', `/api/agent/edit/${id}`, { userid: 'their-agent', name: 'Thief' })).toBe(
      '106',
    )
    expect((await data<OrganisationProfile>(admin, 'GET', `/api/agent/${id}`)).name).not.toBe('Thief')
    await data(admin, 'PUT', `/api/agent/edit/${id}`, { userid: 'renamed', name: 'Renamed' })
    expect(await data<OrganisationProfile>(admin, 'GET', `/api/agent/${id}`)).toMatchObject({
      userId: 'renamed',
    })
  })

  it('finds an agent by the agent’s path only, and oneself not at all', async () => {
    const { agentId, merchantId } = network.ours
    for (const verb of ['GET', 'PUT'] as const) {
      const edit = verb === 'PUT' ? '/edit' : ''
      const body = verb === 'PUT' ? { name: 'x' } : undefined
      expect(await code(admin, verb, `/api/merchant${edit}/${agentId}`, body)).toBe('104')
      expect(await code(admin, verb, `/api/agent${edit}/${merchantId}`, body)).toBe('104')
      expect(await code(admin, verb, `/api/agent${edit}/1`, body)).toBe('104')
    }
    expect(await code(agent, 'PUT', `/api/agent/edit/${agentId}`, { name: 'x' })).toBe('105')
  })

  it('shows whole mobiles to who may edit and masked ones to who may only look', async () => {
    const { id } = await add('merchant', agent, { mobile: '13812345678' })
    await addAccount(network, {
      organisationId: network.ours.agentId,
      userName: 'looks-only',
      isOwner: false,
      tree: 'agent',
      permissionIds: [21],
    })
    const looking = await network.signIn('looks-only')
    expect((await data<OrganisationProfile>(looking, 'GET', `/api/merchant/${id}`)).mobile).toBe(
      '138****5678',
    )
    expect((await data<OrganisationProfile>(agent, 'GET', `/api/merchant/${id}`)).mobile).toBe('13812345678')
  })
})

describe('a password reset', () => {
  it('answers the new password, ends the sessions, and the old password is worth nothing', async () => {
    const { userId, password: first } = await add('agent', agent)
    const login = (password: string) =>
      network.call<{ token: string }>('POST', '/api/sessions/login', { body: { username: userId, password } })
    const { token } = (await login(first)).body.data
    const second = await data<string>(agent, 'POST', `/api/agent/passwordreset/${userId}`)
    expect(await code(token, 'GET', '/api/agentmerchants')).toBe('02000')
    expect((await login(first)).body.resultCode).toBe('101')
    expect((await login(second)).body.success).toBe(true)
    expect(JSON.stringify(await auditOf('users.pwdagent'))).not.toContain(second)
  })

  it('is refused for the other kind, for clerks, for strangers and for oneself', async () => {
    expect(await code(agent, 'POST', '/api/agent/passwordreset/our-merchant')).toBe('104')
    expect(await code(agent, 'POST', '/api/merchant/passwordreset/our-merchant-clerk')).toBe('104')
    expect(await code(agent, 'POST', '/api/merchant/passwordreset/their-merchant')).toBe('104')
    expect(await code(agent, 'POST', '/api/agent/passwordreset/our-agent')).toBe('105')
  })
})

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
    const first = await data<List>(admin, 'GET', `/api/agentmerchants?parentid=${top.id}`)
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
    const second = await data<List>(admin, 'GET', `/api/agentmerchants?parentid=${mid.id}`)
    expect(second.chain?.map(({ name }) => name)).toEqual(['Top', 'Mid'])
    expect(idsOf(second)).toEqual([leaf.id])
    const whole = await data<List>(admin, 'GET', '/api/agentmerchants?pagesize=0')
    expect(whole.list.find(({ id }) => id === top.id)).toMatchObject({ agents: 1, merchants: 2, devices: 3 })
    // The agent's own view begins below it.
    const token = await network.signIn('Top')
    expect((await data<List>(token, 'GET', `/api/agentmerchants?parentid=${mid.id}`)).chain).toEqual([
      { id: mid.id, name: 'Mid', type: '1' },
    ])
    expect(await data<List>(token, 'GET', '/api/agentmerchants')).toMatchObject({ total: 2, chain: [] })
  })

  it('counts devices as they are bound, moved on, removed and deleted, many at once', async () => {
    const [one, other] = [await add('merchant'), await add('merchant')]
    const counts = async () => {
      const { list } = await data<List>(admin, 'GET', '/api/merchants/user?pagesize=0&type=2')
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
      expect(idsOf(await data<List>(agent, 'GET', `${path}?userid=deep_d`)), path).toEqual([id])
      expect(idsOf(await data<List>(agent, 'GET', `${path}?userid=deepx`)), path).toEqual([])
      expect(idsOf(await data<List>(agent, 'GET', `${path}?username=0%25%20well`)), path).toEqual([id])
      expect(idsOf(await data<List>(agent, 'GET', `${path}?username=0_well`)), path).toEqual([])
      expect(idsOf(await data<List>(agent, 'GET', `${path}?userid=their`)), path).toEqual([])
    }
  })

  it('pages without gap or repeat; a page past the end is empty and knows the total', async () => {
    const { id: parentid } = await add('agent')
    const all: number[] = []
    for (let index = 0; index < 23; index++)
      all.push((await add(index % 3 ? 'merchant' : 'agent', admin, { parentid })).id)
    const seen = []
    for (const pagenum of [1, 2, 3]) {
      const page = await data<List>(
        admin,
        'GET',
        `/api/agentmerchants?parentid=${parentid}&pagesize=10&pagenum=${pagenum}`,
      )
      expect(page.total).toBe(23)
      seen.push(...idsOf(page))
    }
    expect(seen.toSorted()).toEqual(all.toSorted())
    const whole = await data<List>(admin, 'GET', `/api/agentmerchants?parentid=${parentid}&pagesize=0`)
    expect(idsOf(whole)).toEqual(seen)
    expect(await data(admin, 'GET', `/api/agentmerchants?parentid=${parentid}&pagenum=4`)).toMatchObject({
      list: [],
      total: 23,
    })
  })

  it('of all below the caller can be narrowed to agents or merchants, and leaves as Excel', async () => {
    const types = async (type: string) =>
      new Set(
        (await data<List>(admin, 'GET', `/api/merchants/user?pagesize=0&type=${type}`)).list.map(
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
    const { list } = await data<List>(agent, 'GET', '/api/merchants/user?pagesize=0')
    expect(list.length).toBeGreaterThan(0)
    expect(list.filter(({ parentName }) => parentName === 'Chairside')).toEqual([])
    expect(idsOf({ list, total: 0 })).not.toContain(network.ours.agentId)
  })
})

describe('one’s own basic information', () => {
  const paths = { admin: '/api/admin/users/agent', agent: '/api/agent', merchant: '/api/merchant' } as const

  it.each(Object.entries(paths))('of %s is read and saved at %s', async (role, path) => {
    const token = network.tokens[role as 'admin']
    const before = await data<OrganisationProfile>(token, 'GET', path)
    expect(before.userId).toBe(role === 'admin' ? 'admin' : `our-${role}`)
    await data(token, 'PUT', `${path}?name=${before.name}&mobile=13812345678&remark=mine`)
    expect(await data<OrganisationProfile>(token, 'GET', path)).toMatchObject({
      ...before,
      mobile: '13812345678',
      remark: 'mine',
    })
    expect(await code(token, 'PUT', path, { name: '' })).toBe('100')
    expect(await code(token, 'PUT', path, { name: 'n', telephone: '1'.repeat(33) })).toBe('100')
  })

  it('has a bank account that is saved only when number, holder and bank are all given', async () => {
    const token = network.tokens.merchant
    const account = { accountid: '6222000011112222333', accountname: 'Li Lei', accountbank: 'CCB' }
    await data(token, 'PUT', '/api/merchant/account', account)
    for (const field of Object.keys(account)) {
      for (const value of ['', '  ', undefined]) {
        const { body } = await call(token, 'PUT', '/api/merchant/account', { ...account, [field]: value })
        expect(body).toMatchObject({ resultCode: '100', data: { fields: { [field]: 'Required' } } })
      }
      expect(await code(token, 'PUT', '/api/merchant/account', { ...account, [field]: '1'.repeat(37) })).toBe(
        '100',
      )
      expect(await code(token, 'PUT', '/api/merchant/account', { ...account, [field]: '1'.repeat(36) })).toBe(
        '000',
      )
    }
    await data(token, 'PUT', '/api/merchant/account', account)
    expect(await data(token, 'GET', '/api/merchant/account')).toEqual({
      accountId: '6222000011112222333',
      accountName: 'Li Lei',
      accountBank: 'CCB',
    })
    expect(JSON.stringify(await auditOf('baseinfo.account'))).not.toContain('6222000011112222333')
    // Whoever stands above sees that there is one, not its number.
    const seen = await data<OrganisationProfile>(admin, 'GET', `/api/merchant/${network.ours.merchantId}`)
    expect(seen.accountid).toBe('622****2333')
  })

  it('is closed to sub-accounts', async () => {
    for (const token of [network.tokens.subAgent, network.tokens.subMerchant]) {
      for (const path of [...Object.values(paths), '/api/merchant/account']) {
        expect(await code(token, 'GET', path)).toBe('103')
        expect(await code(token, 'PUT', path, { name: 'x' })).toBe('103')
      }
    }
  })
})

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
