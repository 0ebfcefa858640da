import type { FastifyInstance } from 'fastify'

/** How long a body without a file may take to arrive whole: it is short. */
const usualPatienceMs = 20_000

const isForm = (contentType: string | undefined) => contentType?.startsWith('multipart/') ?? false

/**
 * Hangs up on who begins a body and does not end it. It is kept in memory until it is whole, and anybody can begin as many
 * as there are connections; a file over a slow line has longer.
 */
export function endSlowBodies(app: FastifyInstance, patienceMs = usualPatienceMs): void {
  app.addHook('preParsing', ({ raw, method, headers }, _reply, payload, done) => {
    if (method !== 'GET' && !isForm(headers['content-type'])) {
      const timer = setTimeout(() => raw.complete || raw.destroy(), patienceMs).unref()
      raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}
