import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startEmbeddedBroker, type EmbeddedBroker } from '../../kit/embedded-broker.ts'
import { BrokerAwayError } from '../../kit/mqtt.ts'
import { freePorts } from '../../testing/free-ports.ts'
import { createBrokerLogin } from './broker-access.ts'
import { connectGateway } from './connect-gateway.ts'
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  type ReceivedAck,
  type ReceivedBirth,
  type ReceivedEvent,
  type ReceivedOffline,
  type ReceivedStatus,
} from './gateway.ts'

const log = pino({ level: 'silent' })
const gatewayPassword = 'secret of the gateway'
const status = { v: 1, bootId: 'b1', signal: 4, network: 'wifi' }
const birth = { ...status, online: true, firmware: '1.2.0', model: 'M-9' }

let broker: EmbeddedBroker
let gateway: Gateway
let boards: MqttClient[] = []
/** What the gateway handed over, in order. */
let births: ReceivedBirth[]
let batches: ReceivedStatus[][]
let acks: ReceivedAck[]
let events: ReceivedEvent[]
let offlines: ReceivedOffline[]

beforeEach(async () => {
  births = []
  batches = []
  acks = []
  events = []
  offlines = []
  await startBroker(0)
})

afterEach(async () => {
  for (const board of boards) board.end(true)
  boards = []
  await gateway.stop()
  await broker.stop()
})

async function startBroker(port: number): Promise<void> {
  broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port,
    log,
    limits: { packetsPerSecond: 100_000, burstPackets: 100_000 },
    authenticate: createBrokerLogin({ gatewayPassword, checkBoard: async () => true }),
  })
}

async function startGateway(options: Partial<GatewayOptions> = {}): Promise<void> {
  gateway = createGateway({
    connect: connectGateway({ url: broker.url, gatewayPassword }, { instanceName: 'test', log }),
    instanceName: 'test',
    now: () => new Date(),
    log,
    onBirth: async (received) => void births.push(received),
    onStatusBatch: async (received) => void batches.push(received),
    onAck: async (received) => void acks.push(received),
    onEvent: async (received) => void events.push(received),
    onOffline: async (received) => void offlines.push(received),
    ...options,
  })
  await gateway.whenReady()
}

async function connectBoard(sid: string, options: IClientOptions = {}): Promise<MqttClient> {
  const board = await mqtt.connectAsync(broker.url, {
    clientId: sid,
    username: sid,
    password: 'its own',
    protocolVersion: 4,
    reconnectPeriod: 0,
    ...options,
  })
  board.on('error', () => undefined)
  boards.push(board)
  return board
}

const say = (board: MqttClient, channel: string, report: object | string, retain = false) =>
  board.publishAsync(
    `v1/devices/${board.options.clientId}/${channel}`,
    typeof report === 'string' ? report : JSON.stringify(report),
    { qos: 1, retain },
  )

describe('reports of boards', () => {
  it('hands over a birth with everything the board tells of itself', async () => {
    await startGateway()
    await say(await connectBoard('G001'), 'birth', { ...birth, colour: 'unknown fields are ignored' }, true)
    await expect.poll(() => births).toHaveLength(1)
    expect(births[0]).toEqual({
      sid: 'G001',
      receivedAt: expect.any(Date),
      isRetained: false,
      birth: { ...birth, running: null, ended: null, trouble: '' },
    })
  })

  it('learns the births of before from the broker when it starts, marked as such', async () => {
    await startGateway()
    await say(await connectBoard('G001'), 'birth', birth, true)
    await expect.poll(() => births).toHaveLength(1)
    await gateway.stop()
    await startGateway()
    await expect.poll(() => births).toMatchObject([{ isRetained: false }, { isRetained: true }])
  })

  it('hands over that a board is gone when its connection breaks', async () => {
    await startGateway()
    const offline = { v: 1, online: false, bootId: 'b1' }
    const will = {
      topic: 'v1/devices/G001/birth',
      payload: Buffer.from(JSON.stringify(offline)),
      qos: 1,
      retain: true,
    }
    const board = await connectBoard('G001', { will: { ...will, qos: 1 } })
    await say(board, 'birth', birth, true)
    board.stream.destroy()
    await expect.poll(() => offlines).toMatchObject([{ sid: 'G001', bootId: 'b1', isRetained: false }])
  })

  it('hands over acknowledgements and events one by one, in the order of the board', async () => {
    await startGateway()
    const board = await connectBoard('G001')
    await say(board, 'ack', { v: 1, id: 'c1', result: 'accepted' })
    await say(board, 'event', { v: 1, event: 'started', commandId: 'c1' })
    await say(board, 'event', {
      v: 1,
      event: 'ended',
      commandId: 'c1',
      deliveredSeconds: 600,
      ageSeconds: 30,
    })
    await say(board, 'event', { v: 1, event: 'trouble', code: 'E4' })
    await expect.poll(() => events).toHaveLength(3)
    expect(acks).toMatchObject([{ sid: 'G001', ack: { id: 'c1', result: 'accepted', reason: '' } }])
    expect(events.map(({ event }) => event.event)).toEqual(['started', 'ended', 'trouble'])
    expect(events[1]?.event).toMatchObject({ deliveredSeconds: 600, reason: 'time' })
    expect(Date.now() - Number(events[1]?.happenedAt)).toBeGreaterThanOrEqual(30_000)
  })

  it('gathers heartbeats of many boards into one call, the newest of each', async () => {
    await startGateway({ batch: { flushMs: 60_000, flushRows: 500 } })
    const sids = Array.from({ length: 40 }, (_, number) => `G${100 + number}`)
    const all = await Promise.all(sids.map((sid) => connectBoard(sid)))
    await Promise.all(
      all.flatMap((board) => [1, 3].map((signal) => say(board, 'status', { ...status, signal }))),
    )
    await expect.poll(() => gateway.counts().received.status).toBe(80)
    await gateway.stop()
    expect(batches.map((batch) => batch.map(({ sid }) => sid).toSorted())).toEqual([sids])
    expect(batches.flat().filter(({ status: { signal } }) => signal === 3)).toHaveLength(40)
  })

  it('stores a full batch without waiting', async () => {
    await startGateway({ batch: { flushMs: 60_000, flushRows: 5 } })
    const all = await Promise.all(['G1', 'G2', 'G3', 'G4', 'G5'].map((sid) => connectBoard(sid)))
    await Promise.all(all.map((board) => say(board, 'status', status)))
    await expect.poll(() => batches.map((batch) => batch.length)).toEqual([5])
  })

  it('stores the heartbeats of a board before what it says next', async () => {
    const order: string[] = []
    await startGateway({
      batch: { flushMs: 60_000, flushRows: 500 },
      onStatusBatch: async (rows) =>
        void order.push(...rows.map(({ status: { signal } }) => `signal ${signal}`)),
      onEvent: async ({ event }) => void order.push(event.event),
    })
    const board = await connectBoard('G001')
    await say(board, 'status', { ...status, signal: 1 })
    await say(board, 'event', { v: 1, event: 'trouble', code: 'E4' })
    await say(board, 'status', { ...status, signal: 2 })
    await say(board, 'event', { v: 1, event: 'trouble', code: '' })
    await expect.poll(() => order).toEqual(['signal 1', 'trouble', 'signal 2', 'trouble'])
  })
})

describe('messages that are not in order', () => {
  it.each([
    ['notJson', 'status', '{"v":1,'],
    ['notJson', 'event', '\u0000\uFFFF'],
    ['wrongShape', 'status', JSON.stringify({ ...status, signal: 6 })],
    ['wrongShape', 'status', JSON.stringify({ ...status, v: 2 })],
    ['wrongShape', 'ack', JSON.stringify({ v: 1, id: "'; drop table", result: 'accepted' })],
    ['wrongShape', 'event', JSON.stringify({ v: 1, event: 'ended', commandId: 'c1', deliveredSeconds: -1 })],
    ['wrongShape', 'birth', JSON.stringify([birth])],
    ['wrongShape', 'birth', 'null'],
    ['tooLarge', 'log', JSON.stringify({ v: 1, text: 'x'.repeat(1100) })],
  ])('counts and drops %s on %s (case %#)', async (reason, channel, payload) => {
    await startGateway()
    const board = await connectBoard('G001')
    await say(board, channel, payload)
    await say(board, 'ack', { v: 1, id: 'c1', result: 'accepted' })
    await expect.poll(() => acks).toHaveLength(1)
    expect(gateway.counts().dropped).toMatchObject({ [reason]: 1 })
    expect([births, batches, events, offlines].flat()).toEqual([])
  })

  it('counts and drops what comes from no possible device', async () => {
    await startGateway()
    const stranger = await connectBoard('gateway-other', { username: 'gateway', password: gatewayPassword })
    await stranger.publishAsync('v1/devices/x001/ack', JSON.stringify({ v: 1, id: 'c1', result: 'accepted' }))
    await expect.poll(() => gateway.counts().dropped.foreignTopic).toBe(1)
    expect(acks).toEqual([])
  })
})

describe('handlers that fail', () => {
  it('asks again until a report is stored, in order, without holding up other boards', async () => {
    let failures = 0
    const order: string[] = []
    await startGateway({
      async onEvent({ sid, event }) {
        const isAway = failures < 2 || !order.includes('G002 trouble')
        if (sid === 'G001' && isAway) {
          failures++
          throw new Error('the database is away')
        }
        order.push(`${sid} ${event.event}`)
      },
    })
    const [one, two] = [await connectBoard('G001'), await connectBoard('G002')]
    await say(one, 'event', { v: 1, event: 'started', commandId: 'c1' })
    await say(one, 'event', { v: 1, event: 'trouble', code: 'E4' })
    await say(two, 'event', { v: 1, event: 'trouble', code: 'E4' })
    await expect.poll(() => order).toEqual(['G002 trouble', 'G001 started', 'G001 trouble'])
  })

  it('keeps heartbeats until they are stored, and of each board only the newest', async () => {
    let isAway = true
    let tried = 0
    await startGateway({
      async onStatusBatch(rows) {
        tried = rows.at(-1)?.status.signal ?? 0
        if (isAway) throw new Error('the database is away')
        batches.push(rows)
      },
    })
    const board = await connectBoard('G001')
    for (const signal of [1, 2, 3]) {
      await say(board, 'status', { ...status, signal })
      await expect.poll(() => tried).toBe(signal)
    }
    expect(gateway.counts().received.status).toBe(3)
    isAway = false
    await expect.poll(() => batches).toMatchObject([[{ sid: 'G001', status: { signal: 3 } }]])
  })
})

describe('commands', () => {
  const stop = { v: 1, id: 'c9', at: 1_800_000_000, ttlSeconds: 30, kind: 'stop', commandId: '' } as const

  async function connectListening(sid: string): Promise<{ board: MqttClient; heard: unknown[] }> {
    const board = await connectBoard(sid)
    const heard: unknown[] = []
    board.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())))
    await board.subscribeAsync(`v1/devices/${sid}/command`, { qos: 1 })
    return { board, heard }
  }

  it('reach the board they are for and no other', async () => {
    await startGateway()
    const [one, two] = [await connectListening('G001'), await connectListening('G002')]
    await gateway.sendCommand('G001', stop)
    await expect.poll(() => one.heard).toEqual([stop])
    expect(two.heard).toEqual([])
  })

  it('tell the time after each birth', async () => {
    await startGateway()
    const { board, heard } = await connectListening('G001')
    await say(board, 'birth', birth, true)
    await expect.poll(() => heard).toMatchObject([{ kind: 'time', v: 1 }])
    const [{ at }] = heard as [{ at: number }]
    expect(Math.abs(Date.now() / 1000 - at)).toBeLessThan(60)
  })

  it('are refused when they are too large for a board', async () => {
    await startGateway()
    const wifi = { ...stop, kind: 'wifi', ssid: 's', password: 'x'.repeat(3000) } as const
    await expect(gateway.sendCommand('G001', wifi)).rejects.toThrow(RangeError)
  })

  it('fail at once while the broker is away', async () => {
    await startGateway()
    await broker.stop()
    await expect.poll(() => gateway.isReady()).toBe(false)
    await expect(gateway.sendCommand('G001', stop)).rejects.toThrow(BrokerAwayError)
  })
})

it('comes back when the broker was away', async () => {
  await broker.stop()
  const [port = 0] = await freePorts(1)
  await startBroker(port)
  await startGateway()
  await broker.stop()
  await expect.poll(() => gateway.isReady()).toBe(false)
  await startBroker(port)
  await expect.poll(() => gateway.isReady()).toBe(true)
  await say(await connectBoard('G001'), 'ack', { v: 1, id: 'c1', result: 'refused', reason: 'busy' })
  await expect.poll(() => acks).toMatchObject([{ ack: { result: 'refused', reason: 'busy' } }])
})

it('finishes what it received before it stops', async () => {
  await startGateway({ batch: { flushMs: 60_000, flushRows: 500 } })
  await say(await connectBoard('G001'), 'status', status)
  await expect.poll(() => gateway.counts().received.status).toBe(1)
  await gateway.stop()
  expect(batches.flat()).toHaveLength(1)
})
