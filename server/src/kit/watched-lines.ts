import fs from 'node:fs/promises'
import net from 'node:net'

/*
 * A machine that is gone without a word leaves what it was asked last without an answer: Linux sends the same bytes again,
 * more and more rarely, for a quarter of an hour, and no keep-alive probes the line meanwhile. Node.js cannot shorten that,
 * but the kernel tells how often it has sent them.
 */

/** Sent so often in vain, the first time after 0.2 s and then after twice as long each time: for 25 s or a little more. */
const mostRepeats = 7

const usualTimes = { everyMs: 5000, quietMs: 15_000 }

/** The kernel's lists of connections; elsewhere than on Linux there are none, and lines are left to the system. */
const kernelLists = ['/proc/self/net/tcp', '/proc/self/net/tcp6']

const readKernel = async (): Promise<string> =>
  (await Promise.all(kernelLists.map((list) => fs.readFile(list, 'utf8').catch(() => '')))).join('')

const portsOf = ({ localPort = 0, remotePort = 0 }: net.Socket) => `${localPort} ${remotePort}`

interface Sending {
  /** Bytes that are not acknowledged. */
  bytes: number
  /** How often the oldest of them were sent again. */
  repeats: number
}

/** What each connection has on its way, by its two ports. */
function sendingIn(list: string): Map<string, Sending> {
  const sending = new Map<string, Sending>()
  for (const line of list.split('\n')) {
    const [, , local = '', remote = '', , queues = '', , repeats = ''] = line.split(/\s+/)
    const ports = [local, remote].map((address) => Number.parseInt(address.split(':')[1] ?? '', 16))
    sending.set(ports.join(' '), {
      bytes: Number.parseInt(queues, 16),
      repeats: Number.parseInt(repeats, 16),
    })
  }
  return sending
}

export interface WatchedLines {
  /** A socket to connect with. */
  open(): net.Socket
  stop(): void
}

interface Line {
  /** Bytes that had come when it was looked at last, and when the last of them had. */
  read: number
  readAtMs: number
  /** Bytes that had been written then. */
  written: number
  /** Of these, such as have arrived for certain. */
  arrived: number
}

/** Lines that are cut when the other end has acknowledged nothing for too long. */
export function watchLines({ everyMs, quietMs } = usualTimes, read = readKernel): WatchedLines {
  const lines = new Map<net.Socket, Line>()

  /** Whether it waits for an answer for long. */
  function isOverdue(socket: net.Socket, line: Line, nowMs: number): boolean {
    if (socket.bytesRead !== line.read) {
      line.arrived = line.written
      line.read = socket.bytesRead
      line.readAtMs = nowMs
    }
    line.written = socket.bytesWritten
    return line.written > line.arrived && nowMs - line.readAtMs >= quietMs
  }
  async function look(): Promise<void> {
    const nowMs = performance.now()
    const overdue = [...lines].filter(([socket, line]) => isOverdue(socket, line, nowMs))
    if (overdue.length === 0) return
    const written = overdue.map(([{ bytesWritten }]) => bytesWritten)
    const sending = sendingIn(await read())
    for (const [index, [socket, line]] of overdue.entries()) {
      const { bytes, repeats } = sending.get(portsOf(socket)) ?? { bytes: 0, repeats: 0 }
      if (repeats >= mostRepeats)
        socket.destroy(new Error('Connection terminated: nothing is acknowledged any more'))
      // It is waited for, however long it takes.
      if (bytes === 0) line.arrived = written[index] ?? 0
    }
  }
  const timer = setInterval(() => void look(), everyMs).unref()

  return {
    open() {
      const socket = new net.Socket()
      lines.set(socket, { read: 0, readAtMs: performance.now(), written: 0, arrived: 0 })
      return socket.once('close', () => lines.delete(socket))
    },
    stop: () => clearInterval(timer),
  }
}
