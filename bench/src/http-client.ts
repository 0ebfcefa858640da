import http from 'node:http'

/** Reads an address over one kept connection; what comes back is counted, and kept only when it is wanted. */
export interface HttpClient {
  getBody(path: string, headers?: Record<string, string>): Promise<string>
  /** Bytes of an answer of any length. */
  countBytes(path: string, headers?: Record<string, string>): Promise<number>
  postJson(path: string, body: unknown): Promise<string>
  close(): void
}

/** A client of one server; an answer other than 200 is an error. */
export function createHttpClient(url: string): HttpClient {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const send = (
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: string },
    onChunk: (chunk: Buffer) => void,
  ) =>
    new Promise<void>((resolve, reject) => {
      const request = http.request(new URL(path, url), {
        agent,
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
      })
      request.on('error', reject)
      request.on('response', (answer) => {
        answer.on('data', onChunk)
        answer.on('error', reject)
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve()
          else reject(new Error(`${path} answered ${answer.statusCode}`))
        })
      })
      request.end(options.body)
    })
  const bodyOf = async (path: string, options: Parameters<typeof send>[1]) => {
    const chunks: Buffer[] = []
    await send(path, options, (chunk) => chunks.push(chunk))
    return Buffer.concat(chunks).toString()
  }
  return {
    getBody: (path, headers = {}) => bodyOf(path, { headers }),
    async countBytes(path, headers = {}) {
      let bytes = 0
      await send(path, { headers }, (chunk) => (bytes += chunk.length))
      return bytes
    },
    postJson: (path, body) =>
      bodyOf(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    close: () => agent.destroy(),
  }
}
