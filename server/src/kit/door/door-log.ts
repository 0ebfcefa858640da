import { LogController, type FastifyRequest } from 'fastify'

/**
 * Requests that are answered have a line of our own in the log. The web server's own words are left out, except that an answer
 * broke off which had begun: neither its reader nor a line of ours tells why.
 */
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
