import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findCallers, type Caller } from './callers.ts'
import { measureChairs } from './chairs.ts'
import { measureDevices } from './devices.ts'
import { measureDirectus } from './directus.ts'
import { startDirectus } from './directus-server.ts'
import { measureExport } from './export.ts'
import { measureFaults } from './faults.ts'
import { measureLists } from './lists.ts'
import { measureOrganisations } from './organisations.ts'
import {
  manyDevices,
  manyOrganisations,
  prepareData,
  usedNetwork,
  withOrders,
  type Measured,
} from './prepare-data.ts'
import { measureReport } from './report.ts'
import { keepPart, keepResults } from './keep-results.ts'
import { measureScreens } from './screens.ts'
import { measureSettlement } from './settlement.ts'
import { startPeer, startProduct } from './servers.ts'

/* npm run bench: see README.md for its options. */

const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000,10000000' },
    data: { type: 'string', default: process.env['BENCH_DATA'] ?? path.join(os.tmpdir(), 'chairside-bench') },
    only: {
      type: 'string',
      default: 'lists,report,export,directus,organisations,devices,screens,chairs,settlement,faults',
    },
    chairs: { type: 'string', default: '10000' },
    payments: { type: 'string', default: '4000' },
    starts: { type: 'string', default: '1000' },
    directus: { type: 'string' },
    brokers: { type: 'string', default: 'mosquitto,embedded' },
    'mqtt-url': { type: 'string' },
    'database-url': { type: 'string' },
    rounds: { type: 'string', default: '15' },
    rows: { type: 'string', default: '1000000' },
  },
})
const parts = new Set(options.only.split(','))
const rounds = Number(options.rounds)
const at = { dataDirectory: options.data, serverUrl: options['database-url'] }
const exportRounds = 2
const screenRounds = 3

const say = (text: string) => process.stdout.write(`${text}\n`)

/** The lists, the report and the export with so many orders; servers of their own for each, so that none warms another's. */
async function measureSize(orders: number): Promise<void> {
  const postgres = await prepareData(at, withOrders(orders), say)
  try {
    say(`measuring with ${orders} orders`)
    const callers = await findCallers(postgres.url)
    const [merchant, , admin] = callers
    if (!merchant || !admin) return
    if (parts.has('lists') || parts.has('report')) {
      const product = await startProduct(postgres.url, options.data)
      const peer = await startPeer(postgres.url, options.data)
      try {
        const urls = { product: product.url, peer: peer.url }
        if (parts.has('lists'))
          keepResults(orders, { lists: await measureLists(urls, callers, { rounds, say }) })
        if (parts.has('report')) keepResults(orders, { report: await measureReport(urls, merchant, rounds) })
      } finally {
        await peer.stop()
        await product.stop()
      }
    }
    if (parts.has('directus') && options.directus) {
      const product = await startProduct(postgres.url, options.data)
      const directus = await startDirectus(path.resolve(options.directus), postgres.url, options.data)
      try {
        keepResults(orders, {
          directus: await measureDirectus(product.url, directus, merchant, { rounds, say }),
        })
      } finally {
        await directus.stop()
        await product.stop()
      }
    }
    if (parts.has('export')) {
      const product = await startProduct(postgres.url, options.data)
      try {
        const wanted = { rounds: exportRounds, rows: Number(options.rows) }
        keepResults(orders, { export: await measureExport(product, postgres.url, admin, wanted) })
      } finally {
        await product.stop()
      }
    }
  } finally {
    await postgres.stop()
  }
}

/** Starts the product and what it is measured against on some data, for as long as `measure` takes. */
async function withServers(
  measured: Measured,
  measure: (urls: { product: string; peer: string }, callers: Caller[]) => Promise<void>,
): Promise<void> {
  const postgres = await prepareData(at, measured, say)
  try {
    const callers = await findCallers(postgres.url)
    const product = await startProduct(postgres.url, options.data)
    const peer = await startPeer(postgres.url, options.data)
    try {
      await measure({ product: product.url, peer: peer.url }, callers)
    } finally {
      await peer.stop()
      await product.stop()
    }
  } finally {
    await postgres.stop()
  }
}

/** Starts the database of a network that is used by what is measured, for as long as `measure` takes. */
async function onUsedNetwork(
  measure: (network: {
    databaseUrl: string
    dataDirectory: string
    say(text: string): void
  }) => Promise<void>,
): Promise<void> {
  const postgres = await prepareData(at, usedNetwork, say)
  try {
    await measure({ databaseUrl: postgres.url, dataDirectory: options.data, say })
  } finally {
    await postgres.stop()
  }
}

fs.mkdirSync(options.data, { recursive: true })
if (['lists', 'report', 'export', 'directus'].some((part) => parts.has(part)))
  for (const orders of options.orders.split(',')) await measureSize(Number(orders))
if (parts.has('organisations'))
  await withServers(manyOrganisations, async (urls, callers) =>
    keepPart({ organisations: await measureOrganisations(urls, callers, { rounds, say }) }),
  )
if (parts.has('devices'))
  await withServers(manyDevices, async (urls, callers) =>
    keepPart({ devices: await measureDevices(urls, callers, { rounds, say }) }),
  )
if (parts.has('screens'))
  await withServers(withOrders(1_000_000), async ({ product }, [merchant, , admin]) => {
    if (!merchant || !admin) return
    keepPart({ screens: await measureScreens(product, [merchant, admin], { rounds: screenRounds, say }) })
  })
if (parts.has('chairs'))
  await onUsedNetwork(async (network) =>
    keepPart({
      chairs: await measureChairs({ ...network, chairs: Number(options.chairs), perBoard: 5, rounds: 3 }),
    }),
  )
if (parts.has('settlement'))
  await onUsedNetwork(async (network) =>
    keepPart({
      settlement: await measureSettlement({ ...network, perRound: Number(options.payments), rounds: 3 }),
    }),
  )
if (parts.has('faults')) {
  const faults = await measureFaults({
    dataDirectory: options.data,
    starts: Number(options.starts),
    mqttUrl: options['mqtt-url'],
    brokers: new Set(options.brokers.split(',')),
    say,
  })
  keepPart({ faults })
  if (faults.some(({ wrong }) => wrong > 0)) process.exitCode = 1
}
say('see bench/results/results.md')
