import pg from 'pg'
import { loadOrders } from './load-orders.ts'
import { makeNetwork } from './make-network.ts'
import type { DemoNetwork, NetworkSize } from './network.ts'
import { makeOrders } from './made-orders.ts'
import { seededRandom } from './seeded-random.ts'
import { writeAlerts } from './write-alerts.ts'
import { writeLedger } from './write-ledger.ts'
import { writeNetwork } from './write-network.ts'
import { writeOrders, type DemoChannel } from './write-orders.ts'
import { writeRollups } from './write-rollups.ts'

export interface HistoryOptions {
  seed: number
  size: NetworkSize
  orders: number
  /** Days of history before `until`. */
  days: number
  until: Date
  /** The story of each order and the ledger; without it only what lists and reports read. */
  withStories: boolean
  /** Sealed settings of the platform's WeChat channel, and the merchant number a list shows. */
  channel: { account: string; settings: Buffer }
  credentialHashOf(sid: string): Buffer
}

const dayMs = 86_400_000
const zoneHours = 8
const channelId = 1
/** Counting and sorting millions of orders in memory; small histories take no more than they need. */
const sessionOptions =
  '-c timezone=UTC -c chairside.bulk_load=on -c work_mem=192MB -c maintenance_work_mem=384MB'

async function withClients<Result>(
  url: string,
  count: number,
  work: (clients: pg.Client[]) => Promise<Result>,
): Promise<Result> {
  const clients = Array.from(
    { length: count },
    () => new pg.Client({ connectionString: url, options: sessionOptions }),
  )
  await Promise.all(clients.map((client) => client.connect()))
  try {
    return await work(clients)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/**
 * Fills an empty database with a made-up network and its past. The same seed makes the same again; the same generator
 * makes the demo and the millions of orders that are measured.
 */
export async function makeHistory(url: string, options: HistoryOptions): Promise<DemoNetwork> {
  const random = seededRandom(options.seed)
  const from = new Date(Math.floor((options.until.getTime() - options.days * dayMs) / dayMs) * dayMs)
  const network = makeNetwork(random, options.size, from)
  await withClients(url, 1, async ([client]) => {
    if (!client) return
    await client.query(
      `select ensure_month_partitions(t, $1::date, $2::date)
         from unnest(array['orders', 'order_history', 'ledger_transfers', 'ledger_entries', 'device_status_history']::regclass[]) t`,
      [new Date(from.getTime() - 2 * dayMs), new Date(options.until.getTime() + 62 * dayMs)],
    )
    await client.query('begin')
    await writeNetwork(client, network, options)
    await client.query(
      `insert into pay_channels (id, organisation_id, name, account, settings) values ($1, 1, 'wechatPay', $2, $3)`,
      [channelId, options.channel.account, options.channel.settings],
    )
    await client.query('commit')
  })
  await writePast(url, options, network, { id: channelId, account: options.channel.account }, from)
  return network
}

async function writePast(
  url: string,
  options: HistoryOptions,
  network: DemoNetwork,
  channel: DemoChannel,
  from: Date,
): Promise<void> {
  const random = seededRandom(options.seed + 1)
  await withClients(url, 4, async ([orders, history, payments, refunds]) => {
    if (!orders || !history || !payments || !refunds) return
    const stories = options.withStories ? { history, payments, refunds } : undefined
    const wanted = { orders: options.orders, from, until: options.until, zoneHours }
    await loadOrders(orders, async () => {
      const writer = writeOrders({ orders, ...(stories ? { stories } : {}) }, channel)
      for (const order of makeOrders(random, network, wanted)) await writer.add(order)
      await writer.end()
    })
    if (options.withStories) {
      await orders.query('begin')
      await writeLedger(orders)
      await orders.query('commit')
    }
    if (options.withStories) await writeAlerts(orders, seededRandom(options.seed + 2), options.until)
    // Last, since nothing is counted while it is written.
    await writeRollups(orders)
    // A rough look at the tables is enough to plan with, and takes a tenth of the time.
    await orders.query('set default_statistics_target = 10')
    await orders.query('analyze')
  })
}
