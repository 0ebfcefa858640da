import { setTimeout as sleep } from 'node:timers/promises'
import { demoBoardPassword } from '@chairside/server/demo/demo-environment'
import { freePorts } from '@chairside/server/testing/free-ports'
import pg from 'pg'
import { startFleet, type Fleet } from './fleet.ts'
import type { BoardLogin } from './fleet-messages.ts'
import { openHeartbeatSql } from './heartbeat-sql.ts'
import { medianOf } from './measure.ts'
import { benchSecretKey } from './prepare-data.ts'
import { startBare, startProduct, type BareServer } from './servers.ts'

/** All chairs come at once: how long until each is known to be online, and how often one tried in vain. */
export interface Arrival {
  seconds: number
  failedAttempts: number
}

export interface ChairResult {
  chairs: number
  firstTime: Arrival
  /** All lines broke at the same moment. */
  linesDropped: Arrival
  /** The server was killed and started anew. */
  serverKilled: Arrival
  serverMegabytes: number
  chairsMegabytes: number
  heartbeats: {
    sent: number
    /** Acknowledged by the broker, and taken in by the gateway. */
    acknowledged: number
    takenIn: number
    /** A second, the median of the rounds. */
    bareTcp?: number
    bareBroker: number
    product: number
    batchedSql: number
  }
  killed: {
    acknowledged: number
    /** Boards whose last acknowledged heartbeat the database did not have after the kill. */
    boardsBehind: number
  }
}

interface Setting {
  databaseUrl: string
  dataDirectory: string
  chairs: number
  perBoard: number
  rounds: number
  say(text: string): void
}

const batchRows = 500
const patienceMs = 120_000
const atOnce = 4000

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`)
    await sleep(50)
  }
}

const isOnline = '(1, 4)'

/** Measures what the database, the broker and the server make of many chairs. */
export async function measureChairs(setting: Setting): Promise<ChairResult> {
  const client = new pg.Client({ connectionString: setting.databaseUrl })
  await client.connect()
  try {
    const { rows: devices } = await client.query<{ id: string; sid: string }>(
      'select id, sid from devices where removed_at is null order by id limit $1',
      [setting.chairs],
    )
    const ids = devices.map(({ id }) => Number(id))
    const boards = devices.map(({ sid }) => ({ sid, password: demoBoardPassword(benchSecretKey, sid) }))
    const arrivals = await measureArrivals(setting, client, ids, boards)
    const beats = await measureHeartbeats(setting, client, ids, boards)
    return { chairs: boards.length, ...arrivals, ...beats }
  } finally {
    await client.end()
  }
}

type Arrivals = Omit<ChairResult, 'chairs' | 'heartbeats' | 'killed'>

/** Chairs as they are, with their own pauses, on the product. */
async function measureArrivals(
  setting: Setting,
  client: pg.Client,
  ids: readonly number[],
  boards: readonly BoardLogin[],
): Promise<Arrivals> {
  const { databaseUrl, dataDirectory, say } = setting
  await client.query(`update device_states set status = 2, boot_id = '', last_seen_at = null`)
  const [mqttPort] = await freePorts(1)
  const settings = { MQTT_PORT: String(mqttPort) }
  let product = await startProduct(databaseUrl, dataDirectory, settings)
  const fleet = startFleet('chairs')
  const arrive = async (begin: () => unknown): Promise<Arrival> => {
    const start = performance.now()
    const since = new Date()
    const { attempts: before } = await fleet.count()
    await begin()
    await until('all chairs online', async () => {
      const { rows } = await client.query<{ online: string }>(
        `select count(*) as online from device_states
          where device_id = any($1) and status in ${isOnline} and last_seen_at >= $2`,
        [ids, since],
      )
      return Number(rows[0]?.online) === ids.length && (await fleet.count()).connected === ids.length
    })
    const seconds = (performance.now() - start) / 1000
    const failedAttempts = (await fleet.count()).attempts - before - ids.length
    say(`${ids.length} chairs online in ${seconds.toFixed(1)} s, ${failedAttempts} attempts failed`)
    return { seconds: Math.round(seconds * 10) / 10, failedAttempts }
  }
  try {
    const firstTime = await arrive(() => fleet.connect(`mqtt://127.0.0.1:${settings.MQTT_PORT}`, boards))
    const linesDropped = await arrive(() => fleet.dropLines())
    const serverMegabytes = product.peakMegabytes()
    const serverKilled = await arrive(async () => {
      await product.kill()
      product = await startProduct(databaseUrl, dataDirectory, settings)
    })
    const chairsMegabytes = fleet.peakMegabytes()
    return { firstTime, linesDropped, serverKilled, serverMegabytes, chairsMegabytes }
  } finally {
    await fleet.stop()
    await product.stop()
  }
}

/** Boards with something that only confirms and counts what they say. */
async function openBare(
  kind: BareServer,
  { dataDirectory, perBoard }: Setting,
  boards: readonly BoardLogin[],
): Promise<{ rate(): Promise<number>; stop(): Promise<void> }> {
  const [port = 0] = await freePorts(1)
  const server = await startBare(kind, port, dataDirectory)
  const fleet = startFleet('boards')
  await connectAll(fleet, port, boards)
  const heard = async () => Number(await (await fetch(`${server.url}/heard`)).text())
  return {
    /** Heartbeats a second until the last is heard. */
    async rate() {
      const start = performance.now()
      const before = await heard()
      const { sent } = await fleet.beat('bare', perBoard, atOnce)
      await until('all heartbeats heard', async () => (await heard()) - before === sent)
      return sent / ((performance.now() - start) / 1000)
    },
    async stop() {
      await fleet.stop()
      await server.stop()
    },
  }
}

/** Boards that beat as quickly as they are acknowledged: by bare TCP, the bare broker and the product, and without any. */
async function measureHeartbeats(
  setting: Setting,
  client: pg.Client,
  ids: readonly number[],
  boards: readonly BoardLogin[],
): Promise<Pick<ChairResult, 'heartbeats' | 'killed'>> {
  const { databaseUrl, dataDirectory, perBoard, rounds, say } = setting
  const tcp = await openBare('bare-tcp', setting, boards)
  const broker = await openBare('bare-broker', setting, boards)
  const [port = 0] = await freePorts(1)
  const product = await startProduct(databaseUrl, dataDirectory, { MQTT_PORT: String(port) })
  const productBoards = startFleet('boards')
  const sql = await openHeartbeatSql(databaseUrl, ids)
  try {
    await connectAll(productBoards, port, boards)
    const rates: Record<'bareTcp' | 'bareBroker' | 'product' | 'batchedSql', number[]> = {
      bareTcp: [],
      bareBroker: [],
      product: [],
      batchedSql: [],
    }
    let [sent, acknowledged] = [0, 0]
    const takenBefore = await countTakenIn(product.url)
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const heartbeats = ids.length * perBoard
      const tcpRate = await tcp.rate()
      const brokerRate = await broker.rate()
      const start = performance.now()
      const beaten = await productBoards.beat(`r${round}`, perBoard, atOnce)
      await until(
        'all heartbeats stored',
        async () => (await countStored(client, `r${round}-${perBoard}`)) === ids.length,
      )
      const productRate = beaten.sent / ((performance.now() - start) / 1000)
      const sqlRate = await sql.rate(batchRows, heartbeats)
      sent += beaten.sent
      acknowledged += beaten.acknowledged
      say(
        `heartbeats a second: bare TCP ${Math.round(tcpRate)}, bare broker ${Math.round(brokerRate)}, product ${Math.round(productRate)}, batched SQL ${Math.round(sqlRate)}`,
      )
      if (round === 0) continue
      rates.bareTcp.push(tcpRate)
      rates.bareBroker.push(brokerRate)
      rates.product.push(productRate)
      rates.batchedSql.push(sqlRate)
    }
    const takenIn = (await countTakenIn(product.url)) - takenBefore
    if (takenIn !== acknowledged)
      throw new Error(`${acknowledged} heartbeats were acknowledged and ${takenIn} taken in`)
    const killing = productBoards.beat('killed', perBoard * 100, atOnce)
    await sleep(3000)
    await product.kill()
    const beaten = await killing
    const boardsBehind = await countBehind(client, 'killed', beaten.lastAcknowledged)
    say(`killed: ${beaten.acknowledged} acknowledged, ${boardsBehind} boards behind`)
    return {
      heartbeats: {
        sent,
        acknowledged,
        takenIn,
        bareTcp: medianOf(rates.bareTcp),
        bareBroker: medianOf(rates.bareBroker),
        product: medianOf(rates.product),
        batchedSql: medianOf(rates.batchedSql),
      },
      killed: { acknowledged: beaten.acknowledged, boardsBehind },
    }
  } finally {
    await Promise.all([tcp.stop(), broker.stop(), productBoards.stop(), sql.close()])
    await product.stop()
  }
}

async function connectAll(fleet: Fleet, port: number, boards: readonly BoardLogin[]): Promise<void> {
  await fleet.connect(`mqtt://127.0.0.1:${port}`, boards)
  const { connected } = await fleet.count()
  if (connected !== boards.length) throw new Error(`only ${connected} of ${boards.length} boards came in`)
}

/** Heartbeats the gateway has taken in since it started. */
async function countTakenIn(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^chairside_gateway_reports_total\{kind="status"\} (\d+)/m.exec(metrics)?.[1])
}

async function countStored(client: pg.Client, bootId: string): Promise<number> {
  const { rows } = await client.query<{ stored: string }>(
    'select count(*) as stored from device_states where boot_id = $1',
    [bootId],
  )
  return Number(rows[0]?.stored)
}

/** How many boards said more, and had it acknowledged, than is kept of them. */
async function countBehind(
  client: pg.Client,
  bootId: string,
  acknowledged: readonly [sid: string, number: number][],
): Promise<number> {
  const { rows } = await client.query<{ sid: string; bootId: string }>(
    'select d.sid, s.boot_id as "bootId" from device_states s join devices d on d.id = s.device_id',
  )
  const kept = new Map(rows.map((row) => [row.sid, row.bootId]))
  const isBehind = ([sid, number]: [string, number]) => {
    const [word, stored = '0'] = kept.get(sid)?.split('-') ?? []
    return number > (word === bootId ? Number(stored) : 0)
  }
  return acknowledged.filter(isBehind).length
}
