import { languageOf, type Language } from '@chairside/contract/locales/languages'
import { resultCodeOf, successCode, type Endpoint, type UserType } from '@chairside/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { createAllowance } from '../allowance.ts'
import { RefusedError, streamedFrom, type Call, type CallContext } from '../call.ts'
import { inTransaction, type Database } from '../database.ts'
import { keepablePartOf } from '../keepable-text.ts'
import type { Principal } from '../principal.ts'
import { createContext, tokenHeader, type Audited } from './call-context.ts'
import { accepted, refused } from './envelope.ts'
import { readInput } from './input.ts'
import { sendAsJson, sendAsSheet, sheetAskedFor } from './list-stream.ts'
import { beginEarly, type EarlyRun } from './early-run.ts'
import { createEventStreams, type EventStreams } from './event-streams.ts'
import type { AuditRecord, TokenGate } from './session-gate.ts'
import { createLongListPlaces, type LongListPlaces } from './unread-answers.ts'

export interface DoorServices extends TokenGate {
  db: Database
  /** A database for one call that only reads. */
  openReading(): Database
  timeZone: string
  /** Long lists that are read at the same time: each holds a connection to the database meanwhile. */
  mostLongLists: number
  writeAudit(db: Database, record: AuditRecord): Promise<void>
}

/** A call that anybody could make by mistake must not start: it has a key, or says why it is open. */
function assertGuarded({ verb, path, ...endpoint }: Endpoint): void {
  const changes = verb !== 'GET'
  if ('open' in endpoint ? !endpoint.open : !endpoint.needs || endpoint.needs.length === 0) {
    throw new Error(`${verb} ${path} has neither a permission nor a reason to be open`)
  }
  if (changes && !endpoint.audit && !('needs' in endpoint && endpoint.needs === 'signedIn')) {
    throw new Error(`${verb} ${path} changes something and has no audit name`)
  }
}

/** Refused sign-ins of names that nobody has, kept in a minute: anybody can send them, from any number of addresses. */
const mostStrangersAudited = 120

function mayCall(endpoint: Endpoint, principal: Principal): 'yes' | 'noAccess' | 'wrongUserType' {
  if ('open' in endpoint || endpoint.needs === 'signedIn') return 'yes'
  const keys = typeof endpoint.needs === 'string' ? [endpoint.needs] : endpoint.needs
  if (!keys.some((key) => principal.permissions.has(key))) return 'noAccess'
  const types: readonly UserType[] | undefined = endpoint.types
  return types && !types.includes(principal.type) ? 'wrongUserType' : 'yes'
}

/** Serves calls: token, permission, rate, input, one transaction, handler, envelope. */
export function mountCalls(app: FastifyInstance, calls: readonly Call[], services: DoorServices): void {
  for (const { endpoint } of calls) assertGuarded(endpoint)
  const streams = createEventStreams(services)
  // A paused download is to hold up no list that a page chooses from, so neither takes the other's places.
  const mostOfEach = Math.max(1, Math.floor(services.mostLongLists / 2))
  const places = { sheets: createLongListPlaces(mostOfEach), pages: createLongListPlaces(mostOfEach) }
  const mayAuditStranger = createAllowance(mostStrangersAudited, 60_000)
  const isSignedIn = async ({ headers: { [tokenHeader]: token } }: FastifyRequest) =>
    typeof token === 'string' && (await services.whoHolds(token, new Date())) !== undefined
  app.addHook('preClose', async () => streams.endAll())
  for (const call of calls) {
    const { verb, also = [], path, perMinute, takesFile } = call.endpoint
    app.route({
      method: [verb, ...also] as HTTPMethods[],
      url: path,
      // The head of a stream would be a stream that nobody hears and nothing ends.
      exposeHeadRoute: !call.feed,
      config: {
        ...(perMinute ? { rateLimit: { max: perMinute, timeWindow: 60_000 } } : {}),
        ...(takesFile
          ? { takesFile: 'open' in call.endpoint ? takesFile : { ...takesFile, isWelcome: isSignedIn } }
          : {}),
      },
      handler: (request, reply) =>
        answer(call, { ...services, streams, places, mayAuditStranger }, request, reply),
    })
  }
}

/** What all calls share, besides what the product brings. */
interface DoorParts extends DoorServices {
  streams: EventStreams
  places: Record<'sheets' | 'pages', LongListPlaces>
  mayAuditStranger(): boolean
}

async function answer(
  call: Call,
  services: DoorParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { endpoint } = call
  const language = languageOf(request.headers['accept-language'])
  const now = new Date()
  const audited: Audited = { target: '', details: {} }
  let principal: Principal | null = null
  let input: Record<string, unknown> = {}
  const record = async (db: Database, outcome: string) => {
    if (!endpoint.audit || audited.isTrial) return
    const entry = auditRecordOf(endpoint, principal, input, audited, request, now)
    await services.writeAudit(db, { ...entry, outcome })
  }
  try {
    const given = givenInput(endpoint, request, language)
    const contextFor = (db: Database, who: Principal | null) =>
      createContext({ db, input: given.input, principal: who, language, now, request, reply, audited })
    // The check of the token is asked first, and what a call reads travels with it.
    const reading = call.readsOnly ? services.openReading() : services.db
    const identified = identify(endpoint, services, reading, request, reply, now)
    const early = given.refused
      ? undefined
      : beginReading(call, services, request, given.input, (guess) => contextFor(reading, guess))
    principal = await identified
    if (given.refused) throw given.refused
    input = given.input
    const contextOf = (db: Database) => contextFor(db, principal)

    if (call.feed && principal) {
      const { feed } = call
      const context = contextOf(services.db)
      const listener = { token: context.token, principal, language }
      return await services.streams.send(reply, listener, (wake) => feed(context, wake))
    }
    const sheet = sheetAskedFor(endpoint, request)
    if (call.rows && (sheet || isLargePage(input))) {
      await services.places[sheet ? 'sheets' : 'pages'](reply)
      const rows = call.rows(contextOf(services.db))
      const { timeZone } = services
      if (sheet) return await sendAsSheet(reply, sheet, rows, { language, timeZone, type: principal?.type })
      const page = input as { pagesize: number; pagenum: number }
      const onePage = (one: typeof page) => call.run({ ...contextOf(reading), input: { ...input, ...one } })
      return await sendAsJson(reply, { rows, page, onePage }, language)
    }

    const runAndRecord = async (db: Database) => {
      const done = await call.run(contextOf(db))
      await record(db, successCode)
      return done
    }
    let data: unknown
    if (endpoint.verb === 'GET')
      data = await (early?.principal === principal ? early.data : call.run(contextOf(reading)))
    else if (call.ownTransactions) data = await runAndRecord(services.db)
    else data = await inTransaction(services.db, runAndRecord)
    if (!endpoint.file) return accepted(data, language)
    if (!reply.hasHeader('content-type')) reply.type(endpoint.file)
    return await reply.send(data)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    request.resultCode = resultCodeOf[error.refusal]
    // A refusal changed nothing; that it was tried is kept all the same, where it is known by whom.
    const isWorthIt =
      principal ?? audited.by ?? (endpoint.audit === 'session.login' && services.mayAuditStranger())
    if (isWorthIt) await record(services.db, request.resultCode)
    const data = error.fields ? { fields: error.fields } : (error.data ?? null)
    return refused(error.refusal, language, data, valuesIn(error.data))
  }
}

/** What a refusal's words are completed with: the texts of its data. */
function valuesIn(data: unknown): Record<string, string> {
  if (typeof data !== 'object' || data === null) return {}
  return Object.fromEntries(Object.entries(data).filter(([, value]) => typeof value === 'string'))
}

/** The input of a call, or why it is refused: who calls is looked at first, and answered first. */
function givenInput(
  endpoint: Endpoint,
  request: FastifyRequest,
  language: Language,
): { input: Record<string, unknown>; refused?: RefusedError } {
  try {
    return { input: readInput(endpoint, request, language) }
  } catch (error) {
    if (error instanceof RefusedError) return { input: {}, refused: error }
    throw error
  }
}

/** Begins a call that only reads, where its token was seen before. */
function beginReading(
  call: Call,
  services: DoorServices,
  request: FastifyRequest,
  input: Record<string, unknown>,
  contextFor: (guess: Principal) => CallContext,
): EarlyRun | undefined {
  const token = request.headers[tokenHeader]
  if (!call.readsOnly || typeof token !== 'string') return undefined
  if (isLargePage(input) || sheetAskedFor(call.endpoint, request)) return undefined
  const guess = services.guessPrincipal(token)
  return guess && mayCall(call.endpoint, guess) === 'yes'
    ? beginEarly(guess, () => call.run(contextFor(guess)))
    : undefined
}

async function identify(
  endpoint: Endpoint,
  services: DoorServices,
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Promise<Principal | null> {
  if ('open' in endpoint) return null
  const token = request.headers[tokenHeader]
  if (typeof token !== 'string' || token === '') throw new RefusedError('tokenInvalid')
  const check = await services.checkToken(db, token, now)
  if (check.outcome === 'invalid') throw new RefusedError('tokenInvalid')
  if (check.outcome === 'expired') throw new RefusedError('tokenExpired')
  if (check.renewedToken) reply.header(tokenHeader, check.renewedToken)
  request.accountId = check.principal.accountId
  if (check.principal.mustChangePassword && !endpoint.beforePasswordChange)
    throw new RefusedError('passwordChangeNeeded')
  const allowed = mayCall(endpoint, check.principal)
  if (allowed !== 'yes') throw new RefusedError(allowed)
  return check.principal
}

/** A page that does not go through the memory in one piece: all rows, or very many. */
function isLargePage(input: Record<string, unknown>): boolean {
  return input['pagesize'] === 0 || Number(input['pagesize']) >= streamedFrom
}

function auditRecordOf(
  endpoint: Endpoint,
  principal: Principal | null,
  input: Record<string, unknown>,
  audited: Audited,
  request: FastifyRequest,
  now: Date,
): Omit<AuditRecord, 'outcome'> {
  const params = request.params as Record<string, string>
  return {
    at: now,
    principal: principal ?? audited.by ?? null,
    userName: principal?.userName ?? audited.by?.userName ?? '',
    action: endpoint.audit ?? '',
    // For a refused call, whatever was in its path.
    target: keepablePartOf(audited.target || String(params['orderId'] ?? params['id'] ?? input['id'] ?? '')),
    details: audited.details,
    address: request.ip,
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Result code of the answer, for the log line. */
    resultCode: string
    accountId: number | null
  }
}
