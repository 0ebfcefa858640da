import { once } from 'node:events'
import net from 'node:net'
import type { LimitedLog } from './limited-log.ts'
import { PacketMeter, type MeterLimits } from './packet-meter.ts'
import { Strangers, type StrangerLimits } from './strangers.ts'

export interface SocketLimits extends MeterLimits, StrangerLimits {
  connections: number
  /** A connection is closed when nothing came for this long, whatever keep-alive it asked for. */
  silenceMs: number
}

const ourLimits: MeterLimits = {
  packetBytes: 1024 * 1024,
  packetsPerSecond: Number.MAX_SAFE_INTEGER,
  burstPackets: Number.MAX_SAFE_INTEGER,
}

const excessWords = {
  packetTooLarge: 'it sent a packet that is too large',
  packetMalformed: 'it sent what is no MQTT packet',
  tooManyPackets: 'it sends more packets than it may',
} as const

/** The TCP side of the embedded broker: takes connections within the limits, and meters what comes over them. */
export function createBrokerSockets(limits: SocketLimits, limitedLog: LimitedLog) {
  const open = new Set<net.Socket>()
  const strangers = new Strangers(limits)
  const meters = new WeakMap<net.Socket, PacketMeter>()
  /** Who a connection turned out to be, for the log. */
  const names = new WeakMap<net.Socket, string>()
  const server = net.createServer({ noDelay: true })

  function take(socket: net.Socket): boolean {
    const address = socket.remoteAddress
    if (open.size >= limits.connections || !strangers.add(socket)) {
      limitedLog.warn('broker.full', { address, connections: open.size }, 'MQTT connection refused')
      socket.destroy()
      return false
    }
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      strangers.delete(socket)
    })
    const meter = new PacketMeter(limits)
    meters.set(socket, meter)
    meterReads(socket, meter, (verdict) =>
      limitedLog.warn(
        `broker.${verdict}`,
        { clientId: names.get(socket) ?? '', address },
        `MQTT connection closed: ${excessWords[verdict]}`,
      ),
    )
    socket.setTimeout(limits.silenceMs, () => socket.destroy())
    return true
  }

  return {
    count: () => open.size,
    /** A connection has said who it is; one of our own is not held to the limits of packets. */
    identified(socket: net.Socket, name: string, isOurs: boolean): void {
      strangers.delete(socket)
      names.set(socket, name)
      if (isOurs) meters.get(socket)?.relax(ourLimits)
    },
    /** @returns the port, which is any free one when 0 is asked for */
    async listen(
      { host, port }: { host: string; port: number },
      handle: (socket: net.Socket) => void,
    ): Promise<number> {
      server.on('connection', (socket) => {
        if (take(socket)) handle(socket)
      })
      // Boards come back together when the network or we were away.
      server.listen({ port, host, backlog: 4096 })
      await once(server, 'listening')
      return (server.address() as net.AddressInfo).port
    },
    /** Takes no more connections; resolves when the last one has ended. */
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
    /** Cuts the connections that are still open. */
    cut(): void {
      for (const socket of open) socket.destroy()
    },
  }
}

/** The broker pulls bytes with `read`; here they pass the meter first, and a connection past its limits is closed. */
function meterReads(
  socket: net.Socket,
  meter: PacketMeter,
  onExcess: (verdict: keyof typeof excessWords) => void,
): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number) => {
    const chunk: unknown = read(size)
    if (!Buffer.isBuffer(chunk)) return chunk
    const verdict = meter.inspect(chunk)
    if (verdict === 'fits') return chunk
    onExcess(verdict)
    socket.destroy()
    return null
  }
}
