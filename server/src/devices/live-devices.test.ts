import type { LiveDevice } from '@chairside/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { EventFeed } from '../kit/call.ts'
import { listenTo, type Listener } from '../testing/listener.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { createLiveDevices } from './live-devices.ts'

/* What is told to those who look at device rows; see also the two servers in app/two-servers.test.ts. */

let network: TestNetwork
let url: string
let listeners: Listener[] = []
beforeAll(async () => {
  network = await startTestNetwork()
  url = await network.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => network.stop())
afterEach(async () => {
  for (const listener of listeners) listener.leave()
  listeners = []
  await network.pool.query(`update device_states set status = 1, signal = 0, running_command_id = ''`)
  await network.pool.query(
    `update devices set locked = 0, merchant_id = $1, place_id = $2 where sid = 'G1'`,
    [network.ours.merchantId, network.ours.placeId],
  )
})

const within = { timeout: 30_000, interval: 20 }

async function listen(token: string, sids: string): Promise<Listener> {
  const listener = await listenTo(`${url}/api/devices/live?deviceids=${sids}`, token)
  listeners.push(listener)
  return listener
}
const told = (listener: Listener) =>
  listener.events.flatMap(({ event, data }) => (event === 'devices' ? (data as LiveDevice[]) : []))
const heartbeat = (sid: string, changes: string) =>
  network.pool.query(
    `update device_states set last_seen_at = now(), ${changes} where device_id = (select id from devices where sid = $1)`,
    [sid],
  )

describe('whoever looks at devices', () => {
  it('is told how they are, and then what really changes, not each heartbeat', async () => {
    const listener = await listen(network.tokens.merchant, 'G1')
    await vi.waitFor(() => expect(told(listener)).toHaveLength(1), within)
    expect(told(listener)).toEqual([
      { deviceId: 'G1', status: 1, signals: 0, running: false, locked: 0, blocked: false },
    ])
    for (let beat = 0; beat < 20; beat++) await heartbeat('G1', 'signal = 0')
    await heartbeat('G1', `signal = 4`)
    await vi.waitFor(() => expect(told(listener)).toHaveLength(2), within)
    expect(told(listener).at(-1)).toMatchObject({ signals: 4 })
    await heartbeat('G1', `running_command_id = 'c1', running_until = now() + interval '1 hour'`)
    await vi.waitFor(() => expect(told(listener).at(-1)).toMatchObject({ running: true }), within)
    await heartbeat('G1', `running_until = clock_timestamp() + interval '0.5 s'`)
    // Its time is over, though no board said so.
    await vi.waitFor(() => expect(told(listener).at(-1)).toMatchObject({ running: false }), within)
    expect(listener.events.filter(({ event }) => event === 'changed')).toEqual([])
  })

  it('is told that a row has to be read anew when somebody changed the device', async () => {
    const listener = await listen(network.tokens.merchant, 'G1')
    await vi.waitFor(() => expect(told(listener)).toHaveLength(1), within)
    await network.pool.query(`update devices set locked = 1 where sid = 'G1'`)
    await vi.waitFor(() => expect(listener.events.map(({ event }) => event)).toContain('changed'), within)
    expect(told(listener).at(-1)).toMatchObject({ locked: 1 })
  })

  it('hears nothing of a device any more that went to somebody else', async () => {
    const listener = await listen(network.tokens.agent, 'G1')
    await vi.waitFor(() => expect(told(listener)).toHaveLength(1), within)
    await network.pool.query(
      `update devices set merchant_id = $1, place_id = $2, template_id = null where sid = 'G1'`,
      [network.theirs.merchantId, network.theirs.placeId],
    )
    await heartbeat('G1', 'signal = 5')
    await vi.waitFor(() => expect(listener.events.map(({ event }) => event)).toContain('changed'), within)
    await heartbeat('G1', 'signal = 2')
    const theirs = await listen(await network.signIn('their-merchant'), 'G1')
    await vi.waitFor(() => expect(told(theirs).at(-1)).toMatchObject({ signals: 2 }), within)
    expect(told(listener)).toHaveLength(1)
  })

  it('hears only of what is his, and is refused what is not', async () => {
    const listener = await listen(network.tokens.merchant, 'G1,G2')
    await vi.waitFor(() => expect(told(listener).map(({ deviceId }) => deviceId)).toEqual(['G1']), within)
    await expect(listen(network.tokens.merchant, 'G2')).rejects.toThrow('104')
    await expect(listen('nobody', 'G1')).rejects.toThrow('02000')
    const admin = await listen(network.tokens.admin, 'G1,G2')
    await vi.waitFor(() => expect(told(admin)).toHaveLength(2), within)
  })
})

describe('limits', () => {
  it('let a session have six streams, and another when one has ended', async () => {
    const token = await network.signIn('our-merchant')
    const opened = await Promise.allSettled(Array.from({ length: 20 }, () => listen(token, 'G1')))
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    await expect(listen(token, 'G1')).rejects.toThrow('107')
    listeners[0]?.leave()
    await vi.waitFor(() => listen(token, 'G1'), within)
    await listen(network.tokens.agent, 'G1')
  })

  it('let an account have sixty, in however many sessions, so that something is left for others', async () => {
    // Somebody who had none in the tests before: those end a moment after their listeners left.
    const tokens: string[] = []
    for (let session = 0; session < 11; session++) tokens.push(await network.signIn('their-merchant'))
    const opened = await Promise.allSettled(
      tokens.flatMap((token) => Array.from({ length: 6 }, () => listen(token, 'G2'))),
    )
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(60)
    await listen(network.tokens.agent, 'G1')
    listeners[0]?.leave()
    await vi.waitFor(() => listen(tokens.at(-1) ?? '', 'G2'), within)
  })

  it('count nobody who went away before the stream began', async () => {
    const token = await network.signIn('our-merchant')
    for (let time = 0; time < 20; time++) {
      const leaving = new AbortController()
      const asked = fetch(`${url}/api/devices/live?deviceids=G1`, {
        headers: { 'x-access-token': token },
        signal: leaving.signal,
      })
      await new Promise((resolve) => setTimeout(resolve, time))
      leaving.abort()
      await asked.catch(() => undefined)
    }
    // Their places are free as soon as the server has seen them leave.
    for (let opened = 0; opened < 6; opened++) await vi.waitFor(() => listen(token, 'G1'), within)
    expect(listeners).toHaveLength(6)
  })

  it('give no place to who asks for the head of a stream alone', async () => {
    const token = await network.signIn('our-merchant')
    const headers = { 'x-access-token': token }
    for (let time = 0; time < 6; time++)
      await fetch(`${url}/api/devices/live?deviceids=G1`, { method: 'HEAD', headers })
    for (let opened = 0; opened < 6; opened++) await listen(token, 'G1')
    expect(listeners).toHaveLength(6)
  })
})

describe('a listener that does not read', () => {
  it('is told the latest of each device when it reads again, however much happened', async () => {
    const live = createLiveDevices(network.db, {
      everyMs: 20,
      onError: (error) => expect.fail(String(error)),
    })
    let woken = 0
    const feed = (await live.watch({ kind: 'platform' }, ['G1', 'G2'], () => woken++)) as EventFeed
    expect(feed.take()).toHaveLength(1)
    for (let signal = 1; signal <= 5; signal++) {
      const before = woken
      await heartbeat('G1', `signal = ${signal}`)
      await vi.waitFor(() => expect(woken).toBeGreaterThan(before), within)
    }
    expect(feed.take()).toEqual([
      { event: 'devices', data: [expect.objectContaining({ deviceId: 'G1', signals: 5 })] },
    ])
    expect(feed.take()).toEqual([])
    feed.close()
  })
})

it('a change is told although the database went away while it was looked at', async () => {
  let isAway = false
  let failed = 0
  const fragile = network.db.withPlugin({
    transformQuery: ({ node }) => {
      if (isAway && JSON.stringify(node).includes('select d.sid from devices d')) throw new Error('away')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const live = createLiveDevices(fragile, { everyMs: 10, onError: () => failed++ })
  const feed = (await live.watch({ kind: 'platform' }, ['G1'], () => undefined)) as EventFeed
  feed.take()
  isAway = true
  await network.pool.query(`update devices set locked = 1 where sid = 'G1'`)
  await vi.waitFor(() => expect(failed).toBeGreaterThan(0), within)
  isAway = false
  await vi.waitFor(
    () =>
      expect(feed.take()).toEqual([
        { event: 'devices', data: [expect.objectContaining({ locked: 1 })] },
        { event: 'changed', data: {} },
      ]),
    within,
  )
  feed.close()
})

it('what nobody looks at is not read', async () => {
  let asked = 0
  const counting = network.db.withPlugin({
    transformQuery: ({ node }) => {
      asked++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const live = createLiveDevices(counting, { everyMs: 10, onError: (error) => expect.fail(String(error)) })
  const feed = (await live.watch({ kind: 'platform' }, ['G1'], () => undefined)) as EventFeed
  await vi.waitFor(() => expect(asked).toBeGreaterThan(4), within)
  feed.close()
  // What was being read at that moment may end.
  const askedMeanwhile = async () => {
    const before = asked
    await new Promise((resolve) => setTimeout(resolve, 100))
    return asked - before
  }
  await expect.poll(askedMeanwhile).toBe(0)
})

describe('a stream ends', () => {
  it('with the session, without a further word', async () => {
    const token = await network.signIn('our-merchant')
    const listener = await listen(token, 'G1')
    await vi.waitFor(() => expect(told(listener)).toHaveLength(1), within)
    await network.call('POST', '/api/sessions/logout', { token })
    await heartbeat('G1', 'signal = 5')
    await vi.waitFor(() => expect(listener.hasEnded).toBe(true), within)
    expect(told(listener)).toHaveLength(1)
  })

  it('when the merchant is locked, or the right to look is taken away', async () => {
    const merchant = await listen(network.tokens.merchant, 'G1')
    const clerk = await listen(network.tokens.subMerchant, 'G1')
    await network.pool.query(
      `update accounts set permission_ids = '{}' where user_name = 'our-merchant-clerk'`,
    )
    await heartbeat('G1', 'signal = 5')
    await vi.waitFor(() => expect(clerk.hasEnded).toBe(true), within)
    await vi.waitFor(() => expect(told(merchant).at(-1)).toMatchObject({ signals: 5 }), within)
    await network.pool.query(`update organisations set status = 2 where id = $1`, [network.ours.merchantId])
    await vi.waitFor(() => expect(merchant.hasEnded).toBe(true), within)
    expect(told(merchant).at(-1)).toMatchObject({ blocked: false })
  })

  it('with the server, which need not wait for anybody', async () => {
    const listener = await listen(network.tokens.admin, 'G1')
    const startedAtMs = performance.now()
    await network.app.close()
    // Well before those are cut off who do not end.
    expect(performance.now() - startedAtMs).toBeLessThan(7000)
    await vi.waitFor(() => expect(listener.hasEnded).toBe(true), within)
  })
})
