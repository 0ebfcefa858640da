import { finished, Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { RefusedError } from '../call.ts'
import { fewAtOnce, TooManyWaitingError } from '../few-at-once.ts'

/** How long somebody may leave waiting data unread; then the connection is cut. */
const usualPatienceMs = 60_000

/**
 * Ends streamed answers that nobody reads: a download that was paused, or a malicious reader, would hold the source of
 * the rows for ever. Silence while there is nothing to read yet does not count.
 */
export function endUnreadAnswers(app: FastifyInstance, patienceMs = usualPatienceMs): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const { raw } = reply
    if (payload instanceof Readable)
      raw.setTimeout(patienceMs, () => {
        if (raw.writableLength > 0) raw.destroy()
      })
    done(null, payload)
  })
}

/** How many may wait for a place among the long lists; further ones are asked to try again. */
const mostWaiting = 100

/** Gives a place to each answer of a long list, which it keeps until it is over. */
export type LongListPlaces = (reply: FastifyReply) => Promise<void>

/**
 * Long lists hold a connection to the database as long as they are read, by however slow a reader: only some of the
 * connections are for them.
 */
export function createLongListPlaces(most: number): LongListPlaces {
  const inTurn = fewAtOnce(most, mostWaiting)
  return (reply) =>
    new Promise((resolve, reject) => {
      inTurn(() => {
        // Who waited for it may be gone: nobody would read what is begun.
        if (reply.raw.destroyed) throw new RefusedError('unavailable')
        resolve()
        return new Promise<void>((leave) => finished(reply.raw, () => leave()))
      }).catch((error: unknown) =>
        reject(error instanceof TooManyWaitingError ? new RefusedError('unavailable') : error),
      )
    })
}
