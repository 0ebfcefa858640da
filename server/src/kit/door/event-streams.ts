import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { RefusedError, type EventFeed, type StreamedEvent } from '../call.ts'
import type { Principal } from '../principal.ts'
import type { TokenGate } from './session-gate.ts'

/*
 * Server-sent events. Nothing is told to a session that has ended or whose rights have changed: it is checked before
 * each event. A listener that does not read is told nothing meanwhile and what is new afterwards; one that does not read
 * for a minute is gone.
 */

/** A beat now and then, so that neither end nor a proxy in between takes the silence for a broken connection. */
const beatMs = 15_000
const beatsUnread = 4
/** Streams at once: of one session (each open tab has one), of all sessions of an account, and of all in this process. */
const mostOfSession = 6
const mostOfAccount = 60
const mostInProcess = 2000

interface Listener {
  token: string
  principal: Principal
}

export interface EventStreams {
  /** Answers with a stream that goes on until the listener, the session or the server ends it. */
  send(
    reply: FastifyReply,
    listener: Listener,
    begin: (wake: () => void) => Promise<EventFeed>,
  ): Promise<FastifyReply>
  /** Ends all, so that the server can stop; listeners connect again elsewhere. */
  endAll(): void
}

/** The streams of a process, few of each session; every word waits until the session is looked up anew. */
export function createEventStreams({ whoHolds }: Pick<TokenGate, 'whoHolds'>): EventStreams {
  const open = new Set<Readable>()
  const places = countPlaces()
  let isEnded = false
  return {
    async send(reply, { token, principal }, begin) {
      const account = `account ${principal.accountId}`
      if (isEnded || !places.take(token, account)) throw new RefusedError('tooManyStreams')
      let wake: () => void = () => undefined
      const feed = await begin(() => wake()).catch((error: unknown) => {
        places.leave(token, account)
        throw error
      })
      const writer = createWriter(feed, async () => (await whoHolds(token, new Date())) === principal)
      wake = writer.wake
      const { stream } = writer
      open.add(stream)
      stream.once('close', () => {
        open.delete(stream)
        places.leave(token, account)
      })
      // A proxy that gathers answers before it passes them on would hold the events back.
      reply.type('text/event-stream').header('x-accel-buffering', 'no')
      // Kept alive after the end of its stream, a connection would hold a server that stops for more than a minute.
      return reply.header('connection', 'close').send(stream)
    },
    endAll() {
      isEnded = true
      for (const stream of open) stream.push(null)
    },
  }
}

/** Counts streams, and says who may have another one. */
function countPlaces() {
  const taken = new Map<string, number>()
  let all = 0
  const has = (holder: string) => taken.get(holder) ?? 0
  const count = (holder: string, change: 1 | -1) => {
    const now = has(holder) + change
    if (now === 0) taken.delete(holder)
    else taken.set(holder, now)
  }
  return {
    take(token: string, account: string): boolean {
      if (has(token) >= mostOfSession || has(account) >= mostOfAccount || all >= mostInProcess) return false
      for (const holder of [token, account]) count(holder, 1)
      all++
      return true
    },
    leave(token: string, account: string): void {
      for (const holder of [token, account]) count(holder, -1)
      all--
    },
  }
}

const wireOf = ({ event, data }: StreamedEvent) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Writes what is new while the other end reads. */
function createWriter(feed: EventFeed, stillHolds: () => Promise<boolean>) {
  let isRead = true
  let isNews = true
  let isBeatDue = true
  let isWriting = false
  let unread = 0
  const stream = new Readable({
    read() {
      isRead = true
      void write()
    },
    destroy(error, done) {
      clearInterval(timer)
      feed.close()
      done(error)
    },
  })
  const isOver = () => stream.destroyed || stream.readableEnded
  async function write(): Promise<void> {
    if (isWriting || !isRead) return
    isWriting = true
    try {
      while (isRead && (isNews || isBeatDue) && !isOver()) {
        isNews = false
        if (!(await stillHolds())) return end()
        if (isOver()) return
        const words = feed.take().map(wireOf).join('') || (isBeatDue ? ': beat\n\n' : '')
        isBeatDue = false
        unread = 0
        if (words !== '') isRead = stream.push(words)
      }
    } catch {
      // The database is away: the listener asks again until it is back.
      end()
    } finally {
      isWriting = false
    }
  }
  const end = () => void (isOver() || stream.push(null))
  const timer = setInterval(() => {
    isBeatDue = true
    if (unread++ >= beatsUnread) stream.destroy()
    else void write()
  }, beatMs)
  timer.unref()
  return {
    stream,
    wake: () => {
      isNews = true
      void write()
    },
  }
}
