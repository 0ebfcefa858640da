import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { startSimulatedChairs, type SimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import { createBrokerLogin } from '@chairside/server/devices/gateway/broker-access'
import { connectGateway } from '@chairside/server/devices/gateway/connect-gateway'
import {
  createGateway,
  type Gateway,
  type ReceivedAck,
  type ReceivedBirth,
  type ReceivedEvent,
  type ReceivedOffline,
  type ReceivedStatus,
} from '@chairside/server/devices/gateway/gateway'
import { startEmbeddedBroker, type EmbeddedBroker } from '@chairside/server/kit/embedded-broker'
import { freePorts } from '@chairside/server/testing/free-ports'

/* The simulated chairs and the gateway were written apart, from one protocol: here they meet. */

const log = pino({ level: 'silent' })
const sids = Array.from({ length: 50 }, (_, number) => `G${1000 + number}`)
const patience = { timeout: 60_000, interval: 50 }
const gatewayPassword = 'secret of the gateway'

let broker: EmbeddedBroker
let gateway: Gateway
let chairs: SimulatedChairs
let births: ReceivedBirth[]
let statuses: ReceivedStatus[]
let acks: ReceivedAck[]
let events: ReceivedEvent[]
let offlines: ReceivedOffline[]

async function startBroker(port: number): Promise<void> {
  const authenticate = createBrokerLogin({
    gatewayPassword,
    checkBoard: async (sid, password) => password === `${sid}'s own`,
    refusalPauseMs: 20,
  })
  broker = await startEmbeddedBroker({ host: '127.0.0.1', port, authenticate, log })
}

beforeEach(async () => {
  births = []
  statuses = []
  acks = []
  events = []
  offlines = []
  const [port = 0] = await freePorts(1)
  await startBroker(port)
  gateway = createGateway({
    connect: connectGateway({ url: broker.url, gatewayPassword }, { instanceName: 'test', log }),
    instanceName: 'test',
    now: () => new Date(),
    log,
    onBirth: async (received) => void births.push(received),
    onStatusBatch: async (received) => void statuses.push(...received),
    onAck: async (received) => void acks.push(received),
    onEvent: async (received) => void events.push(received),
    onOffline: async (received) => void offlines.push(received),
  })
  await gateway.whenReady()
  chairs = startSimulatedChairs({
    mqttUrl: broker.url,
    chairs: sids.map((sid) => ({ sid, password: `${sid}'s own`, model: 'M-9' })),
    timeFactor: 600,
    spreadMs: 100,
    heartbeatSeconds: 1,
    reconnectPauseMs: { shortest: 50, longest: 500 },
  })
  await vi.waitUntil(() => births.length === sids.length, patience)
})

afterEach(async () => {
  await chairs.stop()
  await gateway.stop()
  await broker.stop()
})

const nowSeconds = () => Math.floor(Date.now() / 1000)
const start = (sid: string, id: string) =>
  gateway.sendCommand(sid, {
    v: 1,
    id,
    at: nowSeconds(),
    ttlSeconds: 30,
    kind: 'start',
    durationSeconds: 300,
    control: { mode: 2, cycleMs: 100, dutyCycleMs: 50, count: 5, minutesPerPulse: 1 },
  })

it('understands everything that healthy chairs say', async () => {
  await Promise.all(sids.map((sid) => start(sid, `c-${sid}`)))
  await vi.waitFor(() => expect(acks).toHaveLength(sids.length), patience)
  await vi.waitFor(() => expect(new Set(statuses.map(({ sid }) => sid)).size).toBe(sids.length), patience)
  await vi.waitFor(() => expect(events).toHaveLength(2 * sids.length), patience)
  expect(acks.every(({ ack }) => ack.result === 'accepted')).toBe(true)
  const ended = events.filter(({ event }) => event.event === 'ended')
  expect(ended.map(({ sid }) => sid).toSorted()).toEqual(sids)
  expect(ended.every(({ event }) => event.event === 'ended' && event.deliveredSeconds === 300)).toBe(true)
  expect(Object.values(gateway.counts().dropped)).toEqual([0, 0, 0, 0])
})

it('starts a chair once, however often the command is sent', async () => {
  await Promise.all([1, 2, 3].map(() => start('G1000', 'c-once')))
  await vi.waitFor(() => expect(acks).toHaveLength(3), patience)
  await vi.waitFor(() => expect(events).toHaveLength(2), patience)
  expect(chairs.chair('G1000')).toMatchObject({ commandsDone: 1, pulses: 5 })
})

it('drops what broken chairs say and goes on with the others', async () => {
  chairs.setFaults({ share: 0.5 }, { isBroken: true })
  statuses = []
  await vi.waitFor(() => expect(gateway.counts().dropped.wrongShape).toBeGreaterThan(5), patience)
  await vi.waitFor(() => expect(statuses.some(({ sid }) => sid === 'G1049')).toBe(true), patience)
})

it('has everybody back when the broker was away, with what happened meanwhile', async () => {
  await start('G1000', 'c-through')
  await vi.waitFor(() => expect(acks).toHaveLength(1), patience)
  const { port } = broker
  await broker.stop()
  await vi.waitFor(() => expect(chairs.chair('G1000').running).toBeNull(), patience)
  births = []
  await startBroker(port)
  await vi.waitFor(() => expect(new Set(births.map(({ sid }) => sid)).size).toBe(sids.length), patience)
  // An event sent while nobody listened is lost; the birth, which the broker keeps, tells of the end.
  expect(births.find(({ sid }) => sid === 'G1000')?.birth.ended).toEqual({
    commandId: 'c-through',
    deliveredSeconds: 300,
  })
})

it('hears that chairs are gone and that they are back after a storm', async () => {
  births = []
  chairs.stormReconnect(1)
  await vi.waitFor(() => expect(births).toHaveLength(sids.length), patience)
  await vi.waitFor(() => expect(offlines).toHaveLength(sids.length), patience)
  expect(chairs.connectedCount()).toBe(sids.length)
})
