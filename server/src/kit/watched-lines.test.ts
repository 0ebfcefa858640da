import { once } from 'node:events'
import net from 'node:net'
import { expect, it } from 'vitest'
import { watchLines } from './watched-lines.ts'

const hex = (number = 0, digits = 4) => number.toString(16).toUpperCase().padStart(digits, '0')

/** As the kernel lists a connection. */
const listed = ({ localPort, remotePort }: net.Socket, repeats: number) =>
  `   1: 0100007F:${hex(localPort)} 0100007F:${hex(remotePort)} 01 00000041:00000000 01:0000042C ${hex(repeats, 8)}     0        0 3513323 2 0 20 4 30 10 -1\n`

it('a line on which nothing is acknowledged is cut; one that only waits for its answer is not', async () => {
  const silent = net.createServer((socket) => void socket.on('error', () => undefined))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as net.AddressInfo
  const sockets: net.Socket[] = []
  let asked = 0
  const lines = watchLines({ everyMs: 10, quietMs: 50 }, async () => {
    asked++
    return `  sl  local_address rem_address   st tx_queue\n${sockets.map((line, index) => listed(line, [7, 6][index] ?? 0)).join('')}`
  })
  const connect = async () => {
    const line = lines.open().connect(port, '127.0.0.1')
    sockets.push(line)
    await once(line, 'connect')
    return line
  }
  const [dead, waiting, idle] = [await connect(), await connect(), await connect()]
  for (const line of [dead, waiting]) line.write('a question')
  const [error] = (await once(dead, 'error')) as [Error]
  expect(error.message).toContain('Connection terminated')
  const askedThen = asked
  await expect.poll(() => asked).toBeGreaterThan(askedThen + 3)
  expect([waiting.destroyed, idle.destroyed]).toEqual([false, false])
  lines.stop()
  for (const line of [waiting, idle]) line.destroy()
  silent.close()
})
