import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import helmet from 'helmet'

const sendSecurityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      // antd writes its styles into the page.
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    },
  },
  crossOriginEmbedderPolicy: false,
  // Whether the address is https is the proxy's to know; it also sets HSTS.
  hsts: false,
  referrerPolicy: { policy: 'same-origin' },
})

function headersOf(send: typeof sendSecurityHeaders): Record<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  send(answer.req, answer, (error) => {
    if (error) throw error
  })
  return Object.fromEntries(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]))
}

/** What browsers are told with a page. It is always the same, and helmet would write it anew each time. */
export const pageHeaders = headersOf(sendSecurityHeaders)

/** Of these, what is of use with a page alone. */
const ofPagesAlone = new Set([
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
])

/** With a file that a page loads; each header more would be sent for nothing. */
const fileHeaders = Object.fromEntries(
  Object.entries(pageHeaders).filter(([name]) => !ofPagesAlone.has(name)),
)

/** With what a call answers, which is data: opened as a page it may load nothing, and nobody may frame it. */
export const callHeaders = {
  ...fileHeaders,
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
}

/** Tells browsers what holds for a page where the address is a call's. */
export const sayAsPage = (reply: FastifyReply) => reply.headers(pageHeaders)

/** Takes back what only pages need. */
export function sayAsFile(reply: Pick<FastifyReply, 'removeHeader'>): void {
  for (const name of ofPagesAlone) reply.removeHeader(name)
}
