import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
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

/** What browsers are told with every answer. It is always the same, and helmet would write it anew each time. */
export const securityHeaders = headersOf(sendSecurityHeaders)
