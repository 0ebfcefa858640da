import { randomInt } from 'node:crypto'
import net from 'node:net'

import { Aedes } from 'aedes'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import {
  startSimulatedChairs,
  type SimulatedChairs,
  type SimulatedChairsOptions,
} from './simulated-chairs.ts'

interface Said {
  sid: string
  channel: string
  report: Record<string, unknown>
}

let broker: { port: number; stop(): Promise<void> }
let operator: MqttClient
let chairs: SimulatedChairs | undefined
/** Everything the chairs say. */
let said: Said[]

beforeEach(async () => {
  said = []
  chairs = undefined
  broker = await startBroker(0)
  operator = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    protocolVersion: 4,
    reconnectPeriod: 50,
    username: 'operator',
    password: 'right',
  })
  operator.on('message', (topic, payload) => {
    const [, , sid = '', channel = ''] = topic.split('/')
    if (channel !== 'command') said.push({ sid, channel, report: read(payload) })
  })
  await operator.subscribeAsync('v1/devices/#')
})

afterEach(async () => {
  await chairs?.stop()
  operator.end(true)
  await broker.stop()
})

function read(payload: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(payload.toString()) as Record<string, unknown>
  } catch {
    return { broken: payload.toString() }
  }
}

async function startBroker(port: number): Promise<{ port: number; stop(): Promise<void> }> {
  const aedes = await Aedes.createBroker({
    authenticate: (_client, _username, password, done) => done(null, password?.toString() === 'right'),
  })
  const server = net.createServer(aedes.handle)
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as net.AddressInfo).port,
    async stop() {
      await new Promise<void>((resolve) => aedes.close(resolve))
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A port below those that connections of others are given, so that it is free when its broker comes back. */
async function portForReturns(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    const isFree = await new Promise((resolve) => {
      const server = net.createServer().once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

async function start(
  sids: string[],
  options: Partial<SimulatedChairsOptions> = {},
): Promise<SimulatedChairs> {
  const started = startSimulatedChairs({
    mqttUrl: `mqtt://127.0.0.1:${broker.port}`,
    chairs: sids.map((sid) => ({ sid, password: 'right', model: 'M-9' })),
    timeFactor: 600,
    spreadMs: 0,
    reconnectPauseMs: { shortest: 20, longest: 200 },
    ...options,
  })
  chairs = started
  const areHere = () => sids.every((sid) => said.some((each) => each.sid === sid && each.channel === 'birth'))
  if (!options.faults) await vi.waitUntil(areHere, { timeout: 30_000 })
  return started
}

let commandNumber = 0
async function command(sid: string, fields: Record<string, unknown>): Promise<string> {
  const id = `c${++commandNumber}`
  const full = { v: 1, id, at: Math.floor(Date.now() / 1000), ttlSeconds: 30, ...fields }
  await operator.publishAsync(`v1/devices/${sid}/command`, JSON.stringify(full), { qos: 1 })
  return id
}
const startFor = (durationSeconds: number, control: object = { mode: 1 }) => ({
  kind: 'start',
  durationSeconds,
  control,
})

const heard = (channel: string) => said.filter((each) => each.channel === channel).map(({ report }) => report)
/** The first so many reports of a channel, when they have come. */
const soon = (channel: string, count: number) =>
  vi.waitUntil(() => heard(channel).length >= count && heard(channel), { timeout: 30_000 })

describe('a simulated chair', () => {
  it('tells its state when it connects and beats from then on', async () => {
    await start(['G001'], { heartbeatSeconds: 0.1 })
    expect(heard('birth')).toMatchObject([
      { v: 1, online: true, model: 'M-9', network: 'wifi', running: null, ended: null, trouble: '' },
    ])
    await expect.poll(() => heard('status').length).toBeGreaterThan(2)
  })

  it('starts, runs for the time it was told, and tells that it ended', async () => {
    const running = await start(['G001'])
    const id = await command('G001', startFor(300))
    expect(await soon('ack', 1)).toMatchObject([{ id, result: 'accepted' }])
    expect(await soon('event', 2)).toMatchObject([
      { event: 'started', commandId: id },
      { event: 'ended', commandId: id, deliveredSeconds: 300, reason: 'time' },
    ])
    expect(running.chair('G001')).toMatchObject({
      running: null,
      ended: { commandId: id, deliveredSeconds: 300 },
    })
  })

  it('stops when told, and says how much it gave', async () => {
    const running = await start(['G001'])
    const id = await command('G001', startFor(86_400))
    expect(await soon('ack', 1)).toMatchObject([{ id }])
    expect(running.chair('G001').running).toMatchObject({ commandId: id })
    const wrong = await command('G001', { kind: 'stop', commandId: 'another' })
    const right = await command('G001', { kind: 'stop', commandId: id })
    expect(await soon('ack', 3)).toMatchObject([
      { id },
      { id: wrong, result: 'refused', reason: 'notRunning' },
      { id: right, result: 'accepted' },
    ])
    await expect.poll(() => heard('event')).toHaveLength(2)
    expect(heard('event')[1]).toMatchObject({ event: 'ended', commandId: id, reason: 'stopped' })
    expect(heard('event')[1]?.['deliveredSeconds']).toBeLessThan(86_400)
  })

  it('gives the pulses or passes the payload on, as the control mode says', async () => {
    const running = await start(['G001', 'G002'])
    await command(
      'G001',
      startFor(60, { mode: 2, cycleMs: 100, dutyCycleMs: 50, count: 4, minutesPerPulse: 5 }),
    )
    await command('G002', startFor(60, { mode: 3, payload: 'AA55 01' }))
    await expect.poll(() => running.chair('G001').pulses).toBe(4)
    await expect.poll(() => running.chair('G002').passedThrough).toBe('AA55 01')
  })

  it('does a repeated command once and acknowledges it again', async () => {
    const running = await start(['G001'])
    const id = await command('G001', startFor(86_400))
    await command('G001', { ...startFor(86_400), id })
    expect(await soon('ack', 2)).toMatchObject([
      { id, result: 'accepted' },
      { id, result: 'accepted' },
    ])
    expect(running.chair('G001').commandsDone).toBe(1)
    expect(heard('event')).toHaveLength(1)
  })

  it.each([
    ['expired', startFor(60), { at: 1_700_000_000 }],
    ['badCommand', startFor(60, { mode: 2, cycleMs: 20, dutyCycleMs: 50, count: 1, minutesPerPulse: 1 }), {}],
    ['unsupported', { kind: 'dance' }, {}],
  ])('refuses what is %s', async (reason, fields, more) => {
    const running = await start(['G001'])
    const id = await command('G001', { ...fields, ...more })
    expect(await soon('ack', 1)).toMatchObject([{ id, result: 'refused', reason }])
    expect(running.chair('G001')).toMatchObject({ running: null, commandsDone: 0 })
  })

  it('is busy while it runs', async () => {
    await start(['G001'])
    await command('G001', startFor(86_400))
    const id = await command('G001', startFor(60))
    expect(await soon('ack', 2)).toMatchObject([
      { result: 'accepted' },
      { id, result: 'refused', reason: 'busy' },
    ])
  })

  it('tells what it gave when the power was lost', async () => {
    const running = await start(['G001'])
    const { bootId } = running.chair('G001')
    const id = await command('G001', startFor(86_400))
    expect(await soon('ack', 1)).toMatchObject([{ id }])
    running.losePower('G001')
    await expect.poll(() => heard('birth')).toHaveLength(3)
    expect(heard('birth')[1]).toEqual({ v: 1, online: false, bootId })
    expect(heard('birth')[2]).toMatchObject({ online: true, running: null, ended: { commandId: id } })
    expect(running.chair('G001').bootId).not.toBe(bootId)
  })
})

describe('faults', () => {
  it('a silent chair says nothing; a half silent one runs all the same', async () => {
    const running = await start(['G001', 'G002'])
    running.setFaults({ sid: 'G001' }, { silence: 'ignores' })
    running.setFaults({ sid: 'G002' }, { silence: 'runs' })
    await command('G001', startFor(86_400))
    const id = await command('G002', startFor(86_400))
    await expect.poll(() => running.chair('G002').running?.commandId).toBe(id)
    expect(running.chair('G001').running).toBeNull()
    expect([...heard('ack'), ...heard('event')]).toEqual([])
  })

  it('a late chair acknowledges late', async () => {
    const running = await start(['G001'])
    running.setFaults({ sid: 'G001' }, { ackDelayMs: 300 })
    const sentAtMs = performance.now()
    const id = await command('G001', startFor(86_400))
    expect(await soon('ack', 1)).toMatchObject([{ id }])
    expect(performance.now() - sentAtMs).toBeGreaterThanOrEqual(295)
  })

  it('a doubling chair says everything twice', async () => {
    const running = await start(['G001'])
    running.setFaults({ share: 1 }, { copies: 2 })
    const id = await command('G001', startFor(86_400))
    expect(await soon('ack', 2)).toMatchObject([{ id }, { id }])
    expect(await soon('event', 2)).toMatchObject([{ event: 'started' }, { event: 'started' }])
  })

  it('a broken chair says broken things', async () => {
    const running = await start(['G001'], { heartbeatSeconds: 0.05 })
    running.setFaults({ share: 1 }, { isBroken: true })
    // What it said before may still be on its way.
    const isBroken = (report: ReturnType<typeof heard>[number]) => report?.['v'] !== 1
    await expect.poll(() => heard('status').some(isBroken)).toBe(true)
    said = []
    await expect.poll(() => heard('status').length).toBeGreaterThan(3)
    expect(heard('status').every((report) => report?.['firmware'] === undefined)).toBe(true)
    expect(heard('status')).not.toContainEqual(expect.objectContaining({ v: 1, trouble: '' }))
  })

  it('a chair in trouble ends, tells it, and does not start', async () => {
    const running = await start(['G001'])
    const ran = await command('G001', startFor(86_400))
    expect(await soon('ack', 1)).toMatchObject([{ id: ran }])
    running.setFaults({ sid: 'G001' }, { trouble: 'E4' })
    expect(await soon('event', 3)).toMatchObject([
      { event: 'started' },
      { event: 'ended', reason: 'trouble' },
      { event: 'trouble', code: 'E4' },
    ])
    const id = await command('G001', startFor(60))
    expect(await soon('ack', 2)).toMatchObject([{ id: ran }, { id, result: 'refused', reason: 'trouble' }])
  })

  it('a chair with a wrong password stays outside until it has the right one', async () => {
    const running = await start(['G001'], { faults: { hasWrongPassword: true } })
    await expect.poll(() => running.counts().attempts).toBeGreaterThan(2)
    expect(running.counts().connected).toBe(0)
    running.setFaults({ sid: 'G001' }, { hasWrongPassword: false })
    await expect.poll(() => running.connectedCount()).toBe(1)
  })

  it('an offline chair is gone by its last will, ends by itself, and tells it when it is back', async () => {
    const running = await start(['G001'])
    const id = await command('G001', startFor(1200))
    expect(await soon('ack', 1)).toMatchObject([{ id }])
    running.setFaults({ sid: 'G001' }, { isOffline: true })
    await expect.poll(() => heard('birth')[1]).toMatchObject({ online: false })
    await expect.poll(() => running.chair('G001').running).toBeNull()
    expect(heard('event')).toHaveLength(1)
    running.setFaults({ sid: 'G001' }, { isOffline: false })
    expect(await soon('event', 2)).toMatchObject([
      { event: 'started' },
      { event: 'ended', deliveredSeconds: 1200 },
    ])
  })

  it('flapping chairs come and go', async () => {
    const running = await start(['G001'])
    running.setFaults({ share: 1 }, { flapMs: 50 })
    await expect.poll(() => running.counts().connected).toBeGreaterThan(3)
  })

  it('a storm brings all chairs back at once', async () => {
    const sids = Array.from({ length: 200 }, (_, number) => `G${1000 + number}`)
    const running = await start(sids)
    running.stormReconnect(1)
    await expect.poll(() => running.counts().connected).toBe(400)
    expect(running.connectedCount()).toBe(200)
  })

  it('chairs come back when the broker was away', async () => {
    await broker.stop()
    broker = await startBroker(await portForReturns())
    const running = await start(['G001', 'G002'], { faults: {} })
    await expect.poll(() => running.connectedCount()).toBe(2)
    const { port } = broker
    await broker.stop()
    await expect.poll(() => running.connectedCount()).toBe(0)
    broker = await startBroker(port)
    await expect.poll(() => running.connectedCount()).toBe(2)
  })
})
