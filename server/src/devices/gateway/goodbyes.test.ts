import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestBroker } from '../../testing/test-broker.ts'
import { connectGateway } from './connect-gateway.ts'
import { createGateway, type Gateway } from './gateway.ts'

const log = pino({ level: 'silent' })
const test = createTestBroker()
let gateway: Gateway
/** What was handed over, in order. */
let heard: string[]

beforeEach(async () => {
  heard = []
  await test.start()
  await startGateway()
})
afterEach(async () => {
  await gateway.stop()
  await test.stop()
})

async function startGateway({ isSharing = true } = {}): Promise<void> {
  const broker = { url: test.broker().url, gatewayPassword: 'secret of the gateway' }
  const connect = connectGateway(broker, { instanceName: 'one', log })
  gateway = createGateway({
    // As at a broker that gives part of the reports to other gateways.
    connect: (...given) => ({ ...connect(...given), isSharing: () => isSharing }),
    instanceName: 'one',
    now: () => new Date(),
    log,
    onBirth: async ({ sid, isRetained }) => void heard.push(`${sid} birth${isRetained ? ' of before' : ''}`),
    onOffline: async ({ sid, isRetained }) =>
      void heard.push(`${sid} goodbye${isRetained ? ' of before' : ''}`),
    onStatusBatch: async () => undefined,
    onAck: async () => undefined,
    onEvent: async () => undefined,
  })
  await gateway.whenReady()
}

/** A board that says its birth whenever it is asked. */
async function connectBoard(sid: string) {
  const board = await test.connectBoard(sid)
  const state = { bootId: 'b1', signal: 4, network: 'wifi' }
  const say = (report: object) =>
    board.publishAsync(`v1/devices/${sid}/birth`, JSON.stringify({ v: 1, ...report }), {
      qos: 1,
      retain: true,
    })
  const sayBirth = () => say({ online: true, firmware: '1', model: 'M', ...state })
  const asked: string[] = []
  let isTold = false
  board.on('message', (_topic, payload) => {
    const { kind, id } = JSON.parse(payload.toString()) as { kind: string; id: string }
    if (kind === 'stop') isTold = true
    if (kind !== 'identify') return
    asked.push(id)
    void sayBirth()
  })
  await board.subscribeAsync(`v1/devices/${sid}/command`, { qos: 1 })
  return {
    asked,
    sayBirth,
    sayGoodbye: () => say({ online: false, bootId: 'b1' }),
    /** Sends it something else: whatever it was asked for has come to it before. */
    async untilTold() {
      const at = Math.floor(Date.now() / 1000)
      const stop = { v: 1, id: 'c1', at, ttlSeconds: 30, kind: 'stop', commandId: '' } as const
      await gateway.sendCommand(sid, stop)
      await expect.poll(() => isTold).toBe(true)
    },
  }
}

describe('a goodbye', () => {
  it('of a line that was lost, heard after the board is back, makes nobody offline who is there', async () => {
    const board = await connectBoard('G001')
    await board.sayBirth()
    await board.sayGoodbye()
    await expect.poll(() => heard).toEqual(['G001 birth', 'G001 goodbye', 'G001 birth'])
    await board.sayGoodbye()
    await expect.poll(() => heard).toHaveLength(5)
    // A board does no command twice.
    expect(new Set(board.asked).size).toBe(2)
  })

  it('is the last word where one gateway hears all in order', async () => {
    await gateway.stop()
    await startGateway({ isSharing: false })
    const board = await connectBoard('G001')
    await board.sayBirth()
    await board.sayGoodbye()
    await expect.poll(() => heard).toEqual(['G001 birth', 'G001 goodbye'])
    await board.untilTold()
    expect(board.asked).toEqual([])
  })

  it('that the broker kept from before asks for nothing', async () => {
    await gateway.stop()
    const board = await connectBoard('G002')
    await board.sayGoodbye()
    await startGateway()
    await expect.poll(() => heard).toEqual(['G002 goodbye of before'])
    await board.untilTold()
    expect(board.asked).toEqual([])
  })
})
