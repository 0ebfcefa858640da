import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { createTestBroker } from '../testing/test-broker.ts'
import { connectMqtt, type MqttConnection } from './mqtt.ts'

const test = createTestBroker()
let connection: MqttConnection
afterEach(async () => {
  await connection.stop()
  await test.stop()
})

it('a connection whose subscriptions were refused for a while hears boards as soon as it may', async () => {
  let mayHear = false
  await test.start({}, async () => ({
    mayPublish: () => true,
    maySubscribe: () => mayHear,
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
  await sleep(1000)
  expect(connection.isReady()).toBe(false)
  mayHear = true
  await expect.poll(() => connection.isReady()).toBe(true)
  const board = await test.connectBoard('G001')
  await board.publishAsync('v1/devices/G001/status', 'one', { qos: 1 })
  await expect.poll(() => heard).toEqual(['v1/devices/G001/status'])
})
