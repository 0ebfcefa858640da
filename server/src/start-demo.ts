import os from 'node:os'
import path from 'node:path'
import { startSimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import { startSimulatedCustomers } from '@chairside/sandbox/customers/simulated-customers'
import { startMessengers } from '@chairside/sandbox/messengers/messengers'
import { startWechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import pg from 'pg'
import { openPictureStore } from './app/picture-files.ts'
import { exitWith } from './app/plain-errors.ts'
import { startServer, type RunningServer } from './app/start-server.ts'
import type { Config } from './config.ts'
import { findChairToTry } from './demo/chair-to-try.ts'
import { demoBoardPassword, demoSecretKey } from './demo/demo-environment.ts'
import { letAlertsBeTrue, startMisfortunes } from './demo/misfortunes.ts'
import { readDemoSettings } from './demo/demo-settings.ts'
import { demoReceivers } from './demo/demo-receivers.ts'
import { fillDemo } from './demo/fill-demo.ts'
import { fillOnce } from './demo/fill-once.ts'
import { reachWechat } from './demo/reach-wechat.ts'
import { demoPassword } from './demo/write-network.ts'
import { startEmbeddedPostgres } from './kit/embedded-postgres.ts'
import { createLog } from './kit/log.ts'
import { migrate } from './kit/migrate.ts'
import { createStopsInOrder } from './kit/stop-in-order.ts'

/* The demo: everything on this machine, in one folder, with a made-up network that lives while one looks. */

const demoSize = { agents: 40, merchants: 120, membersPerMerchant: 10 }
const demoDays = 730
const customerEveryMs = 4000

const stops = createStopsInOrder(createLog('warn'), 60_000)

/** Waits for all parts once the demo runs; while it starts, it ends at once, and the next start begins where this one was. */
let isRunning = false
let isStopping = false
function stop(signal: NodeJS.Signals): void {
  // Its database ends with it, however it ends.
  if (!isRunning) process.exit(128 + os.constants.signals[signal])
  if (isStopping) return
  isStopping = true
  stops.stopAll().then((isClean) => process.exit(isClean ? 0 : 1), exitWith)
}
// Also of a terminal that is closed.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)

async function lookInto<Found>(url: string, look: (client: pg.Client) => Promise<Found>): Promise<Found> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await look(client)
  } finally {
    await client.end()
  }
}

/** One chair of so many is away. */
const oneAwayOf = 33

async function startLife(
  config: Config,
  server: RunningServer,
  { isStill, kept, pay }: { isStill: boolean; kept: string | undefined; pay: (outTradeNo: string) => void },
): Promise<void> {
  const { rows: devices } = await lookInto(config.databaseUrl, (client) =>
    client.query<{ sid: string; model: string; sells: boolean }>(
      `select d.sid, m.model, d.merchant_id is not null and d.locked = 0 as sells from devices d join device_models m on m.id = d.model_id order by d.id`,
    ),
  )
  const chairs = startSimulatedChairs({
    mqttUrl: server.mqttUrl,
    chairs: devices.map(({ sid, model }) => ({
      sid,
      password: demoBoardPassword(config.secretKey, sid),
      model,
    })),
    spreadMs: 8000,
  })
  // Now and then one is away, as in life, and no merchant has them all.
  for (const [number, { sid }] of devices.entries())
    if (number % oneAwayOf === oneAwayOf - 1 && sid !== kept) chairs.setFaults({ sid }, { isOffline: true })
  stops.add('chairs', () => chairs.stop())
  await letAlertsBeTrue(server.database.db, chairs)
  if (isStill) return
  const misfortunes = await startMisfortunes(server.database.db, chairs)
  const customers = startSimulatedCustomers({
    url: server.url,
    deviceIds: devices.filter(({ sid, sells }) => sells && sid !== kept).map(({ sid }) => sid),
    pay,
    everyMs: customerEveryMs,
  })
  stops.add('misfortunes', () => misfortunes.stop())
  stops.add('customers', () => customers.stop())
}

function greet(
  server: RunningServer,
  { deviceId, messages }: { deviceId: string | undefined; messages: string },
): void {
  process.stdout.write(`
Chairside runs at ${server.url}

  Console   ${server.url}/login
            admin, agent, agent-sub, merchant, merchant-sub – password ${demoPassword}
  Pay page  ${server.url}/d/${deviceId ?? ''}  (pays at the simulated WeChat)
  Messages  ${messages}  (what the simulated robots and mailboxes were told)
  API       ${server.url}/docs/api

Stop with Ctrl+C. Everything is kept in the data folder.
`)
}

try {
  const settings = readDemoSettings(process.env)
  const dataDirectory = path.resolve(process.env['DATA_DIR'] || '.data')
  const log = createLog('warn')
  const postgres = await startEmbeddedPostgres({
    dataDirectory: path.join(dataDirectory, 'postgres'),
    durable: true,
    keptRunning: {
      log: log.child({ part: 'postgres' }),
      onGivenUp() {
        process.stderr.write(
          'The embedded PostgreSQL ends again and again; postgres.log in its folder says why.\n',
        )
        process.exit(1)
      },
    },
  })
  stops.add('postgres', () => postgres.stop())
  const wechat = await startWechatSandbox({
    port: settings.sandboxPort,
    dataFile: path.join(dataDirectory, 'wechat.json'),
  })
  stops.add('wechat', () => wechat.stop())
  const messengers = await startMessengers({ httpPort: settings.messengersPort, smtpPort: 0 })
  stops.add('messengers', () => messengers.stop())
  for (const { kind, key } of demoReceivers) messengers.addRobot(kind, { key })
  const config = settings.configWith({
    databaseUrl: postgres.url,
    secretKey: demoSecretKey(dataDirectory),
    messengers: messengers.urls,
  })
  await fillOnce(dataDirectory, {
    forget: () => postgres.empty(),
    async fill(onBegin) {
      await migrate(config.databaseUrl)
      const history = {
        size: { ...demoSize, devices: settings.devices },
        orders: settings.orders,
        days: demoDays,
      }
      await fillDemo({ ...config, pictures: openPictureStore(config) }, wechat, history, () => {
        onBegin()
        process.stdout.write('Making the demo network and two years of orders…\n')
      })
    },
  })
  await reachWechat(config, wechat)
  const server = await startServer(config, createLog(config.logLevel))
  stops.add('server', () => server.stop())
  const chair = await lookInto(config.databaseUrl, findChairToTry)
  await startLife(config, server, { isStill: settings.isStill, kept: chair, pay: wechat.pay })
  greet(server, { deviceId: chair, messages: messengers.urls.http })
  isRunning = true
} catch (error) {
  await stops.stopAll()
  exitWith(error)
}
