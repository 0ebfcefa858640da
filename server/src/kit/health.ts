import type { FastifyInstance } from 'fastify'

/** A part the process needs to do its work; `check` throws when it is away. */
export interface Dependency {
  name: string
  check(): Promise<void>
  /** Most of the work goes on without it: it is reported, and requests are still taken. */
  isSpared?: boolean
}

const checkTimeoutMs = 2000

/** `/healthz`: the process runs. */
export function mountLiveness(app: FastifyInstance): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
}

/** `/readyz`: all it cannot spare answers, else 503; either way with what does not. */
export function mountReadiness(app: FastifyInstance, dependencies: readonly Dependency[]): void {
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      dependencies.map(async ({ name, check, isSpared = false }) => {
        try {
          await Promise.race([check(), timeout()])
          return { name, state: 'ok', isNeeded: true } as const
        } catch {
          return { name, state: 'away', isNeeded: !isSpared } as const
        }
      }),
    )
    const ready = results.every(({ state, isNeeded }) => state === 'ok' || !isNeeded)
    return reply.status(ready ? 200 : 503).send({
      status: ready ? 'ok' : 'away',
      parts: Object.fromEntries(results.map(({ name, state }) => [name, state])),
    })
  })
}

async function timeout(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, checkTimeoutMs).unref())
  throw new Error('no answer in time')
}
