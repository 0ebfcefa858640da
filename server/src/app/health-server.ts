import Fastify, { type FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { mountLiveness, mountReadiness, type Dependency } from '../kit/health.ts'
import { mountMetrics } from '../kit/metrics.ts'

/** What supervisors ask a process for, whatever its roles. */
export interface HealthParts {
  metrics: Registry
  dependencies: readonly Dependency[]
}

/** All of it at an address that is not the customers'. */
export async function startHealthServer(
  { metrics, dependencies }: HealthParts,
  address: { host: string; port: number },
): Promise<FastifyInstance> {
  const app = Fastify({ forceCloseConnections: true })
  mountHealth(app, { metrics, dependencies })
  await app.listen(address)
  return app
}

/** Health and metrics beside the pages, for a process that has no port of its own for them. */
export function mountHealth(app: FastifyInstance, { metrics, dependencies }: HealthParts): void {
  mountLiveness(app)
  mountReadiness(app, dependencies)
  mountMetrics(app, metrics)
}
