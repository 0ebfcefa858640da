import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testPassword } from '../testing/test-server.ts'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'
import { hashPassword } from './passwords.ts'
import { beginAttempt, endAttempt } from './sign-in-throttle.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam()
})
afterAll(() => team.stop())
beforeEach(async () => {
  await team.pool.query('delete from sign_in_failures')
  // Time passes as the tests say, however long passwords take to check.
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => void vi.useRealTimers())

const login = async (username: string, password: string, address: string) =>
  (await team.call('POST', '/api/sessions/login', { body: { username, password }, address })).body
const addressOf = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`

/** Lets time pass for those who wait. */
const wait = (seconds: number) =>
  team.pool.query(
    `update sign_in_failures set blocked_until = blocked_until - make_interval(secs => $1),
            last_at = last_at - make_interval(secs => $1), forgiven_at = forgiven_at - make_interval(secs => $1)`,
    [seconds],
  )

async function waitOf(subject: string): Promise<number> {
  const { rows } = await team.pool.query<{ seconds: number }>(
    `select round(extract(epoch from greatest(blocked_until, last_at) - last_at))::int as seconds from sign_in_failures where subject = $1`,
    [subject],
  )
  return rows[0]?.seconds ?? 0
}

describe('a thousand wrong passwords', () => {
  it('from a thousand addresses, hundreds at once, are six guesses', async () => {
    const answers: Awaited<ReturnType<typeof login>>[] = []
    const numbers = Array.from({ length: 1000 }, (_, index) => index)
    // All at once, the last would wait longer for a connection than the door lets them.
    for (let first = 0; first < numbers.length; first += 250) {
      const together = numbers.slice(first, first + 250)
      const tries = together.map((index) => login('spa', `wrong ${index}`, addressOf(index)))
      answers.push(...(await Promise.all(tries)))
    }
    const guesses = answers.filter(({ resultCode }) => resultCode === '101')
    expect(guesses).toHaveLength(6)
    expect(answers.filter(({ resultCode }) => resultCode === '107')).toHaveLength(994)
    expect(new Set(guesses.map(({ message }) => message))).toEqual(
      new Set(['User name or password is wrong']),
    )
    await wait(900)
    expect((await login('spa', testPassword, addressOf(2000))).success).toBe(true)
  })

  it('are no more for a name that is spelt with letters that only look like its own', async () => {
    const spellings = ['admin', 'ADMIN', 'adm\u0130n', 'adm\u0131n', '\uff41dmin']
    const answers = await Promise.all(
      spellings.map((name, index) => login(name, testPassword, addressOf(3000 + index))),
    )
    expect(answers.map(({ resultCode }) => resultCode)).toEqual(['000', '000', '101', '101', '101'])
  })

  it('for a thousand names from one address are stopped at the address', async () => {
    const codes = new Map<string, number>()
    for (let index = 0; index < 60; index++) {
      const { resultCode } = await login(`nobody-${index}`, 'wrong password', '10.200.0.1')
      codes.set(resultCode, (codes.get(resultCode) ?? 0) + 1)
    }
    expect(Object.fromEntries(codes)).toEqual({ '101': 31, '107': 29 })
    expect((await login('gym', testPassword, '10.200.0.2')).success).toBe(true)
  })
})

describe('an address of IPv6', () => {
  it('is one with all others of its line', async () => {
    const codes = new Set<string>()
    for (let index = 0; index < 32; index++) {
      const { resultCode } = await login(`stranger-${index}`, 'wrong password', `2001:db8:0:1::${index + 1}`)
      codes.add(resultCode)
    }
    expect(codes).toEqual(new Set(['101', '107']))
    expect((await login('gym', testPassword, '2001:db8:0:2::1')).success).toBe(true)
  })
})

describe('people of one office', () => {
  it('do not wait for what others mistyped days ago', async () => {
    for (let hour = 0; hour < 40; hour++) {
      await wait(3600)
      const answer = await login(`somebody-${hour}`, 'mistyped', '10.201.0.2')
      expect(answer.resultCode, `hour ${hour}`).toBe('101')
    }
    expect((await login('spa', testPassword, '10.201.0.2')).success).toBe(true)
  })

  it('are forgiven one failure each quarter of an hour, and no more at once', async () => {
    for (let failure = 0; failure < 31; failure++)
      await login(`nobody-${failure}`, 'wrong password', '10.201.0.3')
    expect(await waitOf('address:10.201.0.3')).toBe(2)
    await wait(890)
    await login('nobody', 'wrong password', '10.201.0.3')
    expect(await waitOf('address:10.201.0.3')).toBe(4)
    // Ten seconds more make the quarter of an hour whole, which the try between has not begun anew.
    await wait(10)
    await login('nobody-else', 'wrong password', '10.201.0.3')
    expect(await waitOf('address:10.201.0.3')).toBe(4)
  })

  it('sign in at the same moment, whichever of them is served first', async () => {
    const now = new Date()
    const earlier = new Date(now.getTime() - 500)
    const tryAt = (userName: string, at: Date) =>
      beginAttempt(team.db, { userName, address: '10.201.0.1', now: at })
    expect(await tryAt('spa', now)).toBe(true)
    expect(await tryAt('gym', earlier)).toBe(true)
    await endAttempt(team.db, { userName: 'spa', address: '10.201.0.1', now })
    expect(await tryAt('spa', earlier)).toBe(true)
  })
})

describe('the wait', () => {
  it('doubles with each failure up to a quarter of an hour, and a success forgets it', async () => {
    const waits = []
    for (let failure = 0; failure < 17; failure++) {
      expect((await login('mall', 'wrong password', addressOf(failure))).resultCode).toBe('101')
      waits.push(await waitOf('name:mall'))
      await wait(900)
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    expect((await login('mall', testPassword, addressOf(90))).success).toBe(true)
    expect((await login('mall', 'wrong password', addressOf(91))).resultCode).toBe('101')
    expect(await waitOf('name:mall')).toBe(0)
  })

  it('is the same for a name that there is not', async () => {
    const codesOf = async (name: string, from: number) => {
      const codes = []
      for (let failure = 0; failure < 9; failure++)
        codes.push((await login(name, 'wrong password', addressOf(from + failure))).resultCode)
      return codes
    }
    expect(await codesOf('nobody', 300)).toEqual(await codesOf('south', 400))
  })

  it('does not begin for who signs in rightly, however often and from one address', async () => {
    for (let time = 0; time < 50; time++)
      expect((await login('fjord', testPassword, '10.201.0.1')).success, `time ${time}`).toBe(true)
    expect(await waitOf('address:10.201.0.1')).toBe(0)
  })

  it('is forgotten after a quiet day', async () => {
    for (let failure = 0; failure < 6; failure++) await login('gym', 'wrong password', addressOf(failure))
    await wait(86_401)
    await login('gym', 'wrong password', addressOf(7))
    expect(await waitOf('name:gym')).toBe(0)
  })
})

describe('a wrong name', () => {
  it('takes as long as a wrong password', async () => {
    const timeOf = async (name: string, address: string) => {
      await team.pool.query('delete from sign_in_failures')
      const start = performance.now()
      await login(name, 'wrong password', address)
      return performance.now() - start
    }
    // As the product keeps it; other passwords of tests are quicker to check.
    await team.pool.query(`update accounts set password_hash = $1 where user_name = 'north'`, [
      await hashPassword(testPassword),
    ])
    await timeOf('nobody', addressOf(5000))
    // By turns, and the quickest of each: what else the machine does slows both.
    const quickest = { unknown: Infinity, known: Infinity }
    const ratio = () => quickest.unknown / quickest.known
    // Without a password to check, an unknown name would be answered at once.
    const isAlike = () => ratio() > 0.6 && ratio() < 1.6
    for (let turn = 0; turn < 20 || (turn < 200 && !isAlike()); turn++) {
      quickest.unknown = Math.min(quickest.unknown, await timeOf('nobody', addressOf(6000 + turn)))
      quickest.known = Math.min(quickest.known, await timeOf('north', addressOf(7000 + turn)))
    }
    expect(isAlike(), `${ratio()}`).toBe(true)
  })
})
