import fs from 'node:fs'
import path from 'node:path'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@chairside/server/kit/embedded-postgres'
import { createDeviceCredentials } from '@chairside/server/devices/device-credentials'
import { createSecretBox } from '@chairside/server/kit/secrets'
import { openDatabase } from '@chairside/server/kit/database'
import { migrate } from '@chairside/server/kit/migrate'
import { writeNameInitials } from '@chairside/server/organisations/name-initials'
import { demoBoardPassword } from '@chairside/server/demo/demo-environment'
import { makeHistory } from '@chairside/server/demo/make-history'
import type { NetworkSize } from '@chairside/server/demo/network'
import pg from 'pg'

/** Key of the measured servers; what it seals is made up. */
export const benchSecretKey = 'the key of measurements, which guards nothing'

/** What is made: how many orders, in a network of which size. */
export interface Measured {
  /** Name of its folder. */
  name: string
  orders: number
  size: NetworkSize
}

/** The network with so many orders. */
export const withOrders = (orders: number): Measured => ({
  name: `orders-${orders}`,
  orders,
  size: { agents: 400, merchants: 2000, devices: 20_000, membersPerMerchant: 5 },
})

/** A network of five thousand agents and merchants, with few orders. */
export const manyOrganisations: Measured = {
  name: 'organisations',
  orders: 20_000,
  size: { agents: 1000, merchants: 4000, devices: 20_000, membersPerMerchant: 1 },
}

/** Fifty thousand chairs of two thousand merchants, with few orders. */
export const manyDevices: Measured = {
  name: 'devices',
  orders: 20_000,
  size: { agents: 400, merchants: 2000, devices: 50_000, membersPerMerchant: 1 },
}

/** A network that is used, and changed, by what is measured: its chairs connect, and orders are paid. */
export const usedNetwork: Measured = {
  name: 'used',
  orders: 20_000,
  size: { agents: 400, merchants: 2000, devices: 12_000, membersPerMerchant: 1 },
}

const days = 730
/** The history ends with a year, so that the lists of that year are the same whenever it is measured. */
const until = new Date('2025-12-31T16:00:00Z')
export const listedYear = 2025
const seed = 20_261_121

/** As many chairs are away, in trouble or on a mobile network as are elsewhere. */
const statusesOfDevices = `update device_states set signal = device_id % 6,
  status = (array[1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 2, 2, 2, 3])[1 + device_id * 7919 % 16]`

const markerOf = (folder: string) => path.join(folder, 'prepared.json')

/** Seconds that `work` takes. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return Math.round((performance.now() - start) / 100) / 10
}

/** Writes what a server would write of all names when it starts, which leaves each row behind once. */
async function writeInitials(url: string): Promise<void> {
  const database = openDatabase(url)
  try {
    await writeNameInitials(database.db)
  } finally {
    await database.close()
  }
}

async function fill(url: string, { orders, size }: Measured, say: (text: string) => void): Promise<void> {
  await migrate(url)
  const secrets = createSecretBox(benchSecretKey)
  const { hashOf } = createDeviceCredentials(secrets)
  const seconds = await secondsOf(() =>
    makeHistory(url, {
      seed,
      size,
      orders,
      days,
      until,
      withStories: false,
      channel: { account: '1900000001', settings: secrets.seal('{}') },
      credentialHashOf: (sid) => hashOf(sid, demoBoardPassword(benchSecretKey, sid)),
    }),
  )
  say(`made ${orders} orders in ${seconds} s`)
  await writeInitials(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statusesOfDevices)
    // What the server and autovacuum would have done by the time anybody reads.
    await client.query('select rebuild_device_counters()')
    say(`vacuumed in ${await secondsOf(() => client.query('vacuum (analyze)'))} s`)
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/**
 * Starts the database with what is to be measured, kept in a folder of its own below `dataDirectory`; made when it is not
 * there yet. The network and its orders are the same each time.
 */
export async function prepareData(
  dataDirectory: string,
  measured: Measured,
  say: (text: string) => void,
): Promise<EmbeddedPostgres> {
  const folder = path.join(dataDirectory, measured.name)
  if (!fs.existsSync(markerOf(folder))) {
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { recursive: true })
    say(`making ${measured.name}`)
    const loading = await startEmbeddedPostgres({ dataDirectory: folder, durable: false })
    try {
      await fill(loading.url, measured, say)
    } finally {
      await loading.stop()
    }
    fs.writeFileSync(markerOf(folder), `${JSON.stringify({ ...measured, days, seed })}\n`)
  }
  return startEmbeddedPostgres({ dataDirectory: folder, durable: true })
}
