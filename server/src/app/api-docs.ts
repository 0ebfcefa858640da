import { endpoints } from '@chairside/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { openApiDocument } from '../kit/door/open-api.ts'

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chairside API</title></head>
<body><script id="api-reference" data-url="/docs/api/openapi.json" data-configuration='{"withDefaultFonts":false,"hideClientButton":true,"telemetry":false,"agent":{"disabled":true},"mcp":{"disabled":true},"showDeveloperTools":"never"}'></script>
<script src="/docs/api/reference.js"></script></body></html>`

/**
 * The script of the page. The package has it in a plugin whose own page has scripts that our security headers forbid, so
 * the plugin is asked for the script alone. It is read when it is first wanted: it is five megabytes.
 */
async function readScript(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  try {
    await app.register(reference, { routePrefix: '/reference', configuration: { content: {} } })
    const { statusCode, rawPayload } = await app.inject('/reference/js/scalar.js')
    if (statusCode !== 200) throw new Error(`the script of the API's page answers ${statusCode}`)
    return rawPayload
  } finally {
    await app.close()
  }
}

/** Page to read and try the calls, with nothing fetched from elsewhere, and the OpenAPI document behind it. */
export function mountApiDocs(app: FastifyInstance, publicUrl: string): void {
  // Made when it is first asked for: it takes a good part of a server's start.
  let document: object | undefined
  let script: Promise<Buffer> | undefined
  app.get('/docs/api/openapi.json', async () => (document ??= openApiDocument(endpoints, publicUrl)))
  app.get('/docs/api/reference.js', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/javascript')
      .send(await (script ??= readScript())),
  )
  app.get('/docs/api', (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(page),
  )
}
