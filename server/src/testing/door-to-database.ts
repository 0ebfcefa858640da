import { once } from 'node:events'
import net from 'node:net'

export interface DoorToDatabase {
  /** The address of the database, through the door. */
  url: string
  /** Breaks what is connected and refuses what comes. */
  close(): Promise<void>
  open(): Promise<void>
  /** Whoever comes is told that the database is not ready yet. */
  beStarting(isStarting: boolean): void
  /** Breaks a connection that sends something like this, before it is answered. */
  breakAt(sent: RegExp): void
}

const startingFields = 'SFATAL\0C57P03\0Mthe database system is starting up\0\0'
const startingUp = Buffer.from(
  `E\0\0\0${String.fromCharCode(startingFields.length + 4)}${startingFields}`,
  'latin1',
)

/** A database that can go away: its connections run through a port that is closed and opened. */
export async function openDoorToDatabase(databaseUrl: string): Promise<DoorToDatabase> {
  const target = new URL(databaseUrl)
  const sockets = new Set<net.Socket>()
  const keep = (socket: net.Socket, other: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }
  let breaking: RegExp | undefined
  let isStarting = false
  const server = net.createServer((inside) => {
    if (isStarting) {
      inside.on('error', () => undefined).once('data', () => inside.end(startingUp))
      return
    }
    const outside = net.connect(Number(target.port), target.hostname)
    keep(inside, outside)
    keep(outside, inside)
    inside.on('data', (sent) => {
      if (breaking?.test(sent.toString('latin1'))) inside.destroy()
    })
    inside.pipe(outside).pipe(inside)
  })
  const open = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await open(0)
  const { port } = server.address() as net.AddressInfo
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    open: () => open(port),
    beStarting: (is) => (isStarting = is),
    breakAt: (sent) => (breaking = sent),
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
