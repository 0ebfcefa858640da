import net from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { connectGateway } from './connect-gateway.ts'

/** What a gateway with this password says to a broker of MQTT 5: to sign in, and the group in which it hears boards. */
async function saidToBroker(gatewayPassword: string): Promise<{ signIn: Buffer; group: string }> {
  let signIn = Buffer.alloc(0)
  const asked = Promise.withResolvers<string>()
  const broker = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (packet) => {
      const kind = (packet[0] ?? 0) >> 4
      if (kind === 1) {
        signIn = packet
        socket.write(Buffer.from([0x20, 3, 0, 0, 0]))
      }
      if (kind !== 8) return
      asked.resolve(/\$share\/([^/]+)\//.exec(packet.toString('latin1'))?.[1] ?? '')
      socket.write(Buffer.from([0x90, 4, packet[2] ?? 0, packet[3] ?? 0, 0, 1]))
    })
  })
  await new Promise<void>((resolve) => void broker.listen(0, '127.0.0.1', resolve))
  const { port } = broker.address() as net.AddressInfo
  const options = { instanceName: 'test', log: pino({ level: 'silent' }) }
  const connect = connectGateway({ url: `mqtt://127.0.0.1:${port}`, gatewayPassword }, options)
  const connection = connect(['v1/devices/+/status'], () => undefined)
  await connection.whenReady()
  const group = await asked.promise
  await connection.stop()
  broker.close()
  return { signIn, group }
}

it('gateways share in a group whose name no board can know', async () => {
  const { group } = await saidToBroker('secret of the gateway')
  expect(group).toMatch(/^chairside-[\w-]{43}$/)
  expect((await saidToBroker('secret of the gateway')).group).toBe(group)
  expect((await saidToBroker('secret of another')).group).not.toBe(group)
})

it('a gateway is sent no packet that is larger than those of boards may be', async () => {
  const { signIn } = await saidToBroker('secret of the gateway')
  const maximumPacketSize = 0x27
  expect(signIn.includes(Buffer.from([maximumPacketSize, 0, 0, 0x20, 0]))).toBe(true)
})
