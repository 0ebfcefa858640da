import type { OrganisationProfile } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { idsOf, organisationsOf, type OrganisationList } from '../testing/test-organisations.ts'
import { addAccount } from '../testing/test-server.ts'
import { untilBlocked } from '../testing/until-blocked.ts'

let network: TestNetwork
let admin: string
let agent: string
beforeAll(async () => {
  network = await startTestNetwork()
  ;({ admin, agent } = network.tokens)
})
afterAll(() => network.stop())

const { add, auditOf, call, code, data } = organisationsOf(() => network)

describe('editing', () => {
  it('changes what is sent and keeps what is not; the trail has before and after with the mobile masked', async () => {
    const { id, userId } = await add('merchant', agent, {
      mobile: '13812345678',
      email: 'a@b.c',
      remark: 'old',
    })
    const after = await data<OrganisationProfile>(agent, 'PUT', `/api/merchant/edit/${id}?name=New&remark=`)
    expect(after).toMatchObject({ userId, name: 'New', remark: '', email: 'a@b.c', mobile: '138****5678' })
    expect((await auditOf('users.editmerchant')).details).toMatchObject({
      before: { remark: 'old', mobile: '138****5678' },
      after: { name: 'New', mobile: '138****5678' },
    })
    // POST does the same, and a masked mobile that a form sends back is no new mobile.
    await data(agent, 'POST', `/api/merchant/edit/${id}`, { name: 'New', mobile: '138****5678' })
    const stored = await network.pool.query('select mobile from organisations where id = $1', [id])
    expect(stored.rows[0].mobile).toBe('13812345678')
    // Another number behind the same mask has changed all the same.
    await data(agent, 'PUT', `/api/merchant/edit/${id}`, { name: 'New', mobile: '13899995678' })
    expect((await auditOf('users.editmerchant')).details).toMatchObject({
      before: { mobile: '138****5678' },
      after: { mobile: '138****5678', mobileChanged: true },
    })
  })

  it('gives the owner another user name, unless it is taken', async () => {
    const { id, userId } = await add('agent')
    expect(await code(admin, 'PUT', `/api/agent/edit/${id}`, { userid: 'their-agent', name: 'Thief' })).toBe(
      '106',
    )
    expect(await auditOf('users.editagent')).toMatchObject({ target: userId, outcome: '106' })
    expect((await data<OrganisationProfile>(admin, 'GET', `/api/agent/${id}`)).name).not.toBe('Thief')
    await data(admin, 'PUT', `/api/agent/edit/${id}`, { userid: 'renamed', name: 'Renamed' })
    expect(await data<OrganisationProfile>(admin, 'GET', `/api/agent/${id}`)).toMatchObject({
      userId: 'renamed',
    })
    const found = async (name: string) =>
      idsOf(await data<OrganisationList>(admin, 'GET', `/api/merchants/user?userid=${name}`))
    expect(await found('renamed')).toEqual([id])
    expect(await found(userId)).not.toContain(id)
  })

  it('is not undone by the owner, who saves the basic information at the same moment', async () => {
    const { id, userId, password } = await add('merchant')
    await network.pool.query('update accounts set must_change_password = false where user_name = $1', [
      userId,
    ])
    const { body } = await network.call<{ token: string }>('POST', '/api/sessions/login', {
      body: { username: userId, password },
    })
    const above = await network.pool.connect()
    await above.query('begin')
    await above.query('select 1 from organisations where id = $1 for update', [id])
    await above.query(`update accounts set user_name = 'renamed-meanwhile' where organisation_id = $1`, [id])
    const saving = call(body.data.token, 'PUT', '/api/merchant', { name: 'Own', remark: 'mine' })
    await untilBlocked(network.pool)
    await above.query('commit')
    above.release()
    expect((await saving).body).toMatchObject({ success: true, data: { remark: 'mine' } })
    expect(await data<OrganisationProfile>(admin, 'GET', `/api/merchant/${id}`)).toMatchObject({
      userId: 'renamed-meanwhile',
      remark: 'mine',
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

  it('shows the whole mobile to the merchant itself and to nobody who stands above', async () => {
    const { id } = await add('merchant', agent, { mobile: '13812345678' })
    for (const token of [agent, admin])
      expect((await data<OrganisationProfile>(token, 'GET', `/api/merchant/${id}`)).mobile).toBe(
        '138****5678',
      )
    await data(network.tokens.merchant, 'PUT', '/api/merchant?name=Own&mobile=13900001111')
    const own = await data<OrganisationProfile>(network.tokens.merchant, 'GET', '/api/merchant')
    expect(own.mobile).toBe('13900001111')
  })

  it('shows the whole mobile of one below to who asks for it, and the trail knows who did', async () => {
    const { id } = await add('merchant', agent, { mobile: '13812345678' })
    expect(await data(agent, 'POST', '/api/merchant/reveal', { id })).toEqual({ mobile: '13812345678' })
    const trail = await auditOf('custom.reveal')
    expect(trail).toMatchObject({ user_name: 'our-agent', outcome: '000' })
    expect(JSON.stringify(trail)).not.toContain('13812345678')
    expect(await code(network.tokens.merchant, 'POST', '/api/merchant/reveal', { id })).toBe('103')
    const { agentId } = network.theirs
    for (const above of [1, agentId])
      expect(await code(agent, 'POST', '/api/merchant/reveal', { id: above })).toBe('104')
    // Whoever may see numbers of refunds, and not the list of merchants, sees none of theirs.
    const keys = (change: string) =>
      network.pool.query(`update accounts set permission_ids = ${change} where user_name = 'our-agent'`)
    await keys('array_remove(permission_ids, 21)')
    const answer = await code(agent, 'POST', '/api/merchant/reveal', { id })
    await keys('permission_ids || 21')
    expect(answer).toBe('104')
  })

  it('takes a new mobile whole and no other that is masked', async () => {
    const { id } = await add('merchant', agent, { mobile: '13812345678' })
    const path = `/api/merchant/edit/${id}`
    for (const mobile of ['138****5679', '139****5678', '****'])
      expect((await call(agent, 'PUT', path, { name: 'New', mobile })).body).toMatchObject({
        resultCode: '100',
        data: { fields: { mobile: 'Type the whole number, or leave it as it was' } },
      })
    for (const mobile of ['138****5678', '13800001111', '138****1111', ''])
      await data(agent, 'PUT', path, { name: 'New', mobile })
    const stored = await network.pool.query('select mobile from organisations where id = $1', [id])
    expect(stored.rows[0].mobile).toBe('')
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

describe('a password reset by who holds few rights', () => {
  const clerks = { admin: [21, 2110, 2111], agent: [21, 2110, 2111] } as const
  const hold = (userName: string, ids: readonly number[]) =>
    network.pool.query('update accounts set permission_ids = $2 where user_name = $1', [userName, ids])

  it.each(Object.entries(clerks))(
    'of %s is refused for an owner who holds one right more, and done for one who does not',
    async (tree, permissions) => {
      const clerk = `resets-only-${tree}`
      await addAccount(network, {
        organisationId: tree === 'admin' ? 1 : network.ours.agentId,
        userName: clerk,
        isOwner: false,
        tree: tree as 'admin' | 'agent',
        permissionIds: [...permissions],
      })
      const token = await network.signIn(clerk)
      for (const kind of ['agent', 'merchant'] as const) {
        const { userId } = await add(kind, agent)
        const path = `/api/${kind}/passwordreset/${userId}`
        expect(await code(token, 'POST', path)).toBe('103')
        const theirs = kind === 'agent' ? [21, 2110] : []
        await hold(userId, [...theirs, 14])
        expect(await code(token, 'POST', path)).toBe('103')
        await hold(userId, theirs)
        expect(await code(token, 'POST', path)).toBe('000')
        if (kind === 'agent') continue
        // A merchant's own refunds and starts come with the order list.
        await hold(userId, [11, 111, 112])
        expect(await code(token, 'POST', path)).toBe('103')
        await hold(clerk, [...permissions, 12])
        expect(await code(token, 'POST', path)).toBe('000')
      }
    },
  )

  it('of an owner with all rights reaches all that stands below', async () => {
    const { userId: below } = await add('agent', agent)
    const { userId: shop } = await add('merchant', agent)
    for (const token of [agent, admin]) {
      expect(await code(token, 'POST', `/api/agent/passwordreset/${below}`)).toBe('000')
      expect(await code(token, 'POST', `/api/merchant/passwordreset/${shop}`)).toBe('000')
    }
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
    const trail = async () => JSON.stringify(await auditOf('baseinfo.account'))
    expect(await trail()).not.toContain('6222000011112222333')
    expect(await trail()).not.toContain('accountIdChanged')
    await data(token, 'PUT', '/api/merchant/account', { ...account, accountid: '6222999999999992333' })
    expect(await trail()).toContain('"accountIdChanged":true')
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
