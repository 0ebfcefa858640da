import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NoticeCheck, PaymentAdapter } from './payment-adapter.ts'

/** An address for notices that does nothing but have them proved, answers as the adapter says, and keeps the checks. */
export interface NoticePost {
  url: string
  /** The next notice that comes. @throws when none comes in time */
  next(timeoutMs?: number): Promise<NoticeCheck>
  /** Takes only the n-th notice and later ones. */
  takesFrom(count: number): void
  stop(): Promise<void>
}

const patienceMs = 30_000
const lookEveryMs = 10

export async function startNoticePost(adapter: PaymentAdapter): Promise<NoticePost> {
  const checks: NoticeCheck[] = []
  let [came, takesFrom] = [0, 1]
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body = Buffer.concat(chunks)
    const check = await adapter.parseNotice({ headers: request.headers, body, now: new Date() })
    came++
    const answer = adapter.noticeAnswer(check.verified && came >= takesFrom, 'not taken')
    response.writeHead(answer.status).end(answer.body === null ? undefined : JSON.stringify(answer.body))
    checks.push(check)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/notify`,
    async next(timeoutMs = patienceMs) {
      const until = performance.now() + timeoutMs
      while (performance.now() < until) {
        const check = checks.shift()
        if (check) return check
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
      }
      throw new Error('no notice came')
    },
    takesFrom(count) {
      takesFrom = count
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
