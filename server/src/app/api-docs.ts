import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@chairside/contract'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../kit/door/open-api.ts'

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chairside API</title></head>
<body><script id="api-reference" data-url="/docs/api/openapi.json" data-configuration='{"withDefaultFonts":false,"hideClientButton":true,"telemetry":false,"agent":{"disabled":true},"mcp":{"disabled":true}}'></script>
<script src="/docs/api/reference.js"></script></body></html>`

/** Page to read and try the calls, with nothing fetched from elsewhere, and the OpenAPI document behind it. */
export function mountApiDocs(app: FastifyInstance, publicUrl: string): void {
  const script = path.join(
    path.dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference'))),
    'browser/standalone.js',
  )
  // Made when it is first asked for: it takes a good part of a server's start.
  let document: object | undefined
  app.get('/docs/api/openapi.json', async () => (document ??= openApiDocument(endpoints, publicUrl)))
  app.get('/docs/api/reference.js', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/javascript')
      .send(fs.createReadStream(script)),
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
