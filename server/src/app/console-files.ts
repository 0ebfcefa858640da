import fs from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { wantsPage } from '../kit/door/page-address.ts'
import { sayAsFile, sayAsPage } from '../kit/door/security-headers.ts'
import { answerUnknownPath } from '../kit/door/web-app.ts'

const repository = path.join(import.meta.dirname, '../../..')
const consoleFolder = path.join(repository, 'console/dist')
const payPageFolder = path.join(repository, 'paypage/dist')

const yearSeconds = 31_536_000

/** Built files carry a hash of their content in the name and never change. */
const hashed = {
  maxAge: yearSeconds * 1000,
  immutable: true,
  index: false as const,
  decorateReply: false,
  preCompressed: true,
}

/** A page that names its hashed files is asked for again each time. */
const sendPage = (reply: FastifyReply, page: string | undefined) =>
  page === undefined
    ? reply
        .status(503)
        .type('text/plain; charset=utf-8')
        .send('The pages are not built: run `npm run build`.')
    : reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)

/** A page with the settings of this installation that it shows, as `meta` elements in its head. */
function readPage(folder: string, settings: Record<string, string>): string | undefined {
  const file = path.join(folder, 'index.html')
  if (!fs.existsSync(file)) return undefined
  const metas = Object.entries(settings).map(
    ([name, content]) => `<meta name="${name}" content="${escapeAttribute(content)}" />`,
  )
  return fs.readFileSync(file, 'utf8').replace('</head>', () => `${metas.join('')}</head>`)
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Serves the pay page at `/d/{deviceId}` and the console everywhere else. */
export async function mountPages(
  app: FastifyInstance,
  { companyName, timeZone }: { companyName: string; timeZone: string },
): Promise<void> {
  const consolePage = readPage(consoleFolder, { 'company-name': companyName, 'time-zone': timeZone })
  const payPage = readPage(payPageFolder, {})
  await app.register(fastifyStatic, {
    ...hashed,
    root: path.join(consoleFolder, 'assets'),
    prefix: '/assets/',
    setHeaders: sayAsFile,
  })
  await app.register(fastifyStatic, {
    ...hashed,
    root: path.join(payPageFolder, 'pay-assets'),
    prefix: '/pay-assets/',
    // The console's preview runs in a sandbox, to which its own files are a stranger's.
    setHeaders: (reply) => {
      sayAsFile(reply)
      reply.header('access-control-allow-origin', '*')
    },
  })
  app.get('/d/:deviceId', (_request, reply) => sendPage(reply, payPage))
  // The console shows it in a frame beside the form of goods; nobody else may, and nothing can be bought there.
  app.get('/pay-preview', (_request, reply) => {
    const policy = String(reply.getHeader('content-security-policy'))
    reply.header(
      'content-security-policy',
      policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    )
    return sendPage(reply, payPage)
  })
  for (const file of ['favicon.svg', 'robots.txt']) {
    app.get(`/${file}`, (_request, reply) =>
      fs.existsSync(path.join(consoleFolder, file))
        ? reply
            .type(file.endsWith('.svg') ? 'image/svg+xml' : 'text/plain')
            .send(fs.createReadStream(path.join(consoleFolder, file)))
        : reply.status(404).send(),
    )
  }
  // `/api/device/status` is a screen and a call: a browser's navigation gets the screen (decisions §3).
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.split('?')[0] === '/api/device/status' && wantsPage(request))
      return sendPage(sayAsPage(reply), consolePage)
  })
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request) && !request.url.startsWith('/api/') && !request.url.startsWith('/assets/')
      ? sendPage(reply, consolePage)
      : answerUnknownPath(request, reply),
  )
}
