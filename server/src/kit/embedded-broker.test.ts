import { randomBytes } from 'node:crypto'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { boardAccess, createBrokerLogin } from '../devices/gateway/broker-access.ts'
import { BrokerAwayError, type MqttMessage } from './mqtt.ts'
import { startEmbeddedBroker, type BrokerLimits, type EmbeddedBroker } from './embedded-broker.ts'

const log = pino({ level: 'silent' })
const passwords = new Map([
  ['G001', 'one'],
  ['G002', 'two'],
])
let broker: EmbeddedBroker
let clients: MqttClient[] = []

afterEach(async () => {
  for (const client of clients) client.end(true)
  clients = []
  await broker.stop()
})

async function start(limits: Partial<BrokerLimits> = {}): Promise<void> {
  broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    log,
    limits,
    authenticate: createBrokerLogin({
      gatewayPassword: 'secret of the gateway',
      checkBoard: async (sid, password) => passwords.get(sid) === password,
      refusalPauseMs: 20,
    }),
  })
}

async function connect(options: IClientOptions): Promise<MqttClient> {
  const client = mqtt.connect(broker.url, { protocolVersion: 4, reconnectPeriod: 0, ...options })
  client.on('error', () => undefined)
  clients.push(client)
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('closed')))
  })
  return client
}

const connectBoard = (sid: string, options: IClientOptions = {}) =>
  connect({ clientId: sid, username: sid, password: passwords.get(sid) ?? '', ...options })

const connectGateway = (options: IClientOptions = {}) =>
  connect({ clientId: 'gateway-test', username: 'gateway', password: 'secret of the gateway', ...options })

/** Begins to wait for the end of a connection. */
const closed = (connection: Pick<MqttClient | net.Socket, 'once'>) =>
  new Promise<true>((resolve) => {
    connection.once('close', () => resolve(true))
  })

/** Everything that boards say, as `topic payload`. */
async function overhear(): Promise<string[]> {
  const heard: string[] = []
  const gateway = await connectGateway()
  gateway.on('message', (topic, payload) => heard.push(`${topic} ${payload.toString()}`))
  await gateway.subscribeAsync('v1/devices/#', { qos: 1 })
  return heard
}

describe('logging in', () => {
  it('admits a board with its own password', async () => {
    await start()
    expect((await connectBoard('G001')).connected).toBe(true)
  })

  it.each([
    ['a wrong password', { clientId: 'G001', username: 'G001', password: 'two' }],
    ['no password', { clientId: 'G001', username: 'G001' }],
    ['no name', { clientId: 'G001' }],
    ['an unknown device', { clientId: 'G009', username: 'G009', password: 'one' }],
    ['a client id that is not its own', { clientId: 'G002', username: 'G001', password: 'one' }],
    ['the name of the gateway', { clientId: 'gateway-x', username: 'gateway', password: 'one' }],
  ])('refuses %s', async (_case, options) => {
    await start()
    await expect(connect(options)).rejects.toThrow('Not authorized')
  })

  it('tells a client of MQTT 5 that it speaks another version', async () => {
    await start()
    await expect(connectBoard('G001', { protocolVersion: 5 })).rejects.toMatchObject({ code: 1 })
  })

  it('says that it is unavailable when passwords cannot be checked', async () => {
    broker = await startEmbeddedBroker({
      host: '127.0.0.1',
      port: 0,
      log,
      authenticate: () => Promise.reject(new Error('the database is away')),
    })
    await expect(connectBoard('G001')).rejects.toThrow('Server unavailable')
  })

  it('gives a client id to the newest connection that may have it', async () => {
    await start()
    const first = await connectBoard('G001')
    const lost = closed(first)
    const second = await connectBoard('G001')
    await lost
    await second.publishAsync('v1/devices/G001/status', '{}', { qos: 1 })
    expect(second.connected).toBe(true)
  })

  it('ends the connection of a board whose password no longer holds', async () => {
    await start()
    const board = await connectBoard('G001')
    const lost = closed(board)
    broker.disconnect('G001')
    await expect(lost).resolves.toBe(true)
  })
})

describe('what a board may do', () => {
  it('speaks on its own topics and hears its own commands', async () => {
    await start()
    const heard = await overhear()
    const board = await connectBoard('G001')
    const commands: string[] = []
    board.on('message', (_topic, payload) => commands.push(payload.toString()))
    expect(await board.subscribeAsync('v1/devices/G001/command', { qos: 1 })).toMatchObject([{ qos: 1 }])
    await board.publishAsync('v1/devices/G001/event', 'mine', { qos: 1 })
    const gateway = await connectGateway({ clientId: 'gateway-other' })
    await gateway.publishAsync('v1/devices/G001/command', 'go', { qos: 1 })
    await vi.waitFor(() => expect(commands).toEqual(['go']))
    expect(heard).toEqual(['v1/devices/G001/event mine', 'v1/devices/G001/command go'])
  })

  it.each(['v1/devices/G002/status', 'v1/devices/G001/command', 'v1/devices/G001', '$SYS/x', 'other'])(
    'loses its connection when it speaks on %s',
    async (topic) => {
      await start()
      const heard = await overhear()
      const board = await connectBoard('G001')
      const lost = closed(board)
      board.publish(topic, 'forged', { qos: 1 })
      await lost
      expect(heard).toEqual([])
    },
  )

  it.each(['v1/devices/G002/command', 'v1/devices/+/command', '#', '$share/x/v1/devices/G001/command'])(
    'is refused to listen to %s',
    async (filter) => {
      await start()
      const board = await connectBoard('G001')
      await expect(board.subscribeAsync(filter)).rejects.toMatchObject({ packet: { granted: [128] } })
    },
  )

  it('cannot leave a last will on the topic of another board', async () => {
    await start()
    const heard = await overhear()
    const will = {
      topic: 'v1/devices/G002/birth',
      payload: Buffer.from('offline'),
      qos: 1,
      retain: true,
    } as const
    const board = await connectBoard('G001', { will })
    board.stream.destroy()
    await vi.waitFor(() => expect(broker.connectionCount()).toBe(1))
    await sleep(50)
    expect(heard).toEqual([])
  })

  it('says its last will when its connection breaks, and keeps it for who asks later', async () => {
    await start()
    const heard = await overhear()
    const will = {
      topic: 'v1/devices/G001/birth',
      payload: Buffer.from('offline'),
      qos: 1,
      retain: true,
    } as const
    const board = await connectBoard('G001', { will })
    await board.publishAsync('v1/devices/G001/birth', 'here', { qos: 1, retain: true })
    board.stream.destroy()
    await vi.waitFor(() =>
      expect(heard).toEqual(['v1/devices/G001/birth here', 'v1/devices/G001/birth offline']),
    )
    const later: string[] = []
    const gateway = await connectGateway({ clientId: 'gateway-later' })
    gateway.on('message', (_topic, payload, { retain }) => later.push(`${retain} ${payload.toString()}`))
    await gateway.subscribeAsync('v1/devices/+/birth', { qos: 1 })
    await vi.waitFor(() => expect(later).toEqual(['true offline']))
  })

  it('can have its kept message taken back', async () => {
    await start()
    const board = await connectBoard('G001')
    const gateway = await connectGateway()
    const kept: string[] = []
    gateway.on('message', (_topic, payload) => kept.push(payload.toString()))
    await board.publishAsync('v1/devices/G001/birth', 'here', { qos: 1, retain: true })
    await gateway.subscribeAsync('v1/devices/G001/birth', { qos: 1 })
    await vi.waitFor(() => expect(kept).toEqual(['here']))
    await gateway.unsubscribeAsync('v1/devices/G001/birth')
    await gateway.publishAsync('v1/devices/G001/birth', '', { qos: 1, retain: true })
    await gateway.subscribeAsync(['v1/devices/G001/birth', 'v1/devices/G001/log'], { qos: 1 })
    await board.publishAsync('v1/devices/G001/log', 'next', { qos: 1 })
    await vi.waitFor(() => expect(kept).toEqual(['here', 'next']))
  })

  it('finds no commands that were meant for it while it was away', async () => {
    await start()
    const board = await connectBoard('G001', { clean: false })
    await board.subscribeAsync('v1/devices/G001/command', { qos: 1 })
    await board.endAsync()
    const gateway = await connectGateway()
    await gateway.publishAsync('v1/devices/G001/command', 'stale', { qos: 1 })
    const commands: string[] = []
    const again = await connectBoard('G001', { clean: false })
    again.on('message', (_topic, payload) => commands.push(payload.toString()))
    await again.subscribeAsync('v1/devices/G001/command', { qos: 1 })
    await gateway.publishAsync('v1/devices/G001/command', 'fresh', { qos: 1 })
    await vi.waitFor(() => expect(commands).toEqual(['fresh']))
  })
})

describe('limits', () => {
  it('closes a connection that announces a packet too large, before it is sent', async () => {
    await start()
    const socket = net.connect(broker.port, '127.0.0.1')
    socket.write(Buffer.from([0x10, 0xff, 0xff, 0x7f]))
    await expect(closed(socket)).resolves.toBe(true)
  })

  it('closes a connection that sends a payload too large', async () => {
    await start({ packetBytes: 500 })
    const board = await connectBoard('G001')
    const lost = closed(board)
    board.publish('v1/devices/G001/log', 'x'.repeat(600))
    await expect(lost).resolves.toBe(true)
  })

  it('closes a connection that floods it, and leaves the others alone', async () => {
    await start({ packetsPerSecond: 10, burstPackets: 30 })
    const heard = await overhear()
    const calm = await connectBoard('G002')
    const board = await connectBoard('G001')
    const lost = closed(board)
    for (let message = 0; message < 200; message++) board.publish('v1/devices/G001/log', `${message}`)
    await lost
    await calm.publishAsync('v1/devices/G002/log', 'calm', { qos: 1 })
    await vi.waitFor(() => expect(heard).toContain('v1/devices/G002/log calm'))
    expect(heard.length).toBeLessThanOrEqual(31)
  })

  it('takes no more connections than it may, and takes them again when some left', async () => {
    await start({ connections: 1 })
    const board = await connectBoard('G001')
    await expect(connectBoard('G002')).rejects.toThrow('closed')
    await board.endAsync()
    await vi.waitFor(() => expect(broker.connectionCount()).toBe(0))
    expect((await connectBoard('G002')).connected).toBe(true)
  })

  it('closes a connection that does not say who it is', async () => {
    await start({ loginMs: 50 })
    await expect(closed(net.connect(broker.port, '127.0.0.1'))).resolves.toBe(true)
  })

  it('closes a connection that is silent for too long', async () => {
    await start({ silenceMs: 100 })
    const board = await connectBoard('G001', { keepalive: 0 })
    await expect(closed(board)).resolves.toBe(true)
  })

  it('survives thousands of messages that nobody listens to, waiting behind others', async () => {
    await start()
    let count = 0
    const listener = await connectGateway()
    listener.on('message', () => count++)
    await listener.subscribeAsync('heard', { qos: 0 })
    const names = Array.from({ length: 8 }, (_, number) => `gateway-${number}`)
    const speakers = await Promise.all(names.map((clientId) => connectGateway({ clientId })))
    const messages = (topic: string, number: number) =>
      Array.from({ length: number }, () => Buffer.concat([Buffer.of(0x30, 7, 0, 5), Buffer.from(topic)]))
    const bytes = Buffer.concat([...messages('heard', 300), ...messages('other', 2500)])
    for (const { stream } of speakers) stream.write(bytes)
    await vi.waitFor(() => expect(count).toBe(2400), 20_000)
    await Promise.all(speakers.map((speaker) => speaker.publishAsync('heard', 'still here', { qos: 1 })))
    await vi.waitFor(() => expect(count).toBe(2408), 20_000)
  })

  it('survives broken packets', async () => {
    await start()
    const calm = await connectBoard('G002')
    const cutOff = Buffer.from('101a00044d5154540402003c0004473030310004473030310003', 'hex')
    const broken = [
      Buffer.from([0xf0, 0x00]),
      Buffer.from([0x30, 0x02, 0x00, 0x00]),
      Buffer.from([0x82, 0x00]),
      Buffer.from([0xc0, 0x00]),
      Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff]),
      cutOff,
      ...Array.from({ length: 200 }, (_, seed) => mutate(cutOff, seed)),
      ...Array.from({ length: 200 }, () => randomBytes(40)),
    ]
    await Promise.all(
      broken.map(async (bytes) => {
        const socket = net.connect(broker.port, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.end(bytes)
        await closed(socket.resume())
      }),
    )
    await calm.publishAsync('v1/devices/G002/log', 'still here', { qos: 1 })
    expect(calm.connected).toBe(true)
  })

  it('survives broken packets of a board that is logged in', async () => {
    await start()
    const calm = await connectBoard('G002')
    for (let seed = 0; seed < 40; seed++) {
      const board = await connectBoard('G001')
      const publish = Buffer.from([
        0x32,
        0x1b,
        0x00,
        0x15,
        ...Buffer.from('v1/devices/G001/event'),
        0,
        1,
        0x7b,
        0x7d,
      ])
      board.stream.write(mutate(publish, seed))
      board.stream.end()
      await closed(board)
    }
    await calm.publishAsync('v1/devices/G002/log', 'still here', { qos: 1 })
    expect(calm.connected).toBe(true)
  })
})

describe('a connection within the process', () => {
  it('hears what a board says, which is confirmed to the board only when it is acknowledged', async () => {
    await start()
    const heard: MqttMessage[] = []
    broker.connect((message) => heard.push(message))
    const board = await connectBoard('G001')
    let isConfirmed = false
    const saying = board.publishAsync('v1/devices/G001/status', 'one', { qos: 1 })
    void saying.then(() => (isConfirmed = true))
    await vi.waitFor(() => expect(heard).toHaveLength(1))
    expect(heard[0]).toMatchObject({ topic: 'v1/devices/G001/status', payload: Buffer.from('one') })
    // What another board says passes meanwhile.
    const other = (await connectBoard('G002')).publishAsync('v1/devices/G002/status', 'two', { qos: 1 })
    await vi.waitFor(() => expect(heard).toHaveLength(2))
    heard[1]?.acknowledge()
    await other
    expect(isConfirmed).toBe(false)
    heard[0]?.acknowledge()
    await saying
  })

  it('hears last wills, and nothing that other processes of ours say', async () => {
    await start()
    const heard: string[] = []
    broker.connect(({ topic, acknowledge }) => {
      heard.push(topic)
      acknowledge()
    })
    const gateway = await connectGateway()
    await gateway.publishAsync('v1/devices/G001/command', 'told', { qos: 1 })
    const will = {
      topic: 'v1/devices/G001/birth',
      payload: Buffer.from('gone'),
      qos: 1,
      retain: true,
    } as const
    const board = await connectBoard('G001', { will })
    board.stream.destroy()
    await vi.waitFor(() => expect(heard).toEqual(['v1/devices/G001/birth']))
  })

  it('speaks to the board that a message is for, as long as it is there', async () => {
    await start()
    const connection = broker.connect(({ acknowledge }) => acknowledge())
    const tell = () => connection.publish('v1/devices/G001/command', 'start', 30)
    await expect(tell()).rejects.toThrow(BrokerAwayError)
    const board = await connectBoard('G001')
    await board.subscribeAsync('v1/devices/G001/command', { qos: 1 })
    const told = new Promise((resolve) =>
      board.once('message', (_topic, payload) => resolve(String(payload))),
    )
    await tell()
    expect(await told).toBe('start')
    board.stream.destroy()
    await vi.waitFor(() => expect(tell()).rejects.toThrow('nobody listens'))
  })
})

it('a board may use nothing but its own topics', () => {
  const { mayPublish, maySubscribe } = boardAccess('G001')
  expect([mayPublish('v1/devices/G001/ack'), maySubscribe('v1/devices/G001/command')]).toEqual([true, true])
  expect([mayPublish('v1/devices/G001/command'), maySubscribe('v1/devices/G001/ack')]).toEqual([false, false])
})

/** The same bytes with some of them changed, in a way that can be repeated. */
function mutate(bytes: Buffer, seed: number): Buffer {
  const mutated = Buffer.from(bytes)
  for (let change = 0; change <= seed % 4; change++) {
    mutated.writeUInt8((seed * 37 + change * 101) % 256, (seed * 7 + change * 13) % bytes.length)
  }
  return mutated
}
