import http from 'node:http'
import https from 'node:https'

export interface Post {
  url: string
  /** JSON. */
  body: string
  headers?: Record<string, string>
  /** Decides which addresses are connected to. */
  agent?: http.Agent
  signal: AbortSignal
}
export interface Answer {
  status: number
  text: string
}

export const timeoutMs = 10_000
/** More of an answer is not read: nothing of it is shown. */
const mostCharacters = 10_000

/**
 * Posts JSON. Does not follow redirects. Not by `fetch`, which knows no agents.
 * @throws what Node says when nobody answered
 */
export function post({ url, body, headers, agent, signal }: Post): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).request(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          accept: 'application/json',
          'user-agent': 'chairside/1',
          ...headers,
        },
        agent: agent ?? false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      },
      (response) => {
        const answer: Answer = { status: response.statusCode ?? 0, text: '' }
        response.setEncoding('utf8')
        response.on('error', reject)
        response.on('end', () => resolve(answer))
        response.on('data', (piece: string) => {
          answer.text += piece
          if (answer.text.length <= mostCharacters) return
          resolve(answer)
          response.destroy()
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
