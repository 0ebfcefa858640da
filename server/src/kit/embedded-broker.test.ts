import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { boardAccess } from '../devices/gateway/broker-access.ts'
import { closed, createTestBroker } from '../testing/test-broker.ts'

const test = createTestBroker()
afterEach(() => test.stop())

describe('logging in', () => {
  it('admits a board with its own password', async () => {
    await test.start()
    expect((await test.connectBoard('G001')).connected).toBe(true)
  })

  it.each([
    ['a wrong password', { clientId: 'G001', username: 'G001', password: 'two' }],
    ['no password', { clientId: 'G001', username: 'G001' }],
    ['no name', { clientId: 'G001' }],
    ['an unknown device', { clientId: 'G009', username: 'G009', password: 'one' }],
    ['a client id that is not its own', { clientId: 'G002', username: 'G001', password: 'one' }],
    ['the name of the gateway', { clientId: 'gateway-x', username: 'gateway', password: 'one' }],
  ])('refuses %s', async (_case, options) => {
    await test.start()
    await expect(test.connect(options)).rejects.toThrow('Not authorized')
  })

  it('tells a client of MQTT 5 that it speaks another version', async () => {
    await test.start()
    await expect(test.connectBoard('G001', { protocolVersion: 5 })).rejects.toMatchObject({ code: 1 })
  })

  it('says that it is unavailable when passwords cannot be checked', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    await test.start({}, () => Promise.reject(new Error('the database is away')), log)
    // All boards of a network come back together, and ask again.
    for (let tries = 0; tries < 5; tries++)
      await expect(test.connectBoard('G001')).rejects.toThrow('Server unavailable')
    const told = lines.filter((line) => line.includes('MQTT logins cannot be checked'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('the database is away')
  })

  it('gives a client id to the newest connection that may have it', async () => {
    await test.start({ undisturbedMs: 0 })
    const first = await test.connectBoard('G001')
    const lost = closed(first)
    const second = await test.connectBoard('G001')
    await lost
    await second.publishAsync('v1/devices/G001/status', '{}', { qos: 1 })
    expect(second.connected).toBe(true)
  })

  it('leaves who has just signed in alone for a moment, so that two with one id do it in turns', async () => {
    await test.start({ undisturbedMs: 400 })
    const beganAtMs = performance.now()
    for (let turn = 0; turn < 3; turn++) await test.connectBoard('G001')
    expect(performance.now() - beganAtMs).toBeGreaterThan(750)
  })

  it('lets nobody wait for who is there no more', async () => {
    await test.start({ undisturbedMs: 600_000 })
    const first = await test.connectBoard('G001')
    await first.endAsync()
    await expect.poll(() => test.broker().connectionCount()).toBe(0)
    expect((await test.connectBoard('G001')).connected).toBe(true)
  })

  it('ends the connection of a board whose password no longer holds', async () => {
    await test.start()
    const board = await test.connectBoard('G001')
    const lost = closed(board)
    test.broker().disconnect('G001')
    await expect(lost).resolves.toBe(true)
  })
})

describe('what a board may do', () => {
  it('speaks on its own topics and hears its own commands', async () => {
    await test.start()
    const heard = await test.overhear()
    const board = await test.connectBoard('G001')
    const commands: string[] = []
    board.on('message', (_topic, payload) => commands.push(payload.toString()))
    expect(await board.subscribeAsync('v1/devices/G001/command', { qos: 1 })).toMatchObject([{ qos: 1 }])
    await board.publishAsync('v1/devices/G001/event', 'mine', { qos: 1 })
    const gateway = await test.connectGateway({ clientId: 'gateway-other' })
    await gateway.publishAsync('v1/devices/G001/command', 'go', { qos: 1 })
    await expect.poll(() => commands).toEqual(['go'])
    await expect.poll(() => heard).toEqual(['v1/devices/G001/event mine', 'v1/devices/G001/command go'])
  })

  it.each(['v1/devices/G002/status', 'v1/devices/G001/command', 'v1/devices/G001', '$SYS/x', 'other'])(
    'loses its connection when it speaks on %s',
    async (topic) => {
      await test.start()
      const heard = await test.overhear()
      const board = await test.connectBoard('G001')
      const lost = closed(board)
      board.publish(topic, 'forged', { qos: 1 })
      await lost
      expect(heard).toEqual([])
    },
  )

  it.each(['v1/devices/G002/command', 'v1/devices/+/command', '#', '$share/x/v1/devices/G001/command'])(
    'is refused to listen to %s',
    async (filter) => {
      await test.start()
      const board = await test.connectBoard('G001')
      await expect(board.subscribeAsync(filter)).rejects.toMatchObject({ packet: { granted: [128] } })
    },
  )

  it('cannot leave a last will on the topic of another board', async () => {
    await test.start()
    const heard = await test.overhear()
    const will = {
      topic: 'v1/devices/G002/birth',
      payload: Buffer.from('offline'),
      qos: 1,
      retain: true,
    } as const
    const board = await test.connectBoard('G001', { will })
    board.stream.destroy()
    await expect.poll(() => test.broker().connectionCount()).toBe(1)
    // What would have been said of the first is said by then.
    const other = await test.connectBoard('G002')
    await other.publishAsync('v1/devices/G002/birth', 'here', { qos: 1 })
    await expect.poll(() => heard).toContain('v1/devices/G002/birth here')
    expect(heard).toEqual(['v1/devices/G002/birth here'])
  })

  it('says its last will when its connection breaks, and keeps it for who asks later', async () => {
    await test.start()
    const heard = await test.overhear()
    const will = {
      topic: 'v1/devices/G001/birth',
      payload: Buffer.from('offline'),
      qos: 1,
      retain: true,
    } as const
    const board = await test.connectBoard('G001', { will })
    await board.publishAsync('v1/devices/G001/birth', 'here', { qos: 1, retain: true })
    board.stream.destroy()
    await expect.poll(() => heard).toEqual(['v1/devices/G001/birth here', 'v1/devices/G001/birth offline'])
    const later: string[] = []
    const gateway = await test.connectGateway({ clientId: 'gateway-later' })
    gateway.on('message', (_topic, payload, { retain }) => later.push(`${retain} ${payload.toString()}`))
    await gateway.subscribeAsync('v1/devices/+/birth', { qos: 1 })
    await expect.poll(() => later).toEqual(['true offline'])
  })

  it('can have its kept message taken back', async () => {
    await test.start()
    const board = await test.connectBoard('G001')
    const gateway = await test.connectGateway()
    const kept: string[] = []
    gateway.on('message', (_topic, payload) => kept.push(payload.toString()))
    await board.publishAsync('v1/devices/G001/birth', 'here', { qos: 1, retain: true })
    await gateway.subscribeAsync('v1/devices/G001/birth', { qos: 1 })
    await expect.poll(() => kept).toEqual(['here'])
    await gateway.unsubscribeAsync('v1/devices/G001/birth')
    await gateway.publishAsync('v1/devices/G001/birth', '', { qos: 1, retain: true })
    await gateway.subscribeAsync(['v1/devices/G001/birth', 'v1/devices/G001/log'], { qos: 1 })
    await board.publishAsync('v1/devices/G001/log', 'next', { qos: 1 })
    await expect.poll(() => kept).toEqual(['here', 'next'])
  })

  it('finds no commands that were meant for it while it was away', async () => {
    await test.start()
    const board = await test.connectBoard('G001', { clean: false })
    await board.subscribeAsync('v1/devices/G001/command', { qos: 1 })
    await board.endAsync()
    const gateway = await test.connectGateway()
    await gateway.publishAsync('v1/devices/G001/command', 'stale', { qos: 1 })
    const commands: string[] = []
    const again = await test.connectBoard('G001', { clean: false })
    again.on('message', (_topic, payload) => commands.push(payload.toString()))
    await again.subscribeAsync('v1/devices/G001/command', { qos: 1 })
    await gateway.publishAsync('v1/devices/G001/command', 'fresh', { qos: 1 })
    await expect.poll(() => commands).toEqual(['fresh'])
  })
})

it('a board may use nothing but its own topics', () => {
  const { mayPublish, maySubscribe } = boardAccess('G001')
  expect([mayPublish('v1/devices/G001/ack'), maySubscribe('v1/devices/G001/command')]).toEqual([true, true])
  expect([mayPublish('v1/devices/G001/command'), maySubscribe('v1/devices/G001/ack')]).toEqual([false, false])
})
