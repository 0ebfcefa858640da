import net from 'node:net'
import { randomInt } from 'node:crypto'

/**
 * Systems give the ports from here on to connections of their own (32768 on Linux): a server that is away for a moment
 * might find its port taken when it comes back.
 */
const firstOfConnections = 32_768
const first = 20_000

/** Ports that nobody listens on now, and no outgoing connection is given. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(first, firstOfConnections)
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

/** The first of so many such ports in a row. */
export async function freePortsInARow(count: number): Promise<number> {
  for (;;) {
    const port = randomInt(first, firstOfConnections - count)
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(port + index)))
    if (free.every(Boolean)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
