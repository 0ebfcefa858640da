import type { SessionUser } from '@chairside/contract'
import { generateSync } from 'otplib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { testPassword } from '../testing/test-server.ts'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam()
  // Signed in before any of them has an authenticator.
  for (const who of ['admin', 'admin-clerk', 'admin-helper', 'south', 'north-clerk', 'gym', 'spa'])
    await team.as(who, 'GET', '/api/sessions')
})
afterAll(() => team.stop())
beforeEach(async () => {
  await team.pool.query('delete from sign_in_failures')
  // Each test is over within the step in which it began.
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => void vi.useRealTimers())

let callers = 0
const login = async (username: string, otp?: string) =>
  (
    await team.call<SessionUser>('POST', '/api/sessions/login', {
      body: { username, password: testPassword, ...(otp === undefined ? {} : { otp }) },
      // Each from elsewhere, so that only the account's own rules are met.
      address: `10.1.${callers >> 8}.${callers++ & 255}`,
    })
  ).body
const codeOf = (secret: string, stepsAhead = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * stepsAhead })
const offer = async (token: string) =>
  (await team.call<{ uuid: string; secret: string }>('GET', '/api/sessions/secret', { token })).body.data
const activate = async (token: string, otp: string) =>
  (await team.call('POST', `/api/sessions/twostep/${otp}`, { token })).body

/** Activates two-step with a code of the step before, so that the present one is still unused. */
async function activated(userName: string): Promise<string> {
  const token = await team.signIn(userName)
  const { secret } = await offer(token)
  expect(await activate(token, codeOf(secret, -1))).toMatchObject({
    data: { twoStepEnabled: true },
  })
  return secret
}

describe('activating two-step', () => {
  it('goes from the secret over its image to the first code; the next login asks for one', async () => {
    const token = await team.signIn('gym')
    const { uuid, secret } = await offer(token)
    const image = await team.app.inject({
      url: `/api/sessions/secret/image/${uuid}`,
      headers: { 'x-access-token': token },
    })
    expect(image.headers['content-type']).toBe('image/png')
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ format: 'png', width: 240 })
    expect((await login('gym')).data.twoStepEnabled).toBe(false)
    // Authenticators show a code in two groups, and so it is typed and pasted.
    const inGroups = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`
    expect((await activate(token, encodeURIComponent(inGroups(codeOf(secret, -1))))).success).toBe(true)
    expect(await login('gym')).toMatchObject({ resultCode: '001', success: false })
    expect((await login('gym', inGroups(codeOf(secret)))).data).toMatchObject({ twoStepEnabled: true })
  })

  it('keeps the image and the secret to whom they were offered, for ten minutes', async () => {
    const token = await team.signIn('fjord')
    const { uuid, secret } = await offer(token)
    const image = async (asker: string) =>
      (await team.call('GET', `/api/sessions/secret/image/${uuid}`, { token: asker })).body.resultCode
    expect(await image(await team.signIn('south'))).toBe('104')
    await team.pool.query(`update two_step_offers set expires_at = now() - interval '1 hour'`)
    expect(await image(token)).toBe('104')
    expect(await activate(token, codeOf(secret))).toMatchObject({ resultCode: '105' })
    expect((await team.call('GET', '/api/sessions/secret/image/nonsense', { token })).body.resultCode).toBe(
      '100',
    )
  })

  it('takes no wrong code, no secret of before and not what is no code', async () => {
    const token = await team.signIn('fjord')
    const { secret: before } = await offer(token)
    const { secret } = await offer(token)
    expect((await activate(token, codeOf(before))).resultCode).toBe('101')
    expect((await activate(token, codeOf(secret, 5))).resultCode).toBe('101')
    expect((await activate(token, '12345')).resultCode).toBe('100')
    expect((await activate(token, codeOf(secret))).success).toBe(true)
    expect((await activate(token, codeOf(secret))).resultCode).toBe('105')
  })

  it('leaves the earlier authenticator valid until the new one is confirmed, and no longer', async () => {
    const earlier = await activated('mall')
    const { data: user } = await login('mall', codeOf(earlier))
    const { secret } = await offer(user.token)
    expect((await login('mall', codeOf(earlier, 1))).success).toBe(true)
    expect((await activate(user.token, codeOf(secret, -1))).success).toBe(true)
    expect((await login('mall', codeOf(earlier, 1))).resultCode).toBe('101')
    expect((await login('mall', codeOf(secret))).success).toBe(true)
  })

  it('happens once when fifty bring the code at once', async () => {
    const token = await team.signIn('south')
    const { secret } = await offer(token)
    // The door lets one address bring thirty codes a minute; these come from fifty.
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        team.call('POST', `/api/sessions/twostep/${codeOf(secret)}`, {
          token,
          address: `10.2.0.${index}`,
        }),
      ),
    )
    expect(answers.map(({ body }) => body.resultCode).toSorted()).toEqual([
      '000',
      ...Array.from({ length: 49 }, () => '105'),
    ])
  })

  it('is asked of whoever it is required of', async () => {
    await team.as('spa', 'PUT', '/api/merchant/sub', {
      id: team.accounts['spa-clerk'],
      realName: 'Clerk',
      twoStepRequired: true,
    })
    expect((await login('spa-clerk')).data).toMatchObject({ needTwoStep: true, twoStepEnabled: false })
    const secret = await activated('spa-clerk')
    expect((await login('spa-clerk', codeOf(secret))).data).toMatchObject({
      needTwoStep: false,
      twoStepEnabled: true,
    })
  })

  it('keeps no secret in the clear and tells the audit trail nothing of it', async () => {
    const token = await team.signIn('spa-helper')
    const { secret } = await offer(token)
    const otp = codeOf(secret)
    await activate(token, otp)
    const { rows } = await team.pool.query(
      `select (select jsonb_agg(to_jsonb(t)) from audit_trail t)::text as trail, (select jsonb_agg(to_jsonb(a)) from accounts a)::text as accounts`,
    )
    expect(rows[0].trail).toContain('session.twostep')
    expect(rows[0].trail).not.toContain(otp)
    expect(rows[0].trail + rows[0].accounts).not.toContain(secret)
  })
})

describe('a one-time code', () => {
  it('works once', async () => {
    const secret = await activated('north')
    const code = codeOf(secret)
    expect((await login('north', code)).success).toBe(true)
    expect(await login('north', code)).toMatchObject({
      resultCode: '101',
      message: 'The one-time password is wrong or has already been used',
    })
    expect((await login('north', codeOf(secret, 1))).success).toBe(true)
    // A code of a step before the one used last is as good as used.
    expect((await login('north', code)).resultCode).toBe('101')
  })

  it('works once when fifty send it at once', async () => {
    const secret = await activated('north-clerk')
    const code = codeOf(secret)
    const answers = await Promise.all(Array.from({ length: 50 }, () => login('north-clerk', code)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.every(({ resultCode }) => ['000', '101', '107'].includes(resultCode))).toBe(true)
  })

  it('cannot be guessed quickly by who has the password', async () => {
    await activated('north-helper')
    // However long the guesses take: the first wait is of two seconds.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const codes = []
    for (let guess = 0; guess < 10; guess++)
      codes.push((await login('north-helper', String(guess).padStart(6, '0'))).resultCode)
    expect(codes.filter((code) => code === '101').length).toBeLessThanOrEqual(6)
    expect(codes.at(-1)).toBe('107')
  })
})

describe('a lost authenticator', () => {
  const reset = async (who: string, whom: string) =>
    (await team.as(who, 'POST', `/api/admin/users/twostepreset/${whom}`)).resultCode

  it('is taken from the user by who is above: its sessions end, and the password is enough again', async () => {
    await activated('spa')
    const { rows } = await team.pool.query(`select count(*)::int as n from sessions where account_id = $1`, [
      team.accounts['spa'],
    ])
    expect(rows[0].n).toBeGreaterThan(0)
    expect(await reset('south', 'spa')).toBe('104')
    expect(await reset('admin', 'spa')).toBe('000')
    const left = await team.pool.query(`select from sessions where account_id = $1`, [team.accounts['spa']])
    expect(left.rowCount).toBe(0)
    expect((await login('spa')).data.twoStepEnabled).toBe(false)
    expect(await team.as('admin', 'POST', '/api/admin/users/twostepreset/spa')).toMatchObject({
      resultCode: '105',
      message: 'This user has not activated two-step sign-in',
    })
  })

  it('is not taken from oneself, from the owner by a sub-account, or from who holds more', async () => {
    await activated('admin-clerk')
    expect(await reset('admin-clerk', 'admin-clerk')).toBe('105')
    await team.give('admin-helper', [21, 2113])
    expect(await reset('admin-helper', 'admin')).toBe('103')
    expect(await reset('admin-helper', 'admin-clerk')).toBe('103')
    expect(await reset('north-clerk', 'north')).toBe('103')
    expect(await reset('gym', 'spa-clerk')).toBe('104')
    expect(await reset('admin', 'nobody')).toBe('104')
  })

  it('is taken from sub-accounts by their owner, and by a colleague who holds no less', async () => {
    const everything = await team.held('spa')
    await team.pool.query('update accounts set two_step_enabled = false')
    await activated('spa-clerk')
    await team.give('spa-helper', [24, 244])
    expect(await reset('spa-helper', 'spa-clerk')).toBe('103')
    await team.give('spa-helper', [24, 246])
    await team.give('spa-clerk', [24, 241])
    expect(await reset('spa-helper', 'spa-clerk')).toBe('103')
    await team.give('spa-clerk', [24])
    expect(await reset('spa-helper', 'spa-clerk')).toBe('000')
    expect(await reset('spa-helper', 'spa')).toBe('104')
    await activated('spa-clerk')
    await team.give('spa-clerk', everything)
    const token = await team.signIn('spa')
    const byOwner = await team.call('POST', '/api/admin/users/twostepreset/spa-clerk', { token })
    expect(byOwner.body.resultCode).toBe('000')
    expect((await login('spa-clerk')).data.twoStepEnabled).toBe(false)
  })

  it('is not taken by an agent from a merchant below who holds what the agent does not', async () => {
    await team.pool.query('update accounts set two_step_enabled = false')
    await activated('gym')
    await team.give('north-helper', [21, 2113])
    expect(await reset('north-helper', 'gym')).toBe('103')
    await team.give('gym', [])
    expect(await reset('north-helper', 'gym')).toBe('000')
  })
})
