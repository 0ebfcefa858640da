import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import formBody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import { languageOf } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import { successCode, type Refusal } from '@chairside/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import zlib from 'node:zlib'
import { endConnectionsOnClose } from './closing-connections.ts'
import { DoorLog, logRequests } from './door-log.ts'
import { notAFormCode, readMultipartForms } from './multipart-form.ts'
import { addressToServe } from './page-address.ts'
import { newRequestId } from './request-id.ts'
import { callHeaders, pageHeaders } from './security-headers.ts'
import { endSlowBodies } from './slow-bodies.ts'
import { endUnreadAnswers } from './unread-answers.ts'
import { refused } from './envelope.ts'

/** Smaller answers fit into few packets as they are. */
const compressFromBytes = 6144

/** How long a request may take to arrive whole: the largest file over a slow line, and no line held for ever. */
const arrivalMs = 300_000
/** Its head is short. */
const headArrivalMs = 60_000
/** How often it is looked whether one is overdue. */
const lookForOverdueMs = 10_000

export interface WebAppOptions {
  log: Logger
  callsPerMinute: number
  /** How many proxies in front of us report the caller's address; what comes before their entries may be anybody's. */
  trustProxy: number | false
  /** Largest body in bytes. */
  bodyLimit?: number
  /** How long somebody may read nothing of a streamed answer. */
  unreadPatienceMs?: number
  /** How long a request may take to arrive. */
  arrivalMs?: number
  /** How long one without a file may. */
  bodyPatienceMs?: number
}

const uncounted = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/**
 * Whether a request is for a call, by the route that serves it: the same one is reached by many spellings of its path
 * (`/%61pi/…`, or with the host before it).
 */
const isCall = ({ routeOptions, url }: FastifyRequest) => (routeOptions.url ?? url).startsWith('/api')

/** Faults of the database or of a connection to it: the service is away, the request is not at fault. */
const databaseAway = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  // Its disk or its memory is full, or it takes no more connections.
  '53100',
  '53200',
  '53300',
  '08006',
  '08001',
  '08003',
])

/** Waited too long for a lock, or in a circle: nothing was changed, and asked again it may well be done. */
const heldUp = new Set(['55P03', '40P01', '40001'])

/** Something that a request needs is away, and that has been logged. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
}

const isDatabaseAway = (error: FastifyError) =>
  databaseAway.has(error.code) ||
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|the database system is/.test(
    error.message,
  )

/** The web server with everything that holds for every request: limits, headers, log line, errors. */
export async function createWebApp(options: WebAppOptions): Promise<FastifyInstance> {
  const { trustProxy: proxies } = options
  const requestTimeout = options.arrivalMs ?? arrivalMs
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new DoorLog(),
    trustProxy: proxies === false ? false : (_address, hop) => hop < proxies,
    bodyLimit: options.bodyLimit ?? 256 * 1024,
    requestTimeout,
    http: {
      headersTimeout: Math.min(headArrivalMs, requestTimeout),
      connectionsCheckingInterval: Math.min(lookForOverdueMs, requestTimeout),
    },
    genReqId: () => newRequestId(),
    rewriteUrl: addressToServe,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      void answerError(error as FastifyError, request as FastifyRequest, reply as FastifyReply)
    },
  })
  app.decorateRequest('resultCode', successCode)
  app.decorateRequest('accountId', null)
  logRequests(app)

  // An empty JSON body is an empty object: a call may have all its fields in the query.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {})
    try {
      done(null, JSON.parse(body as string))
    } catch {
      done(Object.assign(new Error('not JSON'), { code: 'NOT_JSON', statusCode: 200 }), undefined)
    }
  })

  // Plain text has no fields: read as such, all that was sent in it would be passed over in silence.
  app.removeContentTypeParser('text/plain')
  readMultipartForms(app)

  await app.register(compress, {
    threshold: compressFromBytes,
    // Nobody sends us anything compressed.
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    // Quick rather than small: answers are compressed anew each time.
    brotliOptions: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } },
    customTypes: /^(text\/(html|css|javascript|plain)|application\/(javascript|json)|image\/svg\+xml)/,
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isCall(request) ? callHeaders : pageHeaders)
    done()
  })
  await app.register(rateLimit, {
    global: true,
    max: options.callsPerMinute,
    timeWindow: 60_000,
    // Who is held up is told for how long; nobody reads the count of each answer before.
    addHeadersOnExceeding: uncounted,
    allowList: (request) => !isCall(request) && !request.routeOptions.config.isLimited,
  })
  await app.register(cookie)
  await app.register(formBody)

  endConnectionsOnClose(app)
  endUnreadAnswers(app, options.unreadPatienceMs)
  endSlowBodies(app, options.bodyPatienceMs)
  // Before its body is there: nobody will read it.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 && request.method !== 'GET' && request.method !== 'HEAD')
      return answerUnknownPath(request, reply)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isCall(request)) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  app.setErrorHandler(answerError)
  return app
}

/** Codes of bodies that are not what their content type says. */
const unreadableBody = new Set(['NOT_JSON', notAFormCode])

const transportRefusals: Record<number, Refusal> = {
  404: 'pathUnknown',
  413: 'bodyTooLarge',
  415: 'mediaTypeUnknown',
  429: 'tooManyRequests',
}

async function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language = languageOf(request.headers['accept-language'])
  const send = (
    status: number,
    refusal: Refusal,
    data: unknown = null,
    values: Record<string, string> = {},
  ) => {
    const envelope = refused(refusal, language, data, values)
    request.resultCode = envelope.resultCode
    return reply.status(status).type('application/json; charset=utf-8').send(envelope)
  }
  const status = error.statusCode ?? 500
  const transport = transportRefusals[status]
  if (transport) return send(status, transport)
  if (error instanceof UnavailableError) return send(503, 'unavailable')
  if (isDatabaseAway(error)) {
    request.log.error({ err: error }, 'the database is away')
    return send(503, 'unavailable')
  }
  if (heldUp.has(error.code)) {
    request.log.warn({ err: error }, 'a request was held up by another one')
    return send(503, 'unavailable')
  }
  // What cannot be read as a request (broken JSON, a broken address) never reached a call and changed nothing.
  if (error.code === 'NOT_JSON' || (error.statusCode && error.statusCode < 500)) {
    return send(200, 'invalidInput', {
      fields: {
        [unreadableBody.has(error.code) ? 'body' : 'url']: translate(language, 'validation.wrongForm'),
      },
    })
  }
  request.log.error({ err: error, reference: request.id }, 'unexpected error')
  return send(500, 'internal', { reference: request.id }, { reference: request.id })
}

/** The answer for an address that nothing serves. */
export function answerUnknownPath(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return answerError(
    Object.assign(new Error('not found'), { statusCode: 404, code: 'NOT_FOUND' }) as FastifyError,
    request,
    reply,
  )
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counted like a call, although it is none. */
    isLimited?: boolean
  }
}
