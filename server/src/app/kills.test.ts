import { startSimulatedChairs, type SimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import { startWechatSandbox, type WechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoBoardPassword } from '../demo/demo-environment.ts'
import { fillDemo } from '../demo/fill-demo.ts'
import { createDeviceCredentials } from '../devices/device-credentials.ts'
import { createBrokerLogin } from '../devices/gateway/broker-access.ts'
import { openDatabase, type DatabasePool } from '../kit/database.ts'
import { startEmbeddedBroker, type EmbeddedBroker } from '../kit/embedded-broker.ts'
import { migrate } from '../kit/migrate.ts'
import { createSecretBox } from '../kit/secrets.ts'
import { verifyLedger } from './verify/verify-ledger.ts'
import { startRefundClerk, type RefundClerk } from '../testing/refund-clerk.ts'
import { bundleProgram } from '../testing/bundle-program.ts'
import { freePorts } from '../testing/free-ports.ts'
import { startKilling, type KilledServers } from '../testing/killed-servers.ts'
import { startStubbornCustomers, type StubbornCustomers } from '../testing/stubborn-customers.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const kills = 100
/** Orders that have to be placed meanwhile, however slow the machine. */
const leastPlaced = 25
const secretKey = 'the key of a test that kills servers'
const log = pino({ level: 'silent' })

let testDatabase: TestDatabase
let database: DatabasePool
let broker: EmbeddedBroker
let wechat: WechatSandbox
let chairs: SimulatedChairs
let servers: KilledServers
let customers: StubbornCustomers
let clerk: RefundClerk
let program: Awaited<ReturnType<typeof bundleProgram>>

async function startBroker(port: number): Promise<EmbeddedBroker> {
  const credentials = createDeviceCredentials(createSecretBox(secretKey))
  return startEmbeddedBroker({
    host: '127.0.0.1',
    port,
    authenticate: createBrokerLogin({
      gatewayPassword: credentials.gatewayPassword,
      checkBoard: (sid, password) => credentials.check(database.db, sid, password),
    }),
    log,
  })
}

const query = async <Row extends object>(text: string): Promise<Row[]> =>
  (await database.pool.query<Row>(text)).rows

async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  patienceMs: number,
): Promise<void> {
  const end = Date.now() + patienceMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  await migrate(testDatabase.url)
  database = openDatabase(testDatabase.url)
  wechat = await startWechatSandbox({ port: 0, timeFactor: 20, refundMs: 200, shortestExpiryMs: 1000 })
  const size = { agents: 2, merchants: 3, devices: 60, membersPerMerchant: 1 }
  await fillDemo({ databaseUrl: testDatabase.url, secretKey }, wechat, { size, orders: 100, days: 30 })
  const [brokerPort = 0, ...webPorts] = await freePorts(4)
  broker = await startBroker(brokerPort)
  const devices = await query<{ sid: string; model: string; sells: boolean }>(
    `select d.sid, m.model, d.merchant_id is not null and d.locked = 0 as sells from devices d join device_models m on m.id = d.model_id`,
  )
  chairs = startSimulatedChairs({
    mqttUrl: broker.url,
    chairs: devices.map(({ sid, model }) => ({ sid, model, password: demoBoardPassword(secretKey, sid) })),
    timeFactor: 300,
    // As on a real chair, several within a run: they tell what was lost with a server.
    heartbeatSeconds: 1,
    spreadMs: 200,
    reconnectPauseMs: { shortest: 100, longest: 1000 },
  })
  program = await bundleProgram(path.join(import.meta.dirname, '../testing/server-to-kill.ts'))
  servers = startKilling(
    program.file,
    webPorts.map((port) => ({
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'chairside-compile-cache'),
      DATABASE_URL: testDatabase.url,
      SECRET_KEY: secretKey,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      MQTT_URL: broker.url,
      HOST: '127.0.0.1',
      PORT: String(port),
      CALLS_PER_MINUTE: '1000000',
      TRUST_PROXY: 'true',
      SHORT_WINDOW_SECONDS: '15',
      START_ACK_SECONDS: '3',
      LOG_LEVEL: 'silent',
    })),
  )
  const urls = webPorts.map((port) => `http://127.0.0.1:${port}`)
  customers = startStubbornCustomers({
    urls,
    deviceIds: devices.filter(({ sells }) => sells).map(({ sid }) => sid),
    pay: wechat.pay,
    customers: 10,
  })
  clerk = startRefundClerk({ urls, pool: database.pool })
})

afterAll(async () => {
  await servers?.stop()
  program?.remove()
  await chairs?.stop()
  await wechat?.stop()
  await broker?.stop()
  await database?.close()
  await testDatabase?.drop()
})

describe('servers that are killed at every step', () => {
  it('lose no payment, start no chair twice, and come to rest', async () => {
    await Promise.race([
      until('half of the kills', () => servers.killed() >= kills / 2, 600_000),
      servers.failed,
    ])
    // The broker goes away in the middle of it all, and comes back.
    const { port } = new URL(broker.url)
    await broker.stop()
    await new Promise((resolve) => setTimeout(resolve, 1500))
    broker = await startBroker(Number(port))
    await Promise.race([
      until(
        'all kills, with orders and a refund among them',
        () =>
          servers.killed() >= kills &&
          servers.fewest() > 0 &&
          clerk.applied() > 0 &&
          customers.placed.size >= leastPlaced,
        600_000,
      ),
      servers.failed,
    ])
    await Promise.all([customers.stop(), clerk.stop(), servers.recover()])
    await letRunsEnd()
    // An order that nobody came to pay is closed after its time.
    await until('everything at rest', isAtRest, 150_000).catch(async () =>
      expect(await underWay()).toEqual([]),
    )

    await expectNothingLost()
    await expectNoDoubleStart()
    const report = await verifyLedger(database.db)
    expect(report.filter(({ differing }) => differing > 0)).toEqual([])
  }, 1_500_000)
})

/**
 * A board names its last run only, so that the end of one before it can be lost with a server. Such a run ends by itself
 * when its time is long over; these chairs run quicker than the clock, which is set forward here.
 */
async function letRunsEnd(): Promise<void> {
  const longestRunMs = 10_000
  await new Promise((resolve) => setTimeout(resolve, longestRunMs))
  await query(`update device_commands set acknowledged_at = acknowledged_at - interval '1 day'
                where kind = 'start' and state = 'accepted' and acknowledged_at < now() - interval '${longestRunMs} milliseconds'`)
  await query(`select graphile_worker.add_job('devices:end-silent-runs', '{}')`)
}

/** What has not come to its end yet. */
async function underWay(): Promise<string[]> {
  const rows = await query<{ what: string }>(`
    select 'order ' || order_id || ' is ' || status as what from orders
     where order_time > now() - interval '1 hour' and status in (1, 4, 7)
    union all
    select 'payment ' || out_trade_no || ' is ' || state from payments
     where created_at > now() - interval '1 hour' and state not in ('paid', 'closed', 'refused')
    union all
    select 'refund ' || out_refund_no || ' is ' || state from provider_refunds
     where created_at > now() - interval '1 hour' and state not in ('succeeded', 'failed')
    union all
    select 'command ' || id || ' is ' || state from device_commands
     where state in ('pending', 'sent') or (kind = 'start' and state = 'accepted')
    union all
    select 'job ' || coalesce(key, task_identifier) || ' failed ' || attempts || ' times: ' || last_error from graphile_worker.jobs
     where last_error is not null`)
  return rows.map(({ what }) => what)
}

/** What was forgotten when a server ended is looked for each minute; here at each look. */
async function isAtRest(): Promise<boolean> {
  await query(`select graphile_worker.add_job('payments:find-forgotten', job_key => 'find forgotten')`)
  return (await underWay()).length === 0
}

/** What the provider took in is with us, or went back: each payment once, to the cent. */
async function expectNothingLost(): Promise<void> {
  const asked = [...customers.placed].map((orderId) => wechat.orders.get(`${orderId}01`))
  expect(asked).not.toContain(undefined)
  const paid = asked.flatMap((order) =>
    order && (order.state === 'SUCCESS' || order.state === 'REFUND') ? [order] : [],
  )
  const rows = await query<{ outTradeNo: string; amountCents: number; refundedCents: number }>(`
    select out_trade_no as "outTradeNo", amount_cents as "amountCents",
           (select coalesce(sum(r.amount_cents), 0) from provider_refunds r
             where r.out_trade_no = p.out_trade_no and r.state = 'succeeded') as "refundedCents"
      from payments p where state = 'paid' and created_at > now() - interval '1 hour'`)
  const wanted = paid.map(({ outTradeNo, amountCents, refundedCents }) => ({
    outTradeNo,
    amountCents,
    refundedCents,
  }))
  const byNumber = (one: { outTradeNo: string }, other: { outTradeNo: string }) =>
    one.outTradeNo < other.outTradeNo ? -1 : 1
  const ofThisTest = rows.filter(({ outTradeNo }) => customers.placed.has(outTradeNo.slice(0, -2)))
  expect(ofThisTest.toSorted(byNumber)).toEqual(wanted.toSorted(byNumber))
}

/** A chair ran once for each order that keeps its money, and never for one that was not paid. */
async function expectNoDoubleStart(): Promise<void> {
  const started = chairs.views().flatMap(({ startedBy }) => startedBy)
  expect(started.length).toBe(new Set(started).size)
  const orders = await query<{ orderId: string; hasRun: boolean; wasStopped: boolean; story: unknown }>(`
    select o.order_id as "orderId", o.started_at is not null as "hasRun",
           exists (select from device_commands c where c.order_id = o.order_id and c.kind = 'stop') as "wasStopped",
           json_build_object('order', to_json(o), 'commands', (select json_agg(c) from device_commands c where c.order_id = o.order_id)) as story
      from orders o where order_time > now() - interval '1 hour'`)
  const byId = new Map(orders.map((order) => [order.orderId, order]))
  const runs = Map.groupBy(started, (commandId) => commandId.slice(0, 21))
  const wrong = [...customers.placed].filter((orderId) => {
    const order = byId.get(orderId)
    const times = runs.get(orderId)?.length ?? 0
    if (times > 1) return true
    const isPaid = wechat.orders.get(`${orderId}01`)?.state === 'SUCCESS'
    if (isPaid && times !== 1) return true
    // Whose start was heard of too late has the money back, and its chair is told to stop.
    return times === 1 && !order?.hasRun && !order?.wasStopped
  })
  expect(
    wrong.map((orderId) =>
      JSON.stringify({ runs: runs.get(orderId) ?? [], story: byId.get(orderId)?.story }),
    ),
  ).toEqual([])
}
