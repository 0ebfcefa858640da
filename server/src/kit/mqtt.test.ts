import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { createTestBroker } from '../testing/test-broker.ts'
import { connectMqtt, type MqttConnection, type MqttConnectionOptions } from './mqtt.ts'

const test = createTestBroker()
let connection: MqttConnection
afterEach(async () => {
  await connection.stop()
  await test.stop()
})

/** Connects to a broker that a test plays, packet by packet. */
const connectTo = (broker: net.Server, heard: Pick<MqttConnectionOptions, 'onMessage' | 'log'>) =>
  connectMqtt({
    url: `mqtt://127.0.0.1:${(broker.address() as net.AddressInfo).port}`,
    clientId: 'gateway-test',
    username: 'gateway',
    password: 'any',
    filters: ['v1/devices/+/status'],
    shareGroup: 'chairside',
    ...heard,
  })

it('a connection whose subscriptions were refused for a while hears boards as soon as it may', async () => {
  let mayHear = false
  let refusals = 0
  await test.start({}, async () => ({
    mayPublish: () => true,
    maySubscribe() {
      if (!mayHear) refusals++
      return mayHear
    },
    isOurs: true,
  }))
  const heard: string[] = []
  connection = connectMqtt({
    url: test.broker().url,
    clientId: 'gateway-test',
    username: 'gateway',
    password: 'any',
    filters: ['v1/devices/+/status', 'v1/devices/+/birth'],
    shareGroup: 'chairside',
    onMessage({ topic, acknowledge }) {
      heard.push(topic)
      acknowledge()
    },
    log: pino({ level: 'silent' }),
  })
  // It asks again.
  await expect.poll(() => refusals).toBeGreaterThan(2)
  expect(connection.isReady()).toBe(false)
  mayHear = true
  await expect.poll(() => connection.isReady()).toBe(true)
  const board = await test.connectBoard('G001')
  await board.publishAsync('v1/devices/G001/status', 'one', { qos: 1 })
  await expect.poll(() => heard).toEqual(['v1/devices/G001/status'])
})

it('a connection that holds as many messages as it may still hears what else the broker says', async () => {
  const mostHeld = 10_000
  const broker = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (packet) => {
      const kind = (packet[0] ?? 0) >> 4
      if (kind === 1) socket.write(Buffer.from([0x20, 3, 0, 0, 0]))
      if (kind === 8) {
        socket.write(Buffer.from([0x90, 4, packet[2] ?? 0, packet[3] ?? 0, 0, 1]))
        const messages = Array.from({ length: mostHeld }, (_, index) => {
          const message = Buffer.from([0x32, 6, 0, 1, 0x74, 0, 0, 0])
          message.writeUInt16BE(index + 1, 5)
          return message
        })
        socket.write(Buffer.concat(messages))
      }
      // A command, on a topic of one letter.
      if (kind === 3 && packet[4] === 'c'.charCodeAt(0))
        socket.write(Buffer.from([0x40, 2, packet[5] ?? 0, packet[6] ?? 0]))
    })
  })
  await new Promise<void>((resolve) => void broker.listen(0, '127.0.0.1', resolve))
  let held = 0
  connection = connectTo(broker, {
    onMessage: () => void held++,
    log: pino({ level: 'silent' }),
  })
  await expect.poll(() => held).toBe(mostHeld)
  await connection.publish('c', '', 10)
  // One that the broker does not confirm is not waited for in the end.
  connection.publish('d', '', 10).catch(() => undefined)
  const stoppingAt = performance.now()
  await connection.stop()
  // Otherwise it is waited for as long as a confirmation may take.
  expect(performance.now() - stoppingAt).toBeLessThan(9000)
  await new Promise((resolve) => broker.close(resolve))
})

it('a connection that another one of its name pushed off says why, and does not push back at once', async () => {
  let connects = 0
  const broker = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (packet) => {
      const kind = (packet[0] ?? 0) >> 4
      if (kind === 1) {
        connects++
        socket.write(Buffer.from([0x20, 3, 0, 0, 0]))
      }
      // To the subscription the answer; then the end, since another one took the session over.
      if (kind === 8)
        socket.end(Buffer.from([0x90, 4, packet[2] ?? 0, packet[3] ?? 0, 0, 1, 0xe0, 2, 142, 0]))
    })
  })
  await new Promise<void>((resolve) => void broker.listen(0, '127.0.0.1', resolve))
  const lines: string[] = []
  connection = connectTo(broker, {
    onMessage: ({ acknowledge }) => acknowledge(),
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  })
  await expect.poll(() => lines.join('')).toMatch(/Another process took our name/)
  await sleep(1500)
  expect(connects).toBe(1)
  await connection.stop()
  await new Promise((resolve) => broker.close(resolve))
})
