import type { SessionRow } from '@chairside/contract'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountCalls } from '../kit/door/door.ts'
import { createWebApp } from '../kit/door/web-app.ts'
import { inTransaction, openDatabase, type DatabasePool } from '../kit/database.ts'
import { testPassword, testTimeZone } from '../testing/test-server.ts'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'
import { untilBlocked } from '../testing/until-blocked.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { accountCalls } from './account-calls.ts'
import { insertAudit } from './audit-sql.ts'
import { createSessionCalls } from './session-calls.ts'
import { createSessionGate } from './session-gate.ts'
import { replaceSession } from './sessions-sql.ts'
import { hashToken, newRenewalSalt, newToken } from './tokens.ts'

let team: TestTeam
/** Another instance of the server on the same database. */
let elsewhere: FastifyInstance
let otherPool: DatabasePool
beforeAll(async () => {
  team = await startTestTeam()
  const { rows } = await team.pool.query<{ name: string }>('select current_database() as name')
  const url = new URL(String(team.pool.options.connectionString))
  url.pathname = `/${rows[0]?.name}`
  otherPool = openDatabase(url.href)
  const gate = createSessionGate(otherPool.db, 7200)
  elsewhere = await createWebApp({ log: pino({ level: 'silent' }), callsPerMinute: 1e6, trustProxy: false })
  mountCalls(elsewhere, [...createSessionCalls(gate, team.secrets), ...accountCalls], {
    db: otherPool.db,
    openReading: otherPool.openReading,
    timeZone: testTimeZone,
    checkToken: gate.checkToken,
    guessPrincipal: gate.guessPrincipal,
    whoHolds: gate.whoHolds,
    mostLongLists: 10,
    writeAudit: insertAudit,
  })
  await elsewhere.ready()
})
afterAll(async () => {
  await elsewhere.close()
  await otherPool.close()
  await team.stop()
})

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const login = async (username: string, headers: Record<string, string> = {}) =>
  (
    await team.call<{ token: string }>('POST', '/api/sessions/login', {
      body: { username, password: testPassword },
      headers,
      address: '10.7.7.7',
    })
  ).body.data.token
const list = async (token: string) =>
  (await team.call<{ list: SessionRow[]; total: number }>('GET', '/api/sessions', { token })).body.data.list
const codeOf = async (token: string) =>
  (await team.call('POST', '/api/sessions/login/nopass', { token })).body.resultCode
const codeElsewhere = async (token: string) =>
  (
    await elsewhere.inject({
      method: 'POST',
      url: '/api/sessions/login/nopass',
      headers: { 'x-access-token': token },
    })
  ).json().resultCode

describe('one’s own sessions', () => {
  it('tell from where and with what one is signed in, which one asks, and never the token', async () => {
    const first = await login('gym', { 'user-agent': chrome })
    const second = await login('gym', { 'user-agent': 'curl/8' })
    const answer = await team.call<{ list: SessionRow[] }>('GET', '/api/sessions', { token: second })
    expect(answer.body.data.list).toHaveLength(2)
    const [own, other] = [true, false].map((current) =>
      answer.body.data.list.find((session) => session.current === current),
    )
    expect(own).toMatchObject({ browser: '', address: '10.7.7.7' })
    expect(other).toMatchObject({ browser: 'Chrome 140 · Windows', address: '10.7.7.7' })
    const text = JSON.stringify(answer.body)
    for (const token of [first, second]) {
      const hash = createHash('sha256').update(token).digest()
      for (const secret of [token, hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')])
        expect(text).not.toContain(secret)
    }
  })

  it('stay one session when the token is renewed, and say when they were used last', async () => {
    const token = await login('mall')
    const before = await list(token)
    await team.pool.query(
      `update sessions set renewed_at = now() - interval '5000 seconds', last_used_at = now() - interval '5000 seconds' where account_id = $1`,
      [team.accounts['mall']],
    )
    const renewal = await team.call('POST', '/api/sessions/login/nopass', { token })
    const renewed = renewal.headers['x-access-token'] ?? ''
    const after = await list(renewed)
    expect(after.map(({ id, current }) => [id, current])).toEqual([[before[0]?.id, true]])
    expect(Date.now() - Date.parse(after[0]?.lastUsedTime ?? '')).toBeLessThan(60_000)
    expect(after[0]?.createTime).toBe(before[0]?.createTime)
    expect((await list(token))[0]?.current).toBe(true)
  })

  it('end one by one, in all but one’s own, and at once on every instance', async () => {
    const own = await login('south')
    const others = [await login('south'), await login('south'), await login('south')]
    expect(await Promise.all(others.map(codeElsewhere))).toEqual(['000', '000', '000'])
    const one = (await list(others[0] ?? '')).find(({ current }) => current)
    expect((await team.call('DELETE', `/api/sessions/${one?.id}`, { token: own })).body.success).toBe(true)
    expect(await codeElsewhere(others[0] ?? '')).toBe('02000')
    expect((await team.call('DELETE', `/api/sessions/${one?.id}`, { token: own })).body.resultCode).toBe(
      '104',
    )
    const ended = await team.call<{ endedSessions: number }>('DELETE', '/api/sessions', { token: own })
    expect(ended.body.data).toEqual({ endedSessions: 2 })
    expect(await Promise.all([own, ...others].map(codeElsewhere))).toEqual(['000', '02000', '02000', '02000'])
  })

  it('are counted once each when they end, although a token was renewed a moment ago', async () => {
    const { mall } = team.accounts
    await team.pool.query('delete from sessions where account_id = $1', [mall])
    const renewed = async () => {
      const token = await login('mall')
      await team.pool.query(
        `update sessions set renewed_at = now() - interval '5000 seconds' where account_id = $1`,
        [mall],
      )
      const { headers } = await team.call('POST', '/api/sessions/login/nopass', { token })
      return headers['x-access-token'] ?? ''
    }
    await renewed()
    const own = await renewed()
    expect(await codeOf(own)).toBe('000')
    const ended = await team.call('DELETE', '/api/sessions', { token: own })
    expect(ended.body.data).toEqual({ endedSessions: 1 })
  })

  it('are nobody else’s to see or to end', async () => {
    const theirs = await login('fjord')
    const own = await login('north')
    const [session] = await list(theirs)
    expect((await list(own)).map(({ id }) => id)).not.toContain(session?.id)
    expect((await team.call('DELETE', `/api/sessions/${session?.id}`, { token: own })).body.resultCode).toBe(
      '104',
    )
    expect(await codeOf(theirs)).toBe('000')
    expect((await team.call('DELETE', '/api/sessions/1', { token: own })).body.resultCode).toBe('100')
  })
})

describe('a session on another instance', () => {
  it('ends with a password reset, a lock and a deletion at once', async () => {
    const [clerk, helper, spa] = [await login('spa-clerk'), await login('spa-helper'), await login('spa')]
    expect(await codeElsewhere(clerk)).toBe('000')
    await team.as('spa', 'POST', '/api/merchant/users/passwordreset/spa-clerk')
    expect(await codeElsewhere(clerk)).toBe('02000')
    await team.as('spa', 'DELETE', `/api/merchant/sub?id=${team.accounts['spa-helper']}`)
    expect(await codeElsewhere(helper)).toBe('02000')
    await team.pool.query('update organisations set status = 2 where id = $1', [team.organisations.spa])
    expect(await codeElsewhere(spa)).toBe('02000')
  })

  it('loses a right at once when it is taken', async () => {
    const token = await login('north-clerk')
    const sees = async () =>
      (await elsewhere.inject({ url: '/api/agents/sub', headers: { 'x-access-token': token } })).json()
        .resultCode
    expect(await sees()).toBe('000')
    await team.as('north', 'POST', '/api/agent/users/permissions', {
      id: team.accounts['north-clerk'],
      oldRoles: await team.held('north-clerk'),
      selectedRoles: [21],
    })
    expect(await sees()).toBe('103')
  })

  it('is not begun with a password that is reset at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      await team.pool.query(
        `update accounts set password_hash = (select password_hash from accounts where user_name = 'admin'), must_change_password = false where user_name = 'north-helper'`,
      )
      const [tokens] = await Promise.all([
        Promise.all(
          Array.from({ length: 4 }, async () => {
            const { body } = await team.call<{ token: string } | null>('POST', '/api/sessions/login', {
              body: { username: 'north-helper', password: testPassword },
              address: `10.8.0.${round}`,
            })
            return body.data?.token ?? ''
          }),
        ),
        team.as('north', 'POST', '/api/agent/users/passwordreset/north-helper'),
      ])
      for (const token of tokens.filter((one) => one !== '')) expect(await codeElsewhere(token)).toBe('02000')
      await team.pool.query('delete from sign_in_failures')
    }
  })
})

describe('a session whose token is being renewed', () => {
  const endings = {
    'a log out': (token: string) => team.call('POST', '/api/sessions/logout', { token }),
    'signing out everywhere else': async () =>
      team.call('DELETE', '/api/sessions', { token: await login('north-clerk') }),
    'signing it out from elsewhere': async (token: string) => {
      const session = (await list(token)).find(({ current }) => current)
      return team.call('DELETE', `/api/sessions/${session?.id}`, { token: await login('north-clerk') })
    },
    'a reset of the password': async () => ({
      body: await team.as('north', 'POST', '/api/agent/users/passwordreset/north-clerk'),
    }),
  }
  it.each(Object.keys(endings) as (keyof typeof endings)[])('ends with %s all the same', async (name) => {
    const token = await login('north-clerk')
    const renewed = newToken()
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isReplaced, resolve: replaced } = Promise.withResolvers<void>()
    const now = new Date()
    const renewal = inTransaction(team.db, async (trx) => {
      await replaceSession(trx, {
        oldHash: hashToken(token),
        newHash: hashToken(renewed),
        salt: newRenewalSalt(),
        now,
        expiresAt: new Date(now.getTime() + 60_000),
      })
      replaced()
      await mayCommit
    })
    await isReplaced
    const ending = endings[name](token)
    // It has come upon the renewal, which is not committed yet.
    await untilBlocked(team.pool)
    commit()
    await renewal
    expect((await ending).body.success).toBe(true)
    expect(await Promise.all([token, renewed].map(codeOf))).toEqual(['02000', '02000'])
  })

  it('is used for the first time while it ends, and neither waits for the other for ever', async () => {
    const token = await login('fjord')
    const renewed = newToken()
    const now = new Date()
    const tokens = { oldHash: hashToken(token), newHash: hashToken(renewed) }
    const expiresAt = new Date(now.getTime() + 60_000)
    await inTransaction(team.db, (trx) =>
      replaceSession(trx, { ...tokens, salt: newRenewalSalt(), now, expiresAt }),
    )
    const other = await login('fjord')
    const holder = await team.pool.connect()
    await holder.query('begin')
    await holder.query('select from sessions where token_hash = $1 for update', [tokens.oldHash])
    const ending = team.call('DELETE', '/api/sessions', { token: other })
    await untilBlocked(team.pool)
    const use = team.call('POST', '/api/sessions/login/nopass', { token: renewed })
    await untilBlocked(team.pool, 2)
    await holder.query('commit')
    holder.release()
    expect((await ending).body.success).toBe(true)
    expect((await use).status).toBe(200)
    expect(await codeOf(renewed)).toBe('02000')
  })
})
