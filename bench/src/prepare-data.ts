import fs from 'node:fs'
import path from 'node:path'
import { startEmbeddedPostgres } from '@chairside/server/kit/embedded-postgres'
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

/** As many chairs are away, in trouble or on a mobile network as are elsewhere; none falls silent while it is measured. */
const statusesOfDevices = `update device_states set signal = device_id % 6, last_seen_at = now() + interval '1 day',
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

/** Whatever was measured before, and let chairs fall silent, each has its status again. */
async function giveStatuses(client: pg.Client): Promise<void> {
  await client.query(statusesOfDevices)
  // What the server and autovacuum would have done by the time anybody reads.
  await client.query('select rebuild_device_counters()')
  await client.query(
    'vacuum (analyze) devices, device_states, device_counters, device_counter_deltas, device_totals',
  )
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
    // All rows of a network are written at once and then changed at once, which leaves each behind up to three times; in one
    // that grew they stand close together.
    await client.query('vacuum (full) organisations')
    say(`vacuumed in ${await secondsOf(() => client.query('vacuum (analyze)'))} s`)
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/** A database with what is to be measured. */
export interface MeasuredDatabase {
  url: string
  stop(): Promise<void>
}

/**
 * Starts the embedded database with what is to be measured, kept in a folder of its own below `dataDirectory`; made when it
 * is not there yet. The network and its orders are the same each time.
 */
async function prepareEmbedded(
  dataDirectory: string,
  measured: Measured,
  say: (text: string) => void,
): Promise<MeasuredDatabase> {
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

/** What is said of a database that was filled to the end. */
const filled = 'filled for measurements'

/** The same on a server that is there already, in a database of its own for each. */
async function prepareOnServer(
  serverUrl: string,
  measured: Measured,
  say: (text: string) => void,
): Promise<MeasuredDatabase> {
  const name = `bench_${measured.name.replaceAll('-', '_')}`
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const server = new pg.Client({ connectionString: serverUrl })
  await server.connect()
  try {
    const { rows } = await server.query<{ said: string | null }>(
      `select shobj_description(oid, 'pg_database') as said from pg_database where datname = $1`,
      [name],
    )
    if (rows[0]?.said !== filled) {
      say(`making ${measured.name}`)
      await server.query(`drop database if exists ${name}`)
      await server.query(`create database ${name}`)
      await fill(url, measured, say)
      await server.query(`comment on database ${name} is '${filled}'`)
    }
  } finally {
    await server.end()
  }
  return { url, stop: async () => undefined }
}

/** Starts or finds the database with what is to be measured; made when it is not there yet. */
export async function prepareData(
  at: { dataDirectory: string; serverUrl: string | undefined },
  measured: Measured,
  say: (text: string) => void,
): Promise<MeasuredDatabase> {
  const database =
    at.serverUrl === undefined
      ? await prepareEmbedded(at.dataDirectory, measured, say)
      : await prepareOnServer(at.serverUrl, measured, say)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await giveStatuses(client)
  } finally {
    await client.end()
  }
  return database
}
