import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { startMessengers } from '@chairside/sandbox/messengers/messengers'
import { startS3Sandbox } from '@chairside/sandbox/s3/s3-sandbox'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePorts } from '../../testing/free-ports.ts'
import { makeDataFolder } from '../../testing/temporary-data.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'

let data: ReturnType<typeof makeDataFolder>
let database: TestDatabase
let server: ChildProcess
let settings: Record<string, string>

beforeAll(async () => {
  data = makeDataFolder()
  database = await createTestDatabase()
  const [port = 0, mqttPort = 0, nobody = 0] = await freePorts(3)
  settings = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: database.url,
    SECRET_KEY: 'the key of an installation that is looked at',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    MQTT_HOST: '127.0.0.1',
    MQTT_PORT: String(mqttPort),
    DATA_DIR: data.folder,
    LOG_LEVEL: 'silent',
  }
  away = String(nobody)
  server = spawn(process.execPath, [path.join(import.meta.dirname, '../../main.ts')], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    server.stdout?.on('data', (chunk: Buffer) => chunk.includes('Chairside serves') && resolve())
  })
})
let away: string
afterAll(async () => {
  const ended = new Promise((resolve) => server.once('close', resolve))
  server.kill('SIGTERM')
  await ended
  await database.drop()
  data.remove()
})

/** What the doctor says of each part, with how it is; the same part may be told of twice. */
async function doctor(changes: Record<string, string> = {}, options: string[] = []) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'doctor-command.ts'), ...options], {
    env: { ...settings, ...changes },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  expect(output).not.toContain(settings['SECRET_KEY'])
  const states = Object.groupBy(
    output.split('\n').map((line) => line.split(/ {2,}/)),
    ([state = '']) => state,
  )
  const partsOf = (state: string) => (states[state] ?? []).map(([, part]) => part)
  return { code, output, ok: partsOf('ok'), look: partsOf('look'), wrong: partsOf('WRONG') }
}

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

describe('the doctor', () => {
  it('finds nothing wrong with an installation that works', async () => {
    const { code, output, look, wrong, ok } = await doctor()
    expect(output).toContain('12 proofs hold')
    expect([look, wrong]).toEqual([[], []])
    expect(ok).toEqual(
      expect.arrayContaining([
        'database',
        'schema',
        'clock',
        'secret key',
        'ledger',
        'lists',
        'server',
        'broker',
        'pictures',
      ]),
    )
    expect(code).toBe(0)
    // It makes nothing that the server, as another user, could not write to.
    expect(fs.existsSync(path.join(data.folder, 'pictures'))).toBe(false)
    fs.mkdirSync(path.join(data.folder, 'pictures'))
    expect((await doctor({}, ['--without-ledger'])).output).toContain('are kept at')
    expect(fs.readdirSync(path.join(data.folder, 'pictures'))).toEqual([])
  })

  it('names what does not fit: key, time zone, an address that leads elsewhere, a broker that refuses', async () => {
    const { code, wrong } = await doctor(
      {
        SECRET_KEY: 'another key than that, just as long as it is',
        TIME_ZONE: 'UTC',
        PUBLIC_URL: `http://127.0.0.1:${away}`,
        MQTT_URL: `mqtt://127.0.0.1:${settings['MQTT_PORT']}`,
      },
      ['--without-ledger'],
    )
    expect(wrong).toEqual(['time zone', 'secret key', 'public address', 'broker'])
    expect(code).toBe(1)
  })

  it('says why pictures cannot be kept in a bucket', async () => {
    const bucket = await startS3Sandbox()
    const { accessKeyId, secretAccessKey, region } = bucket.keys
    const store = {
      S3_BUCKET_URL: bucket.bucketUrl,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    }
    const looked = (changes: Record<string, string>) => doctor({ ...store, ...changes }, ['--without-ledger'])
    expect((await looked({})).ok).toContain('pictures')
    const wrongKey = await looked({ S3_SECRET_ACCESS_KEY: 'another' })
    expect(wrongKey.wrong).toEqual(['pictures'])
    expect(wrongKey.output).toContain('S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID.')
    const noBucket = await looked({ S3_BUCKET_URL: `${bucket.bucketUrl}-of-before` })
    expect(noBucket.output).toContain('there is no such bucket, see S3_BUCKET_URL.')
    await bucket.stop()
    const silent = await looked({})
    expect(silent.output).toMatch(/the object store at \S+ does not answer \(connect ECONNREFUSED/)
  })

  it('says whether the mail server takes our login', async () => {
    const messengers = await startMessengers({ httpPort: 0, smtpPort: 0 })
    const looked = (SMTP_URL: string) =>
      doctor({ SMTP_URL, MAIL_FROM: 'chairs@operator.example' }, ['--without-ledger'])
    expect((await looked(messengers.urls.smtp)).ok).toContain('mail')
    const password = 'one-of-before'
    const wrongLogin = Object.assign(new URL(messengers.urls.smtp), { password })
    const refused = await looked(wrongLogin.href)
    expect(refused.wrong).toEqual(['mail'])
    expect(refused.output).toContain('authentication failed')
    expect(refused.output).not.toContain(password)
    await messengers.stop()
    expect((await looked(messengers.urls.smtp)).output).toMatch(/mail .*does not: .*ECONNREFUSED/)
  })

  it('says what it could not look at', async () => {
    const other = new URL(database.url)
    other.port = away
    // A balancer with nothing behind it.
    const hangsUp = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(hangsUp, 'listening')
    const { code, wrong, look } = await doctor({
      DATABASE_URL: other.href,
      PORT: away,
      MQTT_PORT: String((hangsUp.address() as net.AddressInfo).port),
    })
    hangsUp.close()
    expect(wrong).toEqual(['database'])
    expect(look).toEqual(['server', 'broker'])
    expect(code).toBe(1)
    const empty = await createTestDatabase({ empty: true })
    expect((await doctor({ DATABASE_URL: empty.url })).wrong).toEqual(['schema'])
    await empty.drop()
  })

  it('finds work that nobody does, and a book that does not hold', async () => {
    await execute(`
      select graphile_worker.add_job('nobody:does-this', run_at => now() - interval '1 hour');
      insert into ledger_accounts (merchant_id, kind, may_be_negative, balance_cents) values (1, 'wechatBalance', false, 5)`)
    const { code, output, look, wrong } = await doctor()
    expect(look).toEqual(['jobs'])
    expect(wrong).toEqual(['ledger'])
    expect(output).toMatch(/account \d+: expected 0, found 5/)
    expect(code).toBe(1)
  })
})
