import { ownersIds, permissionIds, permissionTree, type PermissionNode } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { merchantNodesWithout, startTestTeam, type TestTeam } from '../testing/test-team.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam()
})
afterAll(() => team.stop())

const all = {
  admin: permissionIds('admin'),
  agent: permissionIds('agent'),
  merchant: permissionIds('merchant'),
}
beforeEach(async () => {
  await team.give('north', all.agent)
  await team.give('north-clerk', all.agent)
  await team.give('fjord', all.agent)
  for (const name of ['spa', 'gym', 'mall', 'spa-clerk']) await team.give(name, all.merchant)
  await team.give('spa-helper', [])
  await team.give('admin-clerk', all.admin)
  await team.give('admin-helper', [])
})

const idsOf = (tree: PermissionNode[]) =>
  tree.flatMap(({ children }) =>
    children.flatMap((page) => [page.id, ...page.children.map((button) => button.id)]),
  )
const tree = async (who: string, path: string) =>
  idsOf((await team.as<PermissionNode[]>(who, 'GET', path)).data)

interface Change {
  id: number | undefined
  oldRoles: readonly number[] | string
  selectedRoles?: readonly number[] | string
  halfSelectedRoles?: readonly number[] | string
  roles?: readonly number[]
  userId?: string
  type?: string
}
const toMerchant = (who: string, change: Change) => team.as(who, 'POST', '/api/merchant/permissions', change)
const toSubAccount = (who: string, change: Change) =>
  team.as(who, 'POST', '/api/merchant/users/permissions', change)

describe('the trees to grant from', () => {
  it('hold what the grantor may hand on', async () => {
    expect(await tree('admin', '/api/admin/permissions/merchant')).toEqual(all.merchant)
    expect(await tree('admin', '/api/admin/permissions/agent')).toEqual(all.agent)
    expect(await tree('admin', '/api/admin/permissions/admin')).toEqual(all.admin)
    await team.give('north', [21, 218, 14])
    const ofNorth = await tree('north', '/api/admin/permissions/merchant')
    expect(ofNorth).toContain(14)
    expect(ofNorth).not.toContain(11)
    await team.give('spa-clerk', [24, 243, 11])
    expect(await tree('spa-clerk', '/api/sessions/permissions/submerch')).toEqual([11, 24, 243])
    expect((await team.as('north', 'GET', '/api/admin/permissions/admin')).resultCode).toBe('103')
    expect((await team.as('spa', 'GET', '/api/admin/permissions/merchant')).resultCode).toBe('103')
  })

  it('offer sub-accounts nothing that owners alone may use', async () => {
    const ofOwners = idsOf(permissionTree('merchant', 'all')).filter((id) =>
      /^(22|26|41|42)/.test(String(id)),
    )
    const without = (ids: readonly number[]) => ids.filter((id) => !ofOwners.includes(id))
    expect(await tree('spa', '/api/sessions/permissions/submerch')).toEqual(without(all.merchant))
    expect(await tree('north', '/api/sessions/permissions/submerch')).toEqual(without(all.agent))
    expect(await tree('spa', '/api/sessions/permissions')).toEqual(all.merchant)
    expect(await tree('spa-clerk', '/api/sessions/permissions')).toEqual(without(all.merchant))
    await team.give('spa', ofOwners)
    await team.give('spa-clerk', ofOwners)
    expect((await team.as('spa-clerk', 'GET', '/api/sessions/permissions')).data).toEqual([])
  })

  it('come with what a user holds, for whoever may change it', async () => {
    await team.give('spa-helper', [11, 14])
    const of = async (who: string, whom: string) => {
      const { resultCode, data } = await team.as<{ permissionId: number }[]>(
        who,
        'GET',
        `/api/admin/permissions/users/${whom}`,
      )
      return resultCode === '000' ? data.map(({ permissionId }) => permissionId) : resultCode
    }
    expect(await of('spa', 'spa-helper')).toEqual([11, 14])
    expect(await of('spa', 'SPA-Helper')).toEqual([11, 14])
    expect(await of('north', 'spa')).toEqual(all.merchant)
    expect(await of('admin', 'north')).toEqual(all.agent)
    for (const [who, whom] of [
      ['north', 'mall'],
      ['north', 'north'],
      ['north', 'spa-helper'],
      ['north-clerk', 'north'],
      ['north', 'admin'],
      ['gym', 'spa-helper'],
      ['spa', 'spa'],
      ['admin', 'nobody'],
    ] as const)
      expect(await of(who, whom), `${who} ${whom}`).toBe('104')
    await team.give('north', [21, 219])
    expect(await of('north', 'spa')).toBe('104')
    expect(await of('north', 'fjord')).toEqual(all.agent)
  })
})

describe('a change of permissions', () => {
  it('holds from the very next call on, for the owner and its sub-accounts', async () => {
    const clerk = await team.signIn('spa-clerk')
    const owner = await team.signIn('spa')
    const sees = async (token: string) =>
      (await team.call('GET', '/api/merchants/sub', { token })).body.resultCode
    expect([await sees(owner), await sees(clerk)]).toEqual(['000', '000'])
    const withoutSubAccounts = merchantNodesWithout(24, 241, 242, 243, 244, 245, 246)
    const { spa: id } = team.organisations
    const taken = await toMerchant('north', { id, oldRoles: all.merchant, selectedRoles: withoutSubAccounts })
    expect(taken.success).toBe(true)
    expect([await sees(owner), await sees(clerk)]).toEqual(['103', '103'])
    // Only the owner lost it: what the clerk was granted is there again when the owner has it again.
    await toMerchant('north', { id, oldRoles: withoutSubAccounts, selectedRoles: all.merchant })
    expect([await sees(owner), await sees(clerk)]).toEqual(['000', '000'])
  })

  it('takes ids as text as well, and menus among them say nothing', async () => {
    const id = team.accounts['spa-helper']
    const given = await team.as('spa', 'POST', '/api/merchant/users/permissions', {
      id,
      userId: 'spa-helper',
      roles: [1, 11, 111],
      oldRoles: '',
      selectedRoles: '111',
      halfSelectedRoles: '1,11',
    })
    expect(given.data).toEqual([{ permissionId: 11 }, { permissionId: 111 }])
    expect(await team.held('spa-helper')).toEqual([11, 111])
    expect((await toSubAccount('spa', { id, oldRoles: '[11,111]', roles: [14] })).success).toBe(true)
    expect(await team.held('spa-helper')).toEqual([14])
  })

  it('gives a button together with its page', async () => {
    const id = team.accounts['spa-helper']
    await toSubAccount('spa', { id, oldRoles: [], selectedRoles: [112] })
    expect(await team.held('spa-helper')).toEqual([11, 112])
  })

  it('grants nothing the grantor does not hold, be it an agent or a sub-account', async () => {
    await team.give('spa-clerk', [24, 243, 11])
    const id = team.accounts['spa-helper']
    expect(await toSubAccount('spa-clerk', { id, oldRoles: [], selectedRoles: [14] })).toMatchObject({
      resultCode: '103',
      message: 'You can only grant what you hold yourself',
    })
    expect((await toSubAccount('spa-clerk', { id, oldRoles: [], selectedRoles: [111] })).resultCode).toBe(
      '103',
    )
    expect((await toSubAccount('spa-clerk', { id, oldRoles: [], selectedRoles: [11] })).success).toBe(true)
    await team.give('north', [21, 218])
    await team.give('gym', [])
    const gym = { id: team.organisations.gym, oldRoles: [] }
    expect((await toMerchant('north', { ...gym, selectedRoles: [14] })).resultCode).toBe('103')
    expect(await team.held('gym')).toEqual([])
  })

  it('cannot be stretched by the owner’s lost rights: a clerk grants what counts for it now', async () => {
    await team.give('spa', merchantNodesWithout(14))
    const id = team.accounts['spa-helper']
    expect((await toSubAccount('spa-clerk', { id, oldRoles: [], selectedRoles: [14] })).resultCode).toBe(
      '103',
    )
  })

  it('leaves untouched what the other holds beyond the grantor', async () => {
    await team.give('spa-clerk', [24, 243, 11, 111])
    await team.give('spa-helper', [11, 14])
    const id = team.accounts['spa-helper']
    expect((await toSubAccount('spa-clerk', { id, oldRoles: [11], selectedRoles: [] })).success).toBe(true)
    expect(await team.held('spa-helper')).toEqual([14])
    expect((await toSubAccount('spa-clerk', { id, oldRoles: [14], selectedRoles: [14, 111] })).success).toBe(
      true,
    )
    expect(await team.held('spa-helper')).toEqual([11, 14, 111])
  })

  it('takes a page although the other holds a button behind it beyond the grantor, and the button with it', async () => {
    await team.give('spa-clerk', [24, 243, 11, 111, 14])
    await team.give('spa-helper', [11, 111, 112, 14])
    const id = team.accounts['spa-helper']
    // As the dialog sends it: the clerk's tree does not show 112, which stays among what is ticked.
    const taken = await toSubAccount('spa-clerk', {
      id,
      oldRoles: [11, 111, 112, 14],
      selectedRoles: [112, 14],
    })
    expect(taken.success).toBe(true)
    expect(await team.held('spa-helper')).toEqual([14])
    const given = await toSubAccount('spa-clerk', { id, oldRoles: [14], selectedRoles: [11, 14] })
    expect(given.success).toBe(true)
    expect(await team.held('spa-helper')).toEqual([11, 14])
  })

  it('of a colleague is for who sees all places of it', async () => {
    const { 'spa-clerk': clerk, 'spa-helper': id } = team.accounts
    const place = async (address: string) => {
      const { rows } = await team.pool.query<{ id: number }>(
        'insert into places (merchant_id, address) values ($1, $2) returning id',
        [team.organisations.spa, address],
      )
      return rows[0]?.id
    }
    const bind = (account: number | undefined, placeId: number | undefined) =>
      team.pool.query('insert into account_places values ($1, $2)', [account, placeId])
    const [hall, foyer] = [await place('hall'), await place('foyer')]
    await bind(clerk, hall)
    await bind(id, foyer)
    await team.give('spa-helper', [11])
    const take = { id, oldRoles: [11], selectedRoles: [] }
    expect(await toSubAccount('spa-clerk', take)).toMatchObject({
      resultCode: '103',
      message: 'This user looks after places that you cannot see',
    })
    const give = { id, oldRoles: [11], selectedRoles: [11, 111] }
    expect((await toSubAccount('spa-clerk', give)).resultCode).toBe('103')
    expect(await team.held('spa-helper')).toEqual([11])
    await bind(clerk, foyer)
    expect((await toSubAccount('spa-clerk', give)).success).toBe(true)
    await team.pool.query('delete from account_places')
  })

  it('is refused when somebody else was quicker, and of ten at once one is stored', async () => {
    const id = team.accounts['spa-helper']
    const answers = await Promise.all(
      merchantNodesWithout(11, 111, 112, ...ownersIds('merchant'))
        .slice(0, 10)
        .map((node) => toSubAccount('spa', { id, oldRoles: [], selectedRoles: [node] })),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(new Set(answers.map(({ resultCode }) => resultCode))).toEqual(new Set(['000', '105']))
    expect(answers.find(({ success }) => !success)?.message).toContain('load it again')
  })

  it('needs to be told what was there before', async () => {
    const { data } = await team.as('spa', 'POST', '/api/merchant/users/permissions', {
      id: team.accounts['spa-helper'],
      selectedRoles: [11],
    })
    expect(data).toEqual({ fields: { oldRoles: 'Required' } })
  })

  it('knows its catalogue', async () => {
    const change = { id: team.accounts['spa-helper'], oldRoles: [], selectedRoles: [11, 4242] }
    expect((await toSubAccount('spa', change)).data).toEqual({
      fields: { selectedRoles: 'There is no such permission: 4242' },
    })
  })

  it('gives sub-accounts nothing that owners alone may use, and says which', async () => {
    const refusedOf = async (path: string, who: string, whom: string, selectedRoles: number[]) =>
      (await team.as(who, 'POST', path, { id: team.accounts[whom], oldRoles: [], selectedRoles })).data
    await team.give('north-helper', [])
    const toMerchants = '/api/merchant/users/permissions'
    expect(await refusedOf(toMerchants, 'spa', 'spa-helper', [11, 41, 412])).toEqual({
      fields: { selectedRoles: 'Only owners can use these permissions, not their sub-accounts: 41, 412' },
    })
    for (const id of ownersIds('merchant'))
      expect(await refusedOf(toMerchants, 'spa', 'spa-helper', [id]), String(id)).toHaveProperty('fields')
    const toAgents = '/api/agent/users/permissions'
    expect(await refusedOf(toAgents, 'north', 'north-helper', [22, 221])).toHaveProperty('fields')
    expect(await team.held('spa-helper')).toEqual([])
    expect(await team.held('north-helper')).toEqual([])
    const { gym: id } = team.organisations
    const toOwner = await toMerchant('north', { id, oldRoles: all.merchant, selectedRoles: [22, 41, 42] })
    expect(toOwner.success).toBe(true)
  })

  it('reaches nobody outside the grantor’s subtree, no other kind, nobody above and not oneself', async () => {
    const change = { oldRoles: [], selectedRoles: [] }
    const { organisations: o, accounts: a } = team
    const toAgent = (who: string, id: number) =>
      team.as(who, 'POST', '/api/agent/permissions', { ...change, id })
    expect((await toMerchant('north', { ...change, id: o.mall })).resultCode).toBe('104')
    expect((await toMerchant('north', { ...change, id: o.fjord })).resultCode).toBe('104')
    expect((await toMerchant('north', { ...change, id: o.spa, userId: 'gym' })).resultCode).toBe('104')
    expect((await toMerchant('north', { ...change, id: o.spa, type: '1' })).resultCode).toBe('100')
    expect((await toAgent('north', o.north)).resultCode).toBe('104')
    expect((await toAgent('north-clerk', o.north)).resultCode).toBe('104')
    expect((await toAgent('north', o.south)).resultCode).toBe('104')
    expect((await toAgent('fjord', o.north)).resultCode).toBe('104')
    expect((await toSubAccount('spa-clerk', { ...change, id: a['spa'] })).resultCode).toBe('104')
    expect((await toSubAccount('spa-clerk', { ...change, id: a['spa-clerk'] })).resultCode).toBe('105')
    expect((await toSubAccount('gym', { ...change, id: a['spa-helper'] })).resultCode).toBe('104')
    expect(await team.held('spa')).toEqual(all.merchant.toSorted((one, other) => one - other))
  })

  it('of admin users leaves the first one alone and is the platform’s own', async () => {
    const toAdmin = (who: string, id: number | undefined, selectedRoles: number[]) =>
      team.as(who, 'POST', '/api/admin/users/permissions', { id, oldRoles: [], selectedRoles })
    expect((await toAdmin('admin-clerk', 1, [])).resultCode).toBe('105')
    expect((await toAdmin('admin', team.accounts['admin-helper'], [23, 231])).success).toBe(true)
    expect((await team.as('admin-helper', 'GET', '/api/admin/users')).success).toBe(true)
    await team.give('admin-clerk', [23, 233])
    await team.give('admin-helper', [])
    expect((await toAdmin('admin-clerk', team.accounts['admin-helper'], [21])).resultCode).toBe('103')
    expect((await toAdmin('admin', team.accounts['spa'], [])).resultCode).toBe('104')
  })

  it('stands in the audit trail with what was before and after', async () => {
    const id = team.accounts['spa-helper']
    await toSubAccount('spa', { id, oldRoles: [], selectedRoles: [14] })
    const { rows } = await team.pool.query(
      `select user_name, target, outcome, details from audit_trail where action = 'subaccount.permission' order by id desc limit 1`,
    )
    expect(rows).toEqual([
      { user_name: 'spa', target: 'spa-helper', outcome: '000', details: { before: [], after: [14] } },
    ])
  })
})
