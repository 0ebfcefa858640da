import net from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { connectGateway } from './connect-gateway.ts'

/** The group in which a gateway with this password asks a broker for what boards say. */
async function groupAskedFor(gatewayPassword: string): Promise<string> {
  const asked = Promise.withResolvers<string>()
  const broker = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (packet) => {
      const kind = (packet[0] ?? 0) >> 4
      if (kind === 1) socket.write(Buffer.from([0x20, 3, 0, 0, 0]))
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
  return group
}

it('gateways share in a group whose name no board can know', async () => {
  const group = await groupAskedFor('secret of the gateway')
  expect(group).toMatch(/^chairside-[\w-]{43}$/)
  expect(await groupAskedFor('secret of the gateway')).toBe(group)
  expect(await groupAskedFor('secret of another')).not.toBe(group)
})
