import type { IncomingMessage } from 'node:http'

type Asking = Pick<IncomingMessage, 'method' | 'headers'>

/** Whether somebody opens a page, as a browser does. */
export const wantsPage = ({ method, headers }: Asking): boolean =>
  (method === 'GET' || method === 'HEAD') && String(headers.accept ?? '').includes('text/html')

/**
 * The address of a request as it is looked for. One whose path cannot be decoded (`/d/%zz`, a link that was cut in the
 * middle) is taken as it is written when a page is wanted: it leads to the page that says in words that there is nothing.
 */
export function addressToServe(request: Pick<IncomingMessage, 'method' | 'headers' | 'url'>): string {
  const { url = '/' } = request
  if (!url.includes('%') || url.startsWith('/api/') || !wantsPage(request)) return url
  const [path = ''] = url.split('?', 1)
  return isReadable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length)
}

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
