import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSimulatedChairs, type SimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import { startWechatSandbox, type WechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import { demoBoardPassword } from '@chairside/server/demo/demo-environment'
import { fillDemo } from '@chairside/server/demo/fill-demo'
import { createDeviceCredentials } from '@chairside/server/devices/device-credentials'
import { gatewayUsername } from '@chairside/server/devices/gateway/broker-access'
import { startEmbeddedPostgres } from '@chairside/server/kit/embedded-postgres'
import { migrate } from '@chairside/server/kit/migrate'
import { createSecretBox } from '@chairside/server/kit/secrets'
import { freePorts } from '@chairside/server/testing/free-ports'
import pg from 'pg'
import { checkOrders, underWay, type Outcome } from './fault-checks.ts'
import { findMosquitto, startMosquitto, type KillableBroker } from './mosquitto.ts'
import { benchSecretKey } from './prepare-data.ts'
import { startProduct, type ServerProcess } from './servers.ts'
import { placeOrders } from './shoppers.ts'

/** What was killed while many starts were under way, and what became of the orders. */
export interface FaultResult {
  broker: 'mosquitto' | 'embedded' | 'given'
  what: string
  /** From the kill until it served again. */
  secondsAway: number
  /** Orders that were paid at the provider, and whose chairs had not acknowledged the start, when it was killed. */
  startsUnderWay: number
  secondsToRest: number
  paid: number
  ran: number
  refunded: number
  wrong: number
}

interface Setting {
  dataDirectory: string
  starts: number
  /** A broker that is there already; it is not killed, and lets gateway and boards in with their passwords. */
  mqttUrl: string | undefined
  /** `mosquitto`, `embedded`, or both; when no broker is given. */
  brokers: ReadonlySet<string>
  say(text: string): void
}

const patienceMs = 240_000

interface Scene {
  client: pg.Client
  databaseUrl: string
  servers: { url: string; process: ServerProcess; restart(): Promise<ServerProcess> }[]
  chairs: SimulatedChairs
  wechat: WechatSandbox
  deviceIds: string[]
  say(text: string): void
}

async function until(what: string, isSo: () => Promise<boolean>, everyMs = 100): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`)
    await sleep(everyMs)
  }
}

/**
 * Kills servers and the broker while many starts are under way: two servers on Mosquitto, where it is installed, and one
 * server with the embedded broker.
 * @returns what happened; something went wrong when one of them has `wrong` above 0
 */
export async function measureFaults(setting: Setting): Promise<FaultResult[]> {
  const { mqttUrl, brokers, say } = setting
  if (mqttUrl) return onBroker(setting, 'given', undefined)
  const results: FaultResult[] = []
  const mosquitto = findMosquitto()
  if (brokers.has('mosquitto')) {
    if (mosquitto) results.push(...(await onBroker(setting, 'mosquitto', mosquitto)))
    else say('Mosquitto is not installed: two servers on a broker of their own are left out')
  }
  if (brokers.has('embedded')) results.push(...(await onBroker(setting, 'embedded', undefined)))
  return results
}

/** A fresh network with its chairs, servers and played WeChat, for as long as the kills take. */
async function onBroker(
  setting: Setting,
  kind: FaultResult['broker'],
  mosquitto: string | undefined,
): Promise<FaultResult[]> {
  const { say, starts } = setting
  const folder = path.join(setting.dataDirectory, 'faults')
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  const stops: (() => Promise<unknown> | unknown)[] = []
  try {
    const postgres = await startEmbeddedPostgres({ dataDirectory: folder, durable: true })
    stops.push(() => postgres.stop())
    await migrate(postgres.url)
    const wechat = await startWechatSandbox({ port: 0, timeFactor: 20, refundMs: 200 })
    stops.push(() => wechat.stop())
    const size = { agents: 4, merchants: 20, devices: Math.ceil(starts * 1.15), membersPerMerchant: 1 }
    const past = { size, orders: 500, days: 30 }
    await fillDemo({ databaseUrl: postgres.url, secretKey: benchSecretKey }, wechat, past)
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    stops.push(() => client.end())
    // At whatever hour this runs.
    await client.query('update places set open_time = null, close_time = null')
    const { rows: devices } = await client.query<{ sid: string; model: string; sells: boolean }>(
      `select d.sid, m.model, d.bound and d.locked = 0 and d.place_id is not null and d.template_id is not null
              and (select status = 1 from organisations o where o.id = d.merchant_id) as sells
         from devices d join device_models m on m.id = d.model_id order by d.id`,
    )
    const boards = devices.map(({ sid, model }) => ({
      sid,
      model,
      password: demoBoardPassword(benchSecretKey, sid),
    }))
    const [mqttPort = 0, ...ports] = await freePorts(3)
    const { gatewayPassword } = createDeviceCredentials(createSecretBox(benchSecretKey))
    const gateway = { sid: gatewayUsername, password: gatewayPassword }
    const broker = mosquitto
      ? await startMosquitto(mosquitto, path.join(folder, 'mosquitto'), mqttPort, [gateway, ...boards])
      : undefined
    if (broker) stops.push(() => broker.kill())
    const mqttUrl = setting.mqttUrl ?? broker?.url ?? `mqtt://127.0.0.1:${mqttPort}`
    // The embedded broker belongs to one server.
    const own: Record<string, string> =
      kind === 'embedded' ? { MQTT_PORT: String(mqttPort) } : { MQTT_URL: mqttUrl }
    const servers = await Promise.all(
      ports.slice(0, kind === 'embedded' ? 1 : 2).map(async (port) => {
        const settings = {
          ...own,
          PORT: String(port),
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          TRUST_PROXY: 'true',
          PAYMENT_WINDOW_SECONDS: '600',
          START_ACK_SECONDS: '10',
        }
        const restart = () => startProduct(postgres.url, folder, settings)
        const server = { url: settings.PUBLIC_URL, process: await restart(), restart }
        stops.push(() => server.process.stop())
        return server
      }),
    )
    const chairs = startSimulatedChairs({
      mqttUrl,
      chairs: boards,
      timeFactor: 120,
      heartbeatSeconds: 10,
      reconnectPauseMs: { shortest: 200, longest: 3000 },
    })
    stops.push(() => chairs.stop())
    const deviceIds = devices.flatMap(({ sid, sells }) => (sells ? [sid] : [])).slice(0, starts)
    const scene = { client, databaseUrl: postgres.url, servers, chairs, wechat, deviceIds, say }
    await until('all chairs online', async () => (await countOnline(client)) === boards.length)
    say(`${kind}: ${boards.length} chairs online, ${deviceIds.length} to start`)
    if (kind !== 'embedded') await assertSharing(scene)
    return await killInTurn(scene, kind, broker)
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

async function killInTurn(
  scene: Scene,
  kind: FaultResult['broker'],
  broker: KillableBroker | undefined,
): Promise<FaultResult[]> {
  const killServers = (servers: Scene['servers']) => async () => {
    await Promise.all(servers.map((server) => server.process.kill()))
    await sleep(1000)
    for (const server of servers) server.process = await server.restart()
  }
  const results = [await kill(scene, kind, 'one server', killServers(scene.servers.slice(0, 1)))]
  if (scene.servers.length > 1)
    results.push(await kill(scene, kind, 'all servers', killServers(scene.servers)))
  if (broker) {
    const killBroker = async () => {
      await broker.kill()
      await sleep(2000)
      await broker.start()
    }
    results.push(await kill(scene, kind, 'the broker', killBroker))
  }
  return results
}

/** Lets an order be placed and paid on each chair, kills in the middle of the starts, and waits until all is at rest. */
async function kill(
  scene: Scene,
  broker: FaultResult['broker'],
  what: string,
  killAndRestart: () => Promise<void>,
): Promise<FaultResult> {
  const { client, wechat, deviceIds, say } = scene
  await until('all chairs free', async () => (await countReady(client)) >= deviceIds.length)
  const orders = await placeOrders(
    scene.servers.map(({ url }) => url),
    deviceIds,
  )
  // An order is prepared at the provider by a job; until then it cannot be paid.
  const numbers = orders.map((orderId) => `${orderId}01`)
  await until('all orders prepared', async () => numbers.every((number) => wechat.orders.has(number)))
  const start = performance.now()
  for (const number of numbers) wechat.pay(number)
  await until('the first starts', async () => (await countAccepted(client, orders)) > 0, 5)
  const startsUnderWay = orders.length - (await countAccepted(client, orders))
  const killedAt = performance.now()
  await killAndRestart()
  const secondsAway = Math.round((performance.now() - killedAt) / 1000)
  await until('everything at rest', async () => (await underWay(client)).length === 0).catch(
    async (error) => {
      say((await underWay(client)).slice(0, 20).join('\n'))
      throw error
    },
  )
  const secondsToRest = Math.round((performance.now() - start) / 1000)
  const outcome: Outcome = await checkOrders(client, scene.databaseUrl, scene, orders)
  const { paid, ran, refunded, wrong } = outcome
  say(
    `${broker}, ${what} killed with ${startsUnderWay} starts under way: ${paid} paid, ${ran} ran, ${refunded} refunded, away for ${secondsAway} s, at rest after ${secondsToRest} s, ${wrong.length} wrong`,
  )
  for (const line of wrong.slice(0, 20)) say(`  ${line}`)
  return {
    broker,
    what,
    secondsAway,
    startsUnderWay,
    secondsToRest,
    paid,
    ran,
    refunded,
    wrong: wrong.length,
  }
}

async function countOf(client: pg.Client, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ count: string }>(text, values)
  return Number(rows[0]?.count)
}

const countOnline = (client: pg.Client) =>
  countOf(client, 'select count(*) from device_states where status in (1, 4)')

const countReady = (client: pg.Client) =>
  countOf(
    client,
    `select count(*) from device_states s join devices d on d.id = s.device_id
      where d.bound and s.status in (1, 4) and s.running_command_id = ''`,
  )

const countAccepted = (client: pg.Client, orders: readonly string[]) =>
  countOf(
    client,
    `select count(*) from device_commands where order_id = any($1) and kind = 'start' and state not in ('pending', 'sent')`,
    [orders],
  )

/** Each report goes to one of the servers: together they have taken in what was said, and each only a part of it. */
async function assertSharing({ servers, chairs, say }: Scene): Promise<void> {
  const heard = async () =>
    Promise.all(
      servers.map(async ({ url }) => {
        const metrics = await (await fetch(`${url}/metrics`)).text()
        return Number(/^chairside_gateway_reports_total\{kind="status"\} (\d+)/m.exec(metrics)?.[1])
      }),
    )
  const saidBefore = chairs.counts().heartbeats
  const before = await heard()
  await until('some heartbeats', async () => chairs.counts().heartbeats - saidBefore > 300)
  const said = chairs.counts().heartbeats - saidBefore
  const parts = (await heard()).map((count, index) => count - (before[index] ?? 0))
  const all = parts.reduce((sum, part) => sum + part, 0)
  say(`of ${said} heartbeats the servers have heard ${parts.join(' and ')}`)
  if (all > said * 1.3 || parts.some((part) => part === 0))
    throw new Error('the servers do not share what the boards say')
}
