import { randomBytes } from 'node:crypto'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { closed, createTestBroker } from '../testing/test-broker.ts'
import { isOfOwnNetwork } from './strangers.ts'

const test = createTestBroker()
afterEach(() => test.stop())

describe('limits', () => {
  it('closes a connection that announces a packet too large, before it is sent', async () => {
    await test.start()
    const socket = net.connect(test.broker().port, '127.0.0.1')
    socket.write(Buffer.from([0x10, 0xff, 0xff, 0x7f]))
    await expect(closed(socket)).resolves.toBe(true)
  })

  it('closes a connection that sends a payload too large', async () => {
    await test.start({ packetBytes: 500 })
    const board = await test.connectBoard('G001')
    const lost = closed(board)
    board.publish('v1/devices/G001/log', 'x'.repeat(600))
    await expect(lost).resolves.toBe(true)
  })

  it('closes a connection that floods it, and leaves the others alone', async () => {
    await test.start({ packetsPerSecond: 0.01, burstPackets: 30 })
    const heard = await test.overhear()
    const calm = await test.connectBoard('G002')
    const board = await test.connectBoard('G001')
    const lost = closed(board)
    for (let message = 0; message < 200; message++) board.publish('v1/devices/G001/log', `${message}`)
    await lost
    await calm.publishAsync('v1/devices/G002/log', 'calm', { qos: 1 })
    await expect.poll(() => heard).toContain('v1/devices/G002/log calm')
    expect(heard.length).toBeLessThanOrEqual(31)
  })

  it('takes no more connections than it may, and takes them again when some left', async () => {
    await test.start({ connections: 1 })
    const board = await test.connectBoard('G001')
    await expect(test.connectBoard('G002')).rejects.toThrow('closed')
    await board.endAsync()
    await expect.poll(() => test.broker().connectionCount()).toBe(0)
    expect((await test.connectBoard('G002')).connected).toBe(true)
  })

  it('lets in boards of elsewhere while one address floods it with connections that say nothing', async () => {
    await test.start({ strangers: 100, strangersOfOneAddress: 20, mayBeProxy: () => false })
    const { port } = test.broker()
    const flood = Array.from({ length: 150 }, () =>
      net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => undefined),
    )
    await expect.poll(() => flood.filter((socket) => socket.destroyed)).toHaveLength(130)
    expect(test.broker().connectionCount()).toBe(20)
    expect((await test.connectBoard('G001')).connected).toBe(true)
    for (const socket of flood) socket.destroy()
    await expect.poll(() => test.broker().connectionCount()).toBe(1)
    const again = net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    await expect.poll(() => test.broker().connectionCount()).toBe(2)
    again.destroy()
  })

  it('counts no address of our own network for itself: a proxy there passes on the connections of all boards', () => {
    for (const own of [
      '127.0.0.1',
      '10.2.3.4',
      '172.31.0.1',
      '192.168.7.7',
      '::1',
      '::ffff:10.0.0.1',
      'fd00::1',
      'fe80::1%eth0',
    ])
      expect(isOfOwnNetwork(own), own).toBe(true)
    for (const other of ['8.8.8.8', '172.32.0.1', '2001:db8::1', '::ffff:8.8.8.8', ''])
      expect(isOfOwnNetwork(other), other).toBe(false)
  })

  it('closes a connection that does not say who it is', async () => {
    await test.start({ loginMs: 50 })
    await expect(closed(net.connect(test.broker().port, '127.0.0.1'))).resolves.toBe(true)
  })

  it('closes a connection with a name too long at once, instead of letting it stay unnamed', async () => {
    await test.start({ loginMs: 60_000 })
    await expect(test.connectBoard('G001', { clientId: 'G'.repeat(65) })).rejects.toThrow('closed')
    await expect.poll(() => test.broker().connectionCount()).toBe(0)
  })

  it('closes a connection that is silent for too long', async () => {
    await test.start({ silenceMs: 500 })
    const board = await test.connectBoard('G001', { keepalive: 0 })
    await expect(closed(board)).resolves.toBe(true)
  })

  it('survives thousands of messages that nobody listens to, waiting behind others', async () => {
    await test.start()
    let count = 0
    const listener = await test.connectGateway()
    listener.on('message', () => count++)
    await listener.subscribeAsync('heard', { qos: 0 })
    const names = Array.from({ length: 8 }, (_, number) => `gateway-${number}`)
    const speakers = await Promise.all(names.map((clientId) => test.connectGateway({ clientId })))
    const messages = (topic: string, number: number) =>
      Array.from({ length: number }, () => Buffer.concat([Buffer.of(0x30, 7, 0, 5), Buffer.from(topic)]))
    const bytes = Buffer.concat([...messages('heard', 300), ...messages('other', 2500)])
    for (const { stream } of speakers) stream.write(bytes)
    await expect.poll(() => count).toBe(2400)
    await Promise.all(speakers.map((speaker) => speaker.publishAsync('heard', 'still here', { qos: 1 })))
    await expect.poll(() => count).toBe(2408)
  })

  it('survives broken packets', async () => {
    await test.start()
    const calm = await test.connectBoard('G002')
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
        const socket = net.connect(test.broker().port, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.end(bytes)
        await closed(socket.resume())
      }),
    )
    await calm.publishAsync('v1/devices/G002/log', 'still here', { qos: 1 })
    expect(calm.connected).toBe(true)
  })

  it('survives broken packets of a board that is logged in', async () => {
    await test.start()
    const calm = await test.connectBoard('G002')
    for (let seed = 0; seed < 40; seed++) {
      const board = await test.connectBoard('G001')
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

/** The same bytes with some of them changed, in a way that can be repeated. */
function mutate(bytes: Buffer, seed: number): Buffer {
  const mutated = Buffer.from(bytes)
  for (let change = 0; change <= seed % 4; change++) {
    mutated.writeUInt8((seed * 37 + change * 101) % 256, (seed * 7 + change * 13) % bytes.length)
  }
  return mutated
}
