import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readDemoSettings } from '../demo/demo-settings.ts'
import { freePorts } from '../testing/free-ports.ts'
import { makeDataFolder } from '../testing/temporary-data.ts'

const program = path.join(import.meta.dirname, '../start-demo.ts')
const patience = { timeout: 120_000, interval: 50 }

let data: ReturnType<typeof makeDataFolder>
beforeAll(() => {
  data = makeDataFolder()
})
afterAll(() => data.remove())

interface Demo {
  url: string
  child: ChildProcess
  ended: Promise<number | null>
  output(): string
}
const demos: Demo[] = []
afterEach(async () => {
  for (const { child, ended } of demos.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
})

async function startDemo(environment: Record<string, string> = {}): Promise<Demo> {
  const [port = 0, sandboxPort = 0, mqttPort = 0] = await freePorts(3)
  let output = ''
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: data.folder,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      MQTT_PORT: String(mqttPort),
      DEMO_ORDERS: '500',
      DEMO_DEVICES: '60',
      ...environment,
    },
  })
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const demo = { url: `http://127.0.0.1:${port}`, child, ended, output: () => output }
  demos.push(demo)
  return demo
}

const says = (demo: Demo, words: string) => vi.waitFor(() => expect(demo.output()).toContain(words), patience)
const lockFile = () => path.join(data.postgresFolder, 'cluster/postmaster.pid')
const databasePid = () => Number(fs.readFileSync(lockFile(), 'utf8').split('\n')[0])

/** The first that is written; what follows takes long enough. */
async function untilAccountsAreThere(): Promise<void> {
  const file = path.join(data.postgresFolder, 'connection.json')
  const { port, password } = JSON.parse(fs.readFileSync(file, 'utf8')) as { port: number; password: string }
  const client = new pg.Client({
    connectionString: `postgres://chairside:${password}@127.0.0.1:${port}/chairside`,
  })
  await client.connect()
  try {
    while ((await client.query('select 1 from accounts limit 1')).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
  } finally {
    await client.end()
  }
}

async function ordersSeenIn({ url }: Demo): Promise<number> {
  const signIn = await fetch(`${url}/api/sessions/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'demo1234' }),
  })
  const { data: session } = (await signIn.json()) as { data: { token: string } }
  const answer = await fetch(`${url}/api/history/orders`, {
    headers: { 'x-access-token': session.token },
  })
  return ((await answer.json()) as { data: { total: number } }).data.total
}

describe('the demo', () => {
  it('is filled anew when it was cut short while it was filled, and ends with its database then', async () => {
    const first = await startDemo()
    await says(first, 'Making the demo network')
    await untilAccountsAreThere()
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(130)
    await vi.waitFor(() => expect(fs.existsSync(lockFile())).toBe(false), patience)

    const second = await startDemo()
    await says(second, 'Chairside runs')
    expect(second.output()).toContain('Making the demo network')
    expect(await ordersSeenIn(second)).toBeGreaterThan(100)
  })

  it('shows the pay page of a chair that can be bought', async () => {
    const demo = await startDemo()
    await says(demo, 'Chairside runs')
    const [, sid = ''] = /Pay page .*\/d\/(\S+)/.exec(demo.output()) ?? []
    await vi.waitFor(async () => {
      const answer = await fetch(`${demo.url}/api/pay/devices/${sid}`)
      expect(await answer.json()).toMatchObject({ data: { deviceId: sid, state: 'ready' } })
    }, patience)
  })

  it('keeps what it has, serves again when its database was killed, and ends in order with its terminal', async () => {
    const demo = await startDemo()
    await says(demo, 'Chairside runs')
    expect(demo.output()).not.toContain('Making the demo network')
    const killed = databasePid()
    process.kill(killed, 'SIGKILL')
    await says(demo, 'the embedded PostgreSQL runs again')
    await vi.waitFor(async () => expect((await fetch(`${demo.url}/readyz`)).status).toBe(200), patience)
    expect(databasePid()).not.toBe(killed)
    expect(await ordersSeenIn(demo)).toBeGreaterThan(100)
    demo.child.kill('SIGHUP')
    expect(await demo.ended).toBe(0)
    expect(fs.existsSync(lockFile())).toBe(false)
  })

  it('names a wrong setting before it starts anything', async () => {
    const folder = path.join(data.folder, 'not-made')
    const demo = await startDemo({ SESSION_IDLE_SECONDS: 'long', DATA_DIR: folder })
    expect(await demo.ended).toBe(1)
    expect(demo.output()).toContain('SESSION_IDLE_SECONDS is wrong')
    expect(demo.output()).not.toMatch(/^\s+at /m)
    expect(fs.existsSync(folder)).toBe(false)
  })
})

describe('the settings of the demo', () => {
  it.each([
    ['PORT', '65535'],
    ['PORT', 'http'],
    ['DEMO_ORDERS', 'many'],
    ['DEMO_DEVICES', '0'],
    ['DEMO_STILL', 'perhaps'],
    ['SANDBOX_PORT', '-1'],
    ['TIME_ZONE', 'Mars'],
  ])('refuse %s=%s', (name, value) => {
    expect(() => readDemoSettings({ [name]: value })).toThrow(`${name} is wrong`)
  })

  it('are not taken for others when they are misspelt', () => {
    const misspelt = { DEMO_ORDER: '5', DEMO_DEVISES: '50' }
    expect(() => readDemoSettings(misspelt)).toThrow(
      'DEMO_ORDER: did you mean DEMO_ORDERS?\n  DEMO_DEVISES: did you mean DEMO_DEVICES?',
    )
  })

  it('write to nothing that was set up for production', () => {
    const production = {
      DATABASE_URL: 'postgres://db.internal/chairside',
      SECRET_KEY: 'the key of production, which is long enough',
      MQTT_URL: 'mqtts://broker.internal',
      S3_BUCKET_URL: 'https://pictures.internal',
      SMTP_URL: 'smtps://mail.internal',
      MAIL_FROM: 'chairs@production.example',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
      ROLES: 'worker',
      PUBLIC_URL: '',
    }
    const own = {
      databaseUrl: 'postgres://127.0.0.1/demo',
      secretKey: 'the key of the demo, which is long enough',
    }
    const messengers = { http: 'http://127.0.0.1:1', smtp: 'smtp://127.0.0.1:2' }
    expect(readDemoSettings(production).configWith({ ...own, messengers })).toMatchObject({
      ...own,
      mail: { url: messengers.smtp, from: 'chairside@demo.example' },
      robotUrls: { weCom: messengers.http, dingTalk: messengers.http, feishu: messengers.http },
      mqttUrl: '',
      s3: undefined,
      roles: ['web', 'gateway', 'worker'],
      publicUrl: 'http://127.0.0.1:8080',
    })
  })
})
