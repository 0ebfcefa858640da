import { permissionIds, type AdminUserRow, type AuditRow, type MadeAccount } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testTimeZone } from '../testing/test-server.ts'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'
import { createAuditCalls } from './audit-api.ts'
import { resetAdmin } from './reset-admin.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam(createAuditCalls(testTimeZone))
})
afterAll(() => team.stop())

describe('admin users', () => {
  it('are listed with what they hold, the first one too', async () => {
    await team.give('admin-helper', [23, 231])
    // The first admin holds all, though nothing is stored of it in a new system.
    await team.give('admin', [])
    const { data } = await team.as<{ list: AdminUserRow[]; total: number }>(
      'admin',
      'GET',
      '/api/admin/users?pagesize=1000',
    )
    expect(data.list.map(({ userName }) => userName)).toEqual(['admin', 'admin-clerk', 'admin-helper'])
    expect(data.total).toBe(3)
    expect(data.list[2]?.permissionsDetail).toEqual([{ permissionId: 23 }, { permissionId: 231 }])
    const all = permissionIds('admin').map((permissionId) => ({ permissionId }))
    expect(data.list[0]?.permissionsDetail).toEqual(all)
    expect((await team.as('admin-clerk', 'GET', '/api/admin/permissions/users/admin')).data).toEqual(all)
  })

  it('are not for agents and merchants', async () => {
    for (const who of ['north', 'spa', 'north-clerk', 'spa-clerk'])
      expect((await team.as(who, 'GET', '/api/admin/users')).resultCode).toBe('103')
  })

  it('are made, changed and deleted; a taken name and a missing one are refused', async () => {
    const body = { userName: 'auditor', realName: 'Auditor' }
    const made = await team.as<MadeAccount>('admin', 'POST', '/api/admin/users', body)
    expect(made.data).toMatchObject({ userName: 'auditor' })
    expect((await team.as('admin', 'POST', '/api/admin/users', body)).resultCode).toBe('106')
    const path = `/api/admin/users/modify/${made.data.id}`
    const renamed = await team.as<AdminUserRow>('admin', 'PUT', path, {
      userName: 'auditor-2',
      realName: 'Second',
      twoStepRequired: true,
    })
    expect(renamed.data).toMatchObject({ userName: 'auditor-2', realName: 'Second', twoStepRequired: true })
    expect((await team.as('admin', 'PUT', path, { userName: 'Spa', realName: 'Second' })).resultCode).toBe(
      '106',
    )
    expect((await team.as('admin', 'PUT', path, { userName: 'auditor-2' })).data).toEqual({
      fields: { realName: 'Required' },
    })
    const remove = () => team.as('admin', 'DELETE', `/api/admin/users/delete/${made.data.id}`)
    expect((await remove()).success).toBe(true)
    expect((await remove()).resultCode).toBe('104')
  })

  it('keep the first one, and nobody deletes themself or an account of somebody else’s', async () => {
    const remove = async (who: string, id: number | undefined) =>
      (await team.as(who, 'DELETE', `/api/admin/users/delete/${id}`)).resultCode
    expect(team.accounts['admin']).toBe(1)
    expect(await remove('admin-clerk', 1)).toBe('105')
    expect(await remove('admin', 1)).toBe('105')
    expect(await remove('admin-clerk', team.accounts['admin-clerk'])).toBe('105')
    expect(await remove('admin', team.accounts['spa'])).toBe('104')
    expect((await team.as('admin', 'POST', '/api/admin/users/passwordreset/spa')).resultCode).toBe('104')
  })

  it('two who are given the same name at once have it once', async () => {
    const made = await Promise.all(
      ['first-of-two', 'second-of-two'].map((userName) =>
        team.as<MadeAccount>('admin', 'POST', '/api/admin/users', { userName, realName: 'Two' }),
      ),
    )
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        made.map(({ data }) =>
          team.as('admin', 'PUT', `/api/admin/users/modify/${data.id}`, {
            userName: `wanted-by-two-${round}`,
            realName: 'Two',
          }),
        ),
      )
      expect(answers.map(({ resultCode }) => resultCode).toSorted()).toEqual(['000', '106'])
    }
    for (const { data } of made) await team.as('admin', 'DELETE', `/api/admin/users/delete/${data.id}`)
  })

  it('tell the audit trail that two-step is asked of them', async () => {
    const body = { userName: 'watched', realName: 'Watched' }
    const { data } = await team.as<MadeAccount>('admin', 'POST', '/api/admin/users', body)
    await team.as('admin', 'PUT', `/api/admin/users/modify/${data.id}`, { ...body, twoStepRequired: true })
    const trail = await team.as<{ list: AuditRow[] }>(
      'admin',
      'GET',
      '/api/audit?action=superusers.edit&target=watched',
    )
    expect(trail.data.list.map(({ changes }) => changes)).toEqual(['Two-step required: No → Yes'])
    await team.as('admin', 'DELETE', `/api/admin/users/delete/${data.id}`)
  })

  it('take nobody over who holds more, nor away: no new password, no new name, no deletion', async () => {
    await team.give('admin-helper', [23, 232, 234, 235])
    const { 'admin-clerk': clerk } = team.accounts
    expect((await team.as('admin-helper', 'DELETE', `/api/admin/users/delete/${clerk}`)).resultCode).toBe(
      '103',
    )
    const query = 'action=superusers.delete&username=admin-helper'
    const trail = await team.as<{ list: AuditRow[] }>('admin', 'GET', `/api/audit?${query}`)
    expect(trail.data.list).toMatchObject([{ target: 'admin-clerk', outcome: 'refused', changes: '' }])
    const reset = (who: string, whom: string) =>
      team.as<string>(who, 'POST', `/api/admin/users/passwordreset/${whom}`)
    expect((await reset('admin-helper', 'admin')).resultCode).toBe('103')
    expect((await reset('admin-helper', 'admin-clerk')).resultCode).toBe('103')
    expect(
      (
        await team.as('admin-helper', 'PUT', '/api/admin/users/modify/1', {
          userName: 'mine',
          realName: 'Mine',
        })
      ).resultCode,
    ).toBe('103')
    expect((await reset('admin-helper', 'admin-helper')).resultCode).toBe('105')
    expect((await reset('admin', 'admin-helper')).data.length).toBeGreaterThanOrEqual(12)
  })

  it('deleted while they work are out at the next call', async () => {
    const token = await team.signIn('admin-clerk')
    await team.as('admin', 'DELETE', `/api/admin/users/delete/${team.accounts['admin-clerk']}`)
    expect((await team.call('GET', '/api/admin/users', { token })).body.resultCode).toBe('02000')
  })
})

describe('an admin who cannot sign in', () => {
  it('gets in again by a command, with a new first password and without the authenticator', async () => {
    const login = async (password: string) =>
      (await team.call('POST', '/api/sessions/login', { body: { username: 'admin', password } })).body
        .resultCode
    const token = await team.signIn('admin')
    for (let tries = 0; tries < 8; tries++) await login('a guess')
    await team.pool.query(
      `update accounts set status = 2, two_step_enabled = true, two_step_secret = '\\x01' where user_name = 'admin'`,
    )
    expect(await resetAdmin(team.db, 'north')).toBeUndefined()
    const reset = await resetAdmin(team.db, 'ADMIN')
    expect(reset).toMatchObject({ userName: 'admin', password: expect.stringMatching(/^\S{12}$/) })
    expect((await team.call('GET', '/api/admin/users', { token })).body.resultCode).toBe('02000')
    expect(await login(reset?.password ?? '')).toBe('000')
    const { rows } = await team.pool.query(
      `select user_name, action, outcome from audit_trail where target = 'admin' and action like '%resetpassword' order by id desc limit 1`,
    )
    expect(rows).toEqual([{ user_name: 'admin:reset', action: 'superusers.resetpassword', outcome: '000' }])
  })
})
