import { permissionIds, type SessionUser } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  testPassword,
  type TestServer,
} from '../testing/test-server.ts'

let server: TestServer
let agentId: number
let merchantId: number

beforeAll(async () => {
  server = await startTestServer(undefined, { idleSeconds: 1000 })
  await addAccount(server, { organisationId: 1, userName: 'admin', isOwner: true, tree: 'admin' })
  agentId = await addOrganisation(server, 'agent', 'north')
  merchantId = await addOrganisation(server, 'merchant', 'spa', agentId)
  await addAccount(server, {
    organisationId: agentId,
    userName: 'north-clerk',
    isOwner: false,
    tree: 'agent',
  })
  await addAccount(server, {
    organisationId: merchantId,
    userName: 'spa-clerk',
    isOwner: false,
    tree: 'merchant',
  })
})
afterAll(() => server.stop())

const login = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  server.call<SessionUser>('POST', '/api/sessions/login', { body, headers })

const permissionsWith = (token: string) => server.call('GET', '/api/sessions/permissions', { token })
const renewedBy = (answer: { headers: Record<string, string> } | undefined) =>
  answer?.headers['x-access-token'] ?? ''

/** Signs somebody in for the only time; half of the idle time has passed. */
async function halfIdle(userName: string): Promise<string> {
  const account = `account_id = (select id from accounts where user_name = '${userName}')`
  await server.pool.query(`delete from sessions where ${account}`)
  const token = await server.signIn(userName)
  await server.pool.query(
    `update sessions set renewed_at = now() - interval '600 seconds', expires_at = now() + interval '400 seconds' where ${account}`,
  )
  return token
}

/** How long the one token that was renewed works on. */
async function secondsLeft(): Promise<number> {
  const { rows } = await server.pool.query<{ left: number }>(
    `select extract(epoch from expires_at - now())::int as left from sessions where replaced_by is not null`,
  )
  expect(rows).toHaveLength(1)
  return rows[0]?.left ?? 0
}

describe('signing in', () => {
  it.each([
    ['admin', 0],
    ['north', 1],
    ['spa', 2],
    ['north-clerk', 3],
    ['spa-clerk', 4],
  ])('%s is a user of type %i', async (username, type) => {
    const { body } = await login({ username, password: testPassword })
    expect(body).toMatchObject({ success: true, resultCode: '000', data: { userName: username, type } })
    expect(body.data.token.length).toBeGreaterThan(30)
  })

  it('says when one signed in the time before, also with the automatic login that follows', async () => {
    await addAccount(server, { organisationId: 1, userName: 'regular', isOwner: false, tree: 'admin' })
    const signIn = async () => {
      const { data } = (await login({ username: 'regular', password: testPassword })).body
      const again = await server.call<SessionUser>('POST', '/api/sessions/login/nopass', {
        token: data.token,
      })
      expect(again.body.data.lastLogin).toBe(data.lastLogin)
      return data.lastLogin
    }
    expect(await signIn()).toBeNull()
    const earlier = '2026-01-02T03:04:05.000Z'
    await server.pool.query('update accounts set last_login_at = $1 where user_name = $2', [
      earlier,
      'regular',
    ])
    expect(await signIn()).toBe(earlier)
    expect(Date.now() - Date.parse((await signIn()) ?? '')).toBeLessThan(60_000)
  })

  it('takes the fields from a form too', async () => {
    const { body } = await server.call('POST', '/api/sessions/login', {
      body: `username=spa&password=${encodeURIComponent(testPassword)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(body.success).toBe(true)
  })

  it('answers the same words to a wrong name and a wrong password', async () => {
    const wrongName = await login({ username: 'nobody', password: testPassword })
    const wrongPassword = await login({ username: 'spa', password: 'something else' })
    expect(wrongName.body).toEqual(wrongPassword.body)
    expect(wrongName.body).toMatchObject({
      success: false,
      resultCode: '101',
      message: 'User name or password is wrong',
    })
  })

  it('speaks the language of the caller', async () => {
    const { body } = await login(
      { username: 'nobody', password: testPassword },
      { 'accept-language': 'zh-CN,zh;q=0.9' },
    )
    expect(body.message).toBe('用户名或密码错误')
  })

  it('names each field that is missing or too short', async () => {
    const { body } = await login({ password: '12345' })
    expect(body).toMatchObject({
      resultCode: '100',
      data: { fields: { username: 'Required', password: 'At least 6 characters' } },
    })
  })

  it('lets only agents in through the agents’ page', async () => {
    const refused = await login({ username: 'spa', password: testPassword, agent: 'true' })
    expect(refused.body.message).toBe('Only agent users supported')
    const taken = await login({ username: 'north', password: testPassword, agent: '1' })
    expect(taken.body.success).toBe(true)
  })

  it('makes a name wait after many failures, whatever the password then', async () => {
    await addAccount(server, { organisationId: 1, userName: 'hunted', isOwner: false, tree: 'admin' })
    for (let attempt = 0; attempt < 6; attempt++)
      await login({ username: 'hunted', password: `wrong ${attempt}` })
    const { body } = await login({ username: 'hunted', password: testPassword })
    expect(body.resultCode).toBe('107')
  })

  it('refuses a locked organisation and ends its sessions at once', async () => {
    const id = await addOrganisation(server, 'merchant', 'closing', agentId)
    const token = await server.signIn('closing')
    await server.pool.query('update organisations set status = 2 where id = $1', [id])
    expect((await server.call('GET', '/api/sessions/permissions', { token })).body.resultCode).toBe('02000')
    expect((await login({ username: 'closing', password: testPassword })).body.resultCode).toBe('102')
  })
})

describe('a session', () => {
  it('is refused without a token, with a made-up one and after logout', async () => {
    expect((await server.call('GET', '/api/sessions/permissions')).body.resultCode).toBe('02000')
    expect(
      (await server.call('GET', '/api/sessions/permissions', { token: 'x'.repeat(43) })).body.resultCode,
    ).toBe('02000')
    const token = await server.signIn('spa')
    await server.call('POST', '/api/sessions/logout', { token })
    expect((await server.call('GET', '/api/sessions/permissions', { token })).body.resultCode).toBe('02000')
  })

  it('expires after idle time', async () => {
    const token = await server.signIn('spa')
    await server.pool.query(
      `update sessions set expires_at = now() - interval '1 second' where account_id = (select id from accounts where user_name = 'spa')`,
    )
    expect((await server.call('GET', '/api/sessions/permissions', { token })).body).toMatchObject({
      resultCode: '02001',
      message: 'Session expired, please login',
    })
  })

  it('is renewed once when half of its idle time has passed; the old token ends a minute after the new one is used', async () => {
    const token = await halfIdle('north')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.call('POST', '/api/sessions/login/nopass', { token })),
    )
    expect(answers.every(({ body }) => body.success)).toBe(true)
    const renewed = renewedBy(answers[0])
    expect(renewed).toHaveLength(43)
    // Whichever answer comes first or last or never: they all bring the same.
    expect(new Set(answers.map(renewedBy))).toEqual(new Set([renewed]))
    expect(await secondsLeft()).toBeGreaterThan(60)
    expect(renewedBy(await permissionsWith(renewed))).toBe('')
    expect(await secondsLeft()).toBeLessThanOrEqual(60)
    // For what is under way; whoever stole it gets nothing new.
    const underWay = await permissionsWith(token)
    expect(underWay.body.success).toBe(true)
    expect(renewedBy(underWay)).toBe('')
  })

  it('outlives a renewal that never arrived, and is told the same token until that is used', async () => {
    const token = await halfIdle('north')
    const lost = renewedBy(await permissionsWith(token))
    await server.pool.query(`update sessions set renewed_at = renewed_at - interval '61 seconds'`)
    const again = await permissionsWith(token)
    expect(again.body.success).toBe(true)
    expect(renewedBy(again)).toBe(lost)
    expect((await permissionsWith(lost)).body.success).toBe(true)
    await server.pool.query(
      `update sessions set expires_at = expires_at - interval '61 seconds' where replaced_by is not null`,
    )
    expect((await permissionsWith(token)).body.resultCode).toBe('02001')
    expect((await permissionsWith(lost)).body.success).toBe(true)
  })

  it('brings the new token with a file too', async () => {
    const token = await halfIdle('admin')
    const { body } = await server.call<{ uuid: string }>('GET', '/api/sessions/secret', { token })
    const image = await server.call('GET', `/api/sessions/secret/image/${body.data.uuid}`, { token })
    expect(image.headers['content-type']).toBe('image/png')
    expect(renewedBy(image)).toHaveLength(43)
  })

  it('ends whole at logout, whichever of its tokens is shown', async () => {
    const token = await halfIdle('north')
    const renewed = renewedBy(await permissionsWith(token))
    await server.call('POST', '/api/sessions/logout', { token })
    expect((await permissionsWith(token)).body.resultCode).toBe('02000')
    expect((await permissionsWith(renewed)).body.resultCode).toBe('02000')
  })

  it('is stored as a hash only', async () => {
    const token = await server.signIn('spa')
    const { rows } = await server.pool.query<{ kept: string }>(
      `select encode(token_hash, 'base64') as kept from sessions`,
    )
    expect(rows.some(({ kept }) => kept.includes(token.slice(0, 20)))).toBe(false)
  })
})

describe('the menu', () => {
  it('holds the pages of the user’s own tree', async () => {
    const tree = async (userName: string) => {
      const { body } = await server.call<{ children: { url: string }[] }[]>(
        'GET',
        '/api/sessions/permissions',
        { token: await server.signIn(userName) },
      )
      return body.data.flatMap((menu) => menu.children.map((page) => page.url))
    }
    expect(await tree('spa')).toContain('/orders')
    expect(await tree('spa')).not.toContain('/agentorder')
    expect(await tree('north')).toContain('/agentorder')
  })

  it('loses at once, for a sub-account, what its owner loses', async () => {
    const token = await server.signIn('spa-clerk')
    const withoutRefunds = permissionIds('merchant').filter((id) => id !== 14)
    await server.pool.query('update accounts set permission_ids = $1 where user_name = $2', [
      withoutRefunds,
      'spa',
    ])
    const { body } = await server.call<{ children: { url: string }[] }[]>(
      'GET',
      '/api/sessions/permissions',
      { token },
    )
    expect(body.data.flatMap((menu) => menu.children.map((page) => page.url))).not.toContain('/refunds')
  })
})
