import { endpoints } from '@chairside/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Call } from '../kit/call.ts'
import type { DatabasePool } from '../kit/database.ts'
import { mountCalls } from '../kit/door/door.ts'
import { createWebApp } from '../kit/door/web-app.ts'
import { mountLiveness } from '../kit/health.ts'
import { timeRequests } from '../kit/metrics.ts'
import { insertAudit } from '../identity/audit-sql.ts'
import type { SessionGate } from '../identity/session-gate.ts'
import { mountApiDocs } from './api-docs.ts'
import { mountPages } from './console-files.ts'
import { mountHealth, type HealthParts } from './health-server.ts'

/** Every declared call is served, once: what the contract promises is there. */
function assertComplete(calls: readonly Call[]): void {
  const served = calls.map((call) => call.endpoint)
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const times = served.filter((one) => one === endpoint).length
    if (times !== 1) throw new Error(`The call ${name} is served ${times} times; it must be once`)
  }
}

export interface WebServerParts {
  config: Config
  database: DatabasePool
  log: Logger
  gate: SessionGate
  calls: readonly Call[]
  health: HealthParts
  /** Routes in the providers' own formats. */
  mountNotices(app: FastifyInstance): void | Promise<void>
}

/** The web server of the product: calls, notices of providers, pages, documentation, health. Not yet listening. */
export async function createWebServer(parts: WebServerParts): Promise<FastifyInstance> {
  const { config, database, gate } = parts
  assertComplete(parts.calls)
  const app = await createWebApp({
    log: parts.log,
    callsPerMinute: config.callsPerMinute,
    trustProxy: config.trustProxy,
  })
  timeRequests(app, parts.health.metrics)
  if (config.healthPort === undefined) mountHealth(app, parts.health)
  // Pages ask for it, to find out whether anybody is there.
  else mountLiveness(app)
  mountCalls(app, parts.calls, {
    db: database.db,
    openReading: database.openReading,
    timeZone: config.timeZone,
    mostLongLists: Math.floor(config.databaseConnections / 2),
    checkToken: gate.checkToken,
    guessPrincipal: gate.guessPrincipal,
    whoHolds: gate.whoHolds,
    writeAudit: insertAudit,
  })
  await app.register(async (notices) => parts.mountNotices(notices))
  mountApiDocs(app, config.publicUrl)
  await mountPages(app, config)
  return app
}
