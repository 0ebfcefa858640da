import type pg from 'pg'
import { demoPassword } from '../demo/write-network.ts'

/** A merchant who has orders refunded and an admin who approves it, while servers come and go. */
export interface RefundClerk {
  applied(): number
  stop(): Promise<void>
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function startRefundClerk({ urls, pool }: { urls: readonly string[]; pool: pg.Pool }): RefundClerk {
  const ending = new AbortController()
  let applied = 0

  async function ask(
    path: string,
    options: { token?: string; body: Record<string, string> },
  ): Promise<{ token?: string } | null> {
    for (;;) {
      try {
        const response = await fetch(urls[Math.floor(Math.random() * urls.length)] + path, {
          method: 'POST',
          headers: options.token ? { 'x-access-token': options.token } : {},
          body: new URLSearchParams(options.body),
          signal: AbortSignal.timeout(5000),
        })
        const { success, data } = (await response.json()) as {
          success: boolean
          data: { token?: string } | null
        }
        return success ? (data ?? {}) : null
      } catch {
        await pause(50)
      }
    }
  }
  /** A server that is killed while it checks a password leaves a failure behind, and after some of them one would have to wait. */
  const signIn = async (username: string): Promise<string> => {
    const session = await ask('/api/sessions/login', { body: { username, password: demoPassword } })
    if (session?.token !== undefined || ending.signal.aborted) return session?.token ?? ''
    await pause(500)
    await pool.query('delete from sign_in_failures')
    return signIn(username)
  }

  const work = async () => {
    const [merchant, admin] = [await signIn('merchant'), await signIn('admin')]
    while (!ending.signal.aborted) {
      await pause(150)
      const { rows } = await pool.query<{ orderId: string }>(`
        select order_id as "orderId" from orders o join accounts a on a.organisation_id = o.merchant_id and a.user_name = 'merchant'
         where order_time > now() - interval '1 hour' and o.status in (3, 4) and pay_channel = 'wechatPay' order by random() limit 1`)
      const orderId = rows[0]?.orderId
      if (orderId === undefined) continue
      if (
        await ask(`/api/orders/refund/${orderId}`, { token: merchant, body: { remark: 'no longer wanted' } })
      )
        applied++
      const { rows: waiting } = await pool.query<{ id: number }>(
        `select id from refunds where status = 5 and order_id = $1`,
        [orderId],
      )
      const id = waiting[0]?.id
      if (id !== undefined)
        await ask(`/api/orders/auditrefund/${id}`, { token: admin, body: { audit: '1', remark: 'granted' } })
    }
  }
  const done = work()
  return {
    applied: () => applied,
    async stop() {
      ending.abort()
      await done
    },
  }
}
