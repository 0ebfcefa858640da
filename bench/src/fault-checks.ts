import type { SimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import type { WechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import { openDatabase } from '@chairside/server/kit/database'
import { verifyLedger } from '@chairside/server/app/verify/verify-ledger'
import type pg from 'pg'

/** What became of some paid orders. */
export interface Outcome {
  paid: number
  /** The chair ran, once. */
  ran: number
  /** The money went back. */
  refunded: number
  /** One line for each order that was lost or started twice, and each claim of the ledger that does not hold. */
  wrong: string[]
}

/** What has not come to its end yet. */
export async function underWay(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(`
    select 'order ' || order_id || ' is ' || status as what from orders
     where order_time > now() - interval '2 hours' and (status in (1, 4, 7) or (status = 3 and finished_at is null))
    union all
    select 'refund ' || out_refund_no || ' is ' || state from provider_refunds
     where created_at > now() - interval '2 hours' and state not in ('succeeded', 'failed')
    union all
    select 'command ' || id || ' is ' || state from device_commands
     where state in ('pending', 'sent') or (kind = 'start' and state = 'accepted')`)
  return rows.map(({ what }) => what)
}

/** Holds what the provider, the chairs and the database say of these orders against each other. */
export async function checkOrders(
  client: pg.Client,
  databaseUrl: string,
  seen: { wechat: WechatSandbox; chairs: SimulatedChairs },
  orderIds: readonly string[],
): Promise<Outcome> {
  const { rows } = await client.query<{
    orderId: string
    status: number
    hasRun: boolean
    wasStopped: boolean
  }>(
    `select o.order_id as "orderId", o.status, o.started_at is not null as "hasRun",
            exists (select from device_commands c where c.order_id = o.order_id and c.kind = 'stop') as "wasStopped"
       from orders o where o.order_id = any($1) and o.order_time > now() - interval '2 hours'`,
    [orderIds],
  )
  const byId = new Map(rows.map((row) => [row.orderId, row]))
  const runs = Map.groupBy(
    seen.chairs.views().flatMap(({ startedBy }) => startedBy),
    (commandId) => commandId.slice(0, 21),
  )
  const outcome: Outcome = { paid: 0, ran: 0, refunded: 0, wrong: [] }
  for (const orderId of orderIds) {
    const order = byId.get(orderId)
    const provider = seen.wechat.orders.get(`${orderId}01`)
    const times = runs.get(orderId)?.length ?? 0
    if (provider?.state === 'SUCCESS' || provider?.state === 'REFUND') outcome.paid++
    const isRefunded = provider?.state === 'REFUND' && provider.refundedCents === provider.amountCents
    if (times === 1) outcome.ran++
    if (isRefunded) outcome.refunded++
    const isDoubled = times > 1
    const isLost = !order || (provider?.state === 'SUCCESS' && (times !== 1 || !order.hasRun))
    // Whose start was heard of too late has the money back, and its chair is told to stop.
    const ranForNothing = isRefunded && times > 0 && !order?.hasRun && !order?.wasStopped
    if (isDoubled || isLost || ranForNothing)
      outcome.wrong.push(
        `order ${orderId}: status ${order?.status}, provider ${provider?.state}, started ${times} times`,
      )
  }
  const database = openDatabase(databaseUrl)
  try {
    for (const { claim, differing } of await verifyLedger(database.db))
      if (differing > 0) outcome.wrong.push(`ledger: ${claim}: ${differing} differ`)
  } finally {
    await database.close()
  }
  return outcome
}
