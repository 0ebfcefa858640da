import type { SessionUser } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPassword } from '../testing/test-server.ts'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam()
})
afterAll(() => team.stop())

const login = async (username: string, password: string, address = '10.9.0.1') =>
  (await team.call<SessionUser>('POST', '/api/sessions/login', { body: { username, password }, address }))
    .body
const change = async (token: string, oldPassword: string, newPassword: string, again = newPassword) =>
  (
    await team.call<{ endedSessions: number }>('POST', '/api/sessions/passwordchange', {
      token,
      body: { oldPassword, newPassword, newPasswordAgain: again },
    })
  ).body
const isAlive = async (token: string) =>
  (await team.call('POST', '/api/sessions/login/nopass', { token })).body.resultCode

describe('changing the password', () => {
  it('ends the other sessions, keeps one’s own, and the new password holds from then on', async () => {
    const own = await team.signIn('gym')
    const others = [await team.signIn('gym'), await team.signIn('gym')]
    expect(await change(own, testPassword, 'six chars')).toMatchObject({ data: { endedSessions: 2 } })
    expect(await isAlive(own)).toBe('000')
    expect(await Promise.all(others.map(isAlive))).toEqual(['02000', '02000'])
    expect((await login('gym', testPassword)).resultCode).toBe('101')
    expect((await login('gym', 'six chars')).success).toBe(true)
  })

  it('keeps one’s own session too when its token was just renewed', async () => {
    const token = await team.signIn('mall')
    await team.pool.query(
      `update sessions set renewed_at = now() - interval '5000 seconds' where account_id = $1`,
      [team.accounts['mall']],
    )
    const answer = await team.call('POST', '/api/sessions/passwordchange', {
      token,
      body: { oldPassword: testPassword, newPassword: 'another one', newPasswordAgain: 'another one' },
    })
    expect(answer.body.success).toBe(true)
    expect(await isAlive(answer.headers['x-access-token'] ?? '')).toBe('000')
  })

  it.each([
    [testPassword, '12345', '12345', 'newPassword', 'At least 6 characters'],
    [testPassword, '123456', '1234567', 'newPasswordAgain', 'The two new passwords differ'],
    [
      testPassword,
      testPassword,
      testPassword,
      'newPassword',
      'The new password must differ from the old one',
    ],
    ['', '123456', '123456', 'oldPassword', 'Required'],
  ])('refuses %s → %s, %s', async (old, wanted, again, field, message) => {
    expect(await change(await team.signIn('south'), old, wanted, again)).toMatchObject({
      resultCode: '100',
      data: { fields: { [field]: message } },
    })
  })

  it('takes six characters, refuses a wrong old password and lets nobody guess it with a stolen token', async () => {
    const token = await team.signIn('fjord')
    const codes = []
    for (let guess = 0; guess < 8; guess++)
      codes.push((await change(token, `guess ${guess}`, '123456')).resultCode)
    expect(codes).toEqual(['101', '101', '101', '101', '101', '101', '107', '107'])
    await team.pool.query('delete from sign_in_failures')
    expect((await change(token, testPassword, '123456')).success).toBe(true)
  })

  it('happens once when five ask for it at once', async () => {
    const token = await team.signIn('spa')
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => change(token, testPassword, `new one ${index}`)),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    // The old password is none any more, or there were too many tries.
    expect(answers.filter(({ resultCode }) => ['101', '107'].includes(resultCode))).toHaveLength(4)
  })

  it('leaves no password in the audit trail', async () => {
    const { rows } = await team.pool.query(
      `select * from audit_trail where action = 'session.passwordchange'`,
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(JSON.stringify(rows)).not.toMatch(/six chars|guess|a password|123456/)
  })
})

describe('a first password', () => {
  it('lets nothing happen but its change, the menu, the automatic login and logging out', async () => {
    const made = await team.as<{ password: string }>('north', 'POST', '/api/agent/sub', {
      userName: 'beginner',
      realName: 'Beginner',
    })
    const { data: user } = await login('beginner', made.data.password)
    expect(user.mustChangePassword).toBe(true)
    const { token } = user
    for (const [verb, path] of [
      ['GET', '/api/agents/sub'],
      ['GET', '/api/sessions'],
      ['GET', '/api/sessions/secret'],
      ['DELETE', '/api/sessions'],
    ] as const)
      expect((await team.call(verb, path, { token })).body).toMatchObject({
        resultCode: '105',
        data: null,
        message: 'Please change your first password before anything else',
      })
    expect((await team.call('GET', '/api/sessions/permissions', { token })).body.success).toBe(true)
    expect((await team.call('POST', '/api/sessions/login/nopass', { token })).body.success).toBe(true)
    expect(await change(token, made.data.password, 'of my own')).toMatchObject({ success: true })
    expect((await team.call('GET', '/api/sessions', { token })).body.success).toBe(true)
    expect((await login('beginner', 'of my own')).data.mustChangePassword).toBe(false)
    expect((await team.call('POST', '/api/sessions/logout', { token })).body.success).toBe(true)
  })
})
