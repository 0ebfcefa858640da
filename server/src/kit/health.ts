import type { FastifyInstance } from 'fastify'

/** A part the process needs to do its work; `check` throws when it is away. */
export interface Dependency {
  name: string
  check(): Promise<void>
}

const checkTimeoutMs = 2000

/** `/healthz`: the process runs. `/readyz`: all it depends on answers, else 503 with what does not. */
export function mountHealth(app: FastifyInstance, dependencies: readonly Dependency[]): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      dependencies.map(async ({ name, check }) => {
        try {
          await Promise.race([check(), timeout()])
          return [name, 'ok'] as const
        } catch {
          return [name, 'away'] as const
        }
      }),
    )
    const ready = results.every(([, state]) => state === 'ok')
    return reply
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'away', parts: Object.fromEntries(results) })
  })
}

async function timeout(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, checkTimeoutMs).unref())
  throw new Error('no answer in time')
}
