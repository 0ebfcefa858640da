import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

/** What watchers ask for every few seconds; nobody wants to read it in the log. */
const quietRoutes = new Set(['/healthz', '/readyz', '/metrics'])

/** The end of a streamed answer is waited for by each stream that it passes; more than these would be a leak. */
const mostWaitingForEnd = 20

/** Writes a line for each request, also for one whose connection broke before its answer was whole. */
export function logRequests(app: FastifyInstance): void {
  const write = (request: FastifyRequest, reply: FastifyReply, more: { isWhole?: false }) => {
    const route = request.routeOptions.url
    if (quietRoutes.has(route ?? '')) return
    request.log.info(
      {
        method: request.method,
        // The route, or the path alone: query strings are never logged.
        path: route ?? request.url.split('?')[0],
        status: reply.raw.headersSent ? reply.statusCode : 0,
        resultCode: request.resultCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        account: request.accountId,
        address: request.ip,
        ...more,
      },
      'request',
    )
  }
  // The web server tells of answers that are whole only.
  const whole = new WeakSet<FastifyReply>()
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setMaxListeners(mostWaitingForEnd)
    reply.raw.once('close', () => whole.has(reply) || write(request, reply, { isWhole: false }))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    whole.add(reply)
    write(request, reply, {})
    done()
  })
}

/** The web server's own words are left out, except why an answer broke off that had begun: its reader is told nothing. */
export class DoorLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true })
  }

  override streamError(error: Error, request: FastifyRequest): void {
    // Its reader went away.
    if ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    request.log.error({ err: error, path: request.routeOptions.url }, 'an answer broke off')
  }
}
