import { spawn } from 'node:child_process'
import net from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownMigrations, migrate } from '../kit/migrate.ts'
import { withAdmin } from '../testing/admin-connection.ts'
import { freePorts } from '../testing/free-ports.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const program = path.join(import.meta.dirname, '../main.ts')

let database: TestDatabase
let usual: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  const [port = 0, mqttPort = 0] = await freePorts(2)
  usual = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: database.url,
    SECRET_KEY: 'the key of a test of production',
    PUBLIC_URL: 'http://chairs.example.com',
    HOST: '127.0.0.1',
    PORT: String(port),
    MQTT_HOST: '127.0.0.1',
    MQTT_PORT: String(mqttPort),
    LOG_LEVEL: 'silent',
  }
  usual['SECRET_KEY'] += ', long enough'
})
afterAll(() => database.drop())

/** Runs production until it ends or `enough` of its output has come. */
async function run(environment: Record<string, string>, enough?: RegExp, signal: NodeJS.Signals = 'SIGTERM') {
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let faults = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (enough?.test(output)) child.kill(signal)
  })
  child.stderr.on('data', (chunk: Buffer) => (faults += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output, faults }
}

/** One line in plain words, no stack, no secret. */
async function expectRefusal(changes: Record<string, string>, sentence: RegExp): Promise<void> {
  const { code, output, faults } = await run({ ...usual, ...changes })
  expect(faults).toMatch(sentence)
  expect(faults).not.toMatch(/^\s+at /m)
  expect(faults).not.toContain(usual['SECRET_KEY'])
  expect(output).toBe('')
  expect(code).toBe(1)
}

describe('production', () => {
  it('migrates an empty database, shows the first password once, serves, and ends in order', async () => {
    const serving = /Chairside serves http/
    const first = await run(usual, serving)
    expect(first.faults).toBe('')
    expect(first.output).toMatch(/First admin: admin, password \S{12} \(shown this once/)
    expect(first.code).toBe(0)
    const second = await run(usual, serving, 'SIGHUP')
    expect(second.output).not.toContain('password')
    expect(second.code).toBe(0)
  })

  it('names every setting that is missing, and stops', async () => {
    await expectRefusal(
      { DATABASE_URL: '', PUBLIC_URL: '' },
      /DATABASE_URL is missing.*\n.*PUBLIC_URL is missing/,
    )
  })

  it('names a setting that is wrong, and stops', async () => {
    await expectRefusal({ PORT: '70000' }, /PORT is wrong/)
    await expectRefusal({ SECRET_KEY: 'short' }, /SECRET_KEY is wrong/)
  })

  it('says so when the database is away, unknown, or refuses the password', async () => {
    const [nobody = 0] = await freePorts(1)
    await expectRefusal(
      { DATABASE_URL: `postgres://a:b@127.0.0.1:${nobody}/c` },
      /^Nothing answers at 127\.0\.0\.1:\d+/,
    )
    const other = new URL(database.url)
    other.pathname = '/nowhere'
    await expectRefusal({ DATABASE_URL: other.href }, /^The database named in DATABASE_URL does not exist/)
    other.href = database.url
    other.password = 'guess'
    await expectRefusal({ DATABASE_URL: other.href }, /^The database refuses the user name or password/)
    other.password = ''
    await expectRefusal(
      { DATABASE_URL: other.href },
      /^The database wants a password, and DATABASE_URL has none/,
    )
  })

  it('says so when the user may make nothing in the database', async () => {
    const empty = await createTestDatabase({ empty: true })
    const poor = new URL(empty.url)
    await withAdmin(empty.url, (admin) => admin.query(`create role poor login password 'poor'`))
    poor.username = poor.password = 'poor'
    await expectRefusal(
      { DATABASE_URL: poor.href },
      /^The user in DATABASE_URL may not do this \(permission denied .*\): it has to own the database\./,
    )
    await withAdmin(database.url, (admin) => admin.query('drop role poor'))
    await empty.drop()
  })

  it('says so before it makes anything when the encoding of the database cannot hold all characters', async () => {
    const latin = new URL(database.url)
    latin.pathname = '/test_latin'
    await withAdmin(database.url, (admin) =>
      admin.query(
        `create database test_latin encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C' template template0`,
      ),
    )
    await expectRefusal(
      { DATABASE_URL: latin.href },
      /^The encoding of the database is LATIN1; it has to be UTF8/,
    )
    await withAdmin(database.url, (admin) => admin.query('drop database test_latin'))
  })

  it('says so when a port is in use', async () => {
    const occupant = net.createServer().listen(Number(usual['PORT']), '127.0.0.1')
    await new Promise((resolve) => occupant.once('listening', resolve))
    await expectRefusal({}, new RegExp(`^Port ${usual['PORT']} is in use by another program`))
    await new Promise((resolve) => occupant.close(resolve))
  })

  it('refuses the key of another installation, by the fingerprints of both', async () => {
    await expectRefusal(
      { SECRET_KEY: 'some other key that is long enough too' },
      /^SECRET_KEY is not the one this database was set up with: its fingerprint is \w+, the database's is \w+/,
    )
  })

  it("leaves another installation's database as it is, also one that it could bring up to date", async () => {
    const older = await createTestDatabase({ empty: true })
    const only = knownMigrations().flatMap(({ name }, index, all) => (index < all.length - 1 ? [name] : []))
    await migrate(older.url, { only })
    await withAdmin(older.url, async (admin) => {
      await admin.query(`update platform_settings set key_fingerprint = 'another'`)
    })
    await expectRefusal(
      { DATABASE_URL: older.url },
      /^SECRET_KEY is not the one .* the database's is another/,
    )
    expect(await migrate(older.url)).toHaveLength(1)
    await older.drop()
  })

  it('says so when the database can only be read, or belongs to something else, and leaves it as it is', async () => {
    const other = await createTestDatabase({ empty: true })
    const name = new URL(other.url).pathname.slice(1)
    await withAdmin(database.url, (admin) =>
      admin.query(`alter database ${name} set default_transaction_read_only = on`),
    )
    await expectRefusal({ DATABASE_URL: other.url }, /^The database can only be read: it is a standby/)
    await withAdmin(database.url, (admin) =>
      admin.query(`alter database ${name} reset default_transaction_read_only`),
    )
    await withAdmin(other.url, (admin) => admin.query('create table orders (what text)'))
    await expectRefusal(
      { DATABASE_URL: other.url },
      /^The database belongs to something else: .* table orders/,
    )
    await withAdmin(other.url, async (admin) => {
      const { rows } = await admin.query(
        `select relname from pg_class where relnamespace = 'public'::regnamespace`,
      )
      expect(rows).toEqual([{ relname: 'orders' }])
    })
    await other.drop()
  })
})
