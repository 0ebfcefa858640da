import { permissionIds, type MadeAccount, type SessionUser, type SubAccountRow } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam()
})
afterAll(() => team.stop())

interface List {
  list: SubAccountRow[]
  total: number
}
const namesOf = ({ list }: List) => list.map(({ userName }) => userName)
const login = async (username: string, password: string) =>
  (await team.call<SessionUser>('POST', '/api/sessions/login', { body: { username, password } })).body

describe('sub-accounts', () => {
  it('are those of one’s own organisation, without its owner', async () => {
    const ofSpa = await team.as<List>('spa', 'GET', '/api/merchants/sub?pagesize=1000')
    expect(namesOf(ofSpa.data)).toEqual(['spa-clerk', 'spa-helper'])
    expect(ofSpa.data.total).toBe(2)
    expect(ofSpa.data.list[0]).toMatchObject({ realName: 'spa-clerk', children: [] })
    expect(namesOf((await team.as<List>('spa-clerk', 'GET', '/api/merchants/sub')).data)).toEqual(
      namesOf(ofSpa.data),
    )
    expect(namesOf((await team.as<List>('north', 'GET', '/api/agents/sub')).data)).toEqual([
      'north-clerk',
      'north-helper',
    ])
    expect((await team.as<List>('gym', 'GET', '/api/merchants/sub')).data).toEqual({ list: [], total: 0 })
  })

  it('are called nothing that stands for who has no account, and neither is anybody else', async () => {
    const reserved = { fields: { userName: expect.stringContaining('has no account') } }
    for (const userName of ['system', 'Provider', 'CUSTOMER', 'member', 'device']) {
      const body = { userName, realName: 'Impostor' }
      const added = await team.as('spa', 'POST', '/api/merchant/sub', body)
      expect(added, userName).toMatchObject({ resultCode: '100', data: reserved })
      const admin = await team.as('admin', 'POST', '/api/admin/users', body)
      expect(admin, userName).toMatchObject({ resultCode: '100', data: reserved })
    }
    const id = team.accounts['admin-helper']
    const renamed = await team.as('admin', 'PUT', `/api/admin/users/modify/${id}`, {
      userName: 'system',
      realName: 'Impostor',
    })
    expect(renamed).toMatchObject({ resultCode: '100', data: reserved })
  })

  it('are found by a part of the user name or the real name, whatever its case, and paged', async () => {
    const found = async (query: string) =>
      namesOf((await team.as<List>('spa', 'GET', `/api/merchants/sub?${query}`)).data)
    expect(await found('username=HELP')).toEqual(['spa-helper'])
    expect(await found('realname=clerk')).toEqual(['spa-clerk'])
    expect(await found('username=%25')).toEqual([])
    expect(await found('pagesize=1&pagenum=2')).toEqual(['spa-helper'])
    expect(await found('pagesize=0')).toEqual(['spa-clerk', 'spa-helper'])
  })

  it.each([
    ['merchant', 'north'],
    ['agent', 'spa'],
    ['merchant', 'admin'],
    ['agent', 'admin'],
  ])('of a %s are not for %s', async (kind, who) => {
    expect((await team.as(who, 'GET', `/api/${kind}s/sub`)).resultCode).toBe('103')
    expect((await team.as(who, 'POST', `/api/${kind}/sub`, {})).resultCode).toBe('103')
  })

  it('begin with a password shown once and without any right', async () => {
    const made = await team.as<MadeAccount>('spa', 'POST', '/api/merchant/sub', {
      userName: 'newcomer',
      realName: 'New',
    })
    expect(made.data.password.length).toBeGreaterThanOrEqual(12)
    const user = await login('newcomer', made.data.password)
    expect(user.data).toMatchObject({ type: 4, merchantUserID: 'spa', permissions: [] })
    expect(await team.held('newcomer')).toEqual([])
  })

  it('have names of letters, digits, _ and -, which are theirs alone and stay', async () => {
    const add = (userName: string, realName = 'R') =>
      team.as<{ fields: Record<string, string> }>('spa', 'POST', '/api/merchant/sub', { userName, realName })
    for (const wrong of ['ab c', 'abc!', '名字', 'x'.repeat(51)])
      expect(Object.keys((await add(wrong)).data.fields)).toEqual(['userName'])
    expect((await add('abc!')).data.fields['userName']).toContain('not alphanumeric')
    expect((await add('fine', '')).data.fields).toEqual({ realName: 'Required' })
    expect((await add('fine', 'x'.repeat(101))).data.fields).toEqual({ realName: 'At most 100 characters' })
    expect((await add('x'.repeat(50), 'x'.repeat(100))).success).toBe(true)
    expect((await add('MALL')).resultCode).toBe('106')
    const tried = await team.pool.query(
      `select target, outcome from audit_trail where action = 'subaccount.add' order by id desc limit 1`,
    )
    expect(tried.rows).toEqual([{ target: 'MALL', outcome: '106' }])
    const id = team.accounts['spa-helper']
    const modify = (body: object) => team.as<SubAccountRow>('spa', 'PUT', '/api/merchant/sub', body)
    expect(await modify({ id, userName: 'spa-other', realName: 'R' })).toMatchObject({
      resultCode: '100',
      data: { fields: { userName: 'The user name cannot be changed' } },
    })
    expect((await modify({ id, userName: 'spa-helper', realName: 'Helper' })).data.realName).toBe('Helper')
  })

  it('are changed by query as by body', async () => {
    const id = team.accounts['spa-helper']
    const changed = await team.as<SubAccountRow>(
      'spa',
      'PUT',
      `/api/merchant/sub?id=${id}&userName=spa-helper&realName=Query`,
    )
    expect(changed.data.realName).toBe('Query')
  })

  it('are made once when twenty ask for the same name at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        team.as('north', 'POST', '/api/agent/sub', { userName: 'twice', realName: 'T' }),
      ),
    )
    expect(answers.map(({ resultCode }) => resultCode).toSorted()).toEqual([
      '000',
      ...Array.from({ length: 19 }, () => '106'),
    ])
  })

  it('lose their sessions with a reset and with their deletion', async () => {
    const token = await team.signIn('north-helper')
    const reset = await team.as<string>('north', 'POST', '/api/agent/users/passwordreset/north-helper')
    expect((await team.call('GET', '/api/sessions', { token })).body.resultCode).toBe('02000')
    const again = await login('north-helper', reset.data)
    expect(again.data.mustChangePassword).toBe(true)
    const gone = await team.as('north', 'DELETE', `/api/agent/sub?id=${team.accounts['north-helper']}`)
    expect(gone.success).toBe(true)
    expect((await team.call('GET', '/api/sessions', { token: again.data.token })).body.resultCode).toBe(
      '02000',
    )
    expect((await login('north-helper', reset.data)).resultCode).toBe('101')
    expect(
      (await team.as('north', 'DELETE', `/api/agent/sub?id=${team.accounts['north-helper']}`)).resultCode,
    ).toBe('104')
  })

  it('never manage their owner or themselves', async () => {
    expect((await team.as('spa-clerk', 'POST', '/api/merchant/users/passwordreset/spa')).resultCode).toBe(
      '104',
    )
    expect(
      (await team.as('spa-clerk', 'DELETE', `/api/merchant/sub?id=${team.accounts['spa']}`)).resultCode,
    ).toBe('104')
    expect(
      (await team.as('spa-clerk', 'DELETE', `/api/merchant/sub?id=${team.accounts['spa-clerk']}`)).resultCode,
    ).toBe('105')
    expect(
      (await team.as('spa-clerk', 'POST', '/api/merchant/users/passwordreset/spa-clerk')).resultCode,
    ).toBe('105')
  })

  it('take nobody over, change nobody and delete nobody who holds more rights or sees other places', async () => {
    await team.give('spa-clerk', [24, 242, 244, 245])
    const { 'spa-helper': id } = team.accounts
    const change = () =>
      team.as('spa-clerk', 'PUT', '/api/merchant/sub', { id, realName: 'Less', twoStepRequired: false })
    const remove = () => team.as('spa-clerk', 'DELETE', `/api/merchant/sub?id=${id}`)
    expect((await change()).resultCode).toBe('103')
    expect((await remove()).resultCode).toBe('103')
    const reset = () => team.as('spa-clerk', 'POST', '/api/merchant/users/passwordreset/spa-helper')
    expect((await reset()).resultCode).toBe('103')
    await team.give('spa-helper', [24])
    const { rows } = await team.pool.query(
      `insert into places (merchant_id, address) values ($1, 'hall') returning id`,
      [team.organisations.spa],
    )
    await team.pool.query('insert into account_places values ($1, $2)', [
      team.accounts['spa-helper'],
      rows[0].id,
    ])
    for (const attempt of [reset, change, remove]) expect((await attempt()).resultCode).toBe('103')
    await team.pool.query('insert into account_places values ($1, $2)', [
      team.accounts['spa-clerk'],
      rows[0].id,
    ])
    for (const attempt of [reset, change, remove]) expect((await attempt()).success).toBe(true)
    await team.give('spa-clerk', permissionIds('merchant'))
  })
})
