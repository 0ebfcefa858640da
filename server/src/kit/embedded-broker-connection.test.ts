import { afterEach, describe, expect, it } from 'vitest'
import { createTestBroker } from '../testing/test-broker.ts'
import { BrokerAwayError, type MqttMessage } from './mqtt.ts'

const test = createTestBroker()
afterEach(() => test.stop())

describe('a connection within the process', () => {
  it('hears what a board says, which is confirmed to the board only when it is acknowledged', async () => {
    await test.start()
    const heard: MqttMessage[] = []
    test.broker().connect((message) => heard.push(message))
    const board = await test.connectBoard('G001')
    let isConfirmed = false
    const saying = board.publishAsync('v1/devices/G001/status', 'one', { qos: 1 })
    void saying.then(() => (isConfirmed = true))
    await expect.poll(() => heard).toHaveLength(1)
    expect(heard[0]).toMatchObject({ topic: 'v1/devices/G001/status', payload: Buffer.from('one') })
    // What another board says passes meanwhile.
    const other = (await test.connectBoard('G002')).publishAsync('v1/devices/G002/status', 'two', { qos: 1 })
    await expect.poll(() => heard).toHaveLength(2)
    heard[1]?.acknowledge()
    await other
    expect(isConfirmed).toBe(false)
    heard[0]?.acknowledge()
    await saying
  })

  it('hears last wills, and nothing that other processes of ours say', async () => {
    await test.start()
    const heard: string[] = []
    test.broker().connect(({ topic, acknowledge }) => {
      heard.push(topic)
      acknowledge()
    })
    const gateway = await test.connectGateway()
    await gateway.publishAsync('v1/devices/G001/command', 'told', { qos: 1 })
    const will = {
      topic: 'v1/devices/G001/birth',
      payload: Buffer.from('gone'),
      qos: 1,
      retain: true,
    } as const
    const board = await test.connectBoard('G001', { will })
    board.stream.destroy()
    await expect.poll(() => heard).toEqual(['v1/devices/G001/birth'])
  })

  it('speaks to the board that a message is for, as long as it is there', async () => {
    await test.start()
    const connection = test.broker().connect(({ acknowledge }) => acknowledge())
    const tell = () => connection.publish('v1/devices/G001/command', 'start', 30)
    await expect(tell()).rejects.toThrow(BrokerAwayError)
    const board = await test.connectBoard('G001')
    await board.subscribeAsync('v1/devices/G001/command', { qos: 1 })
    const told = new Promise((resolve) =>
      board.once('message', (_topic, payload) => resolve(String(payload))),
    )
    await tell()
    expect(await told).toBe('start')
    board.stream.destroy()
    await expect.poll(() => tell().catch(String)).toContain('nobody listens')
  })

  it('does not take who was refused a topic for one who listens to it', async () => {
    await test.start()
    const connection = test.broker().connect(() => undefined)
    const board = await test.connectBoard('G001')
    await expect(board.subscribeAsync('v1/devices/G002/command')).rejects.toThrow('Subscribe error')
    await expect(connection.publish('v1/devices/G002/command', 'go', 60)).rejects.toThrow('nobody listens')
    await board.subscribeAsync('v1/devices/G001/command')
    await connection.publish('v1/devices/G001/command', 'go', 60)
  })
})
