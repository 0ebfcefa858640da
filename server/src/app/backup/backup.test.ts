import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { startWechatSandbox } from '@chairside/sandbox/wechat/wechat-sandbox'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillDemo } from '../../demo/fill-demo.ts'
import { createDiskStore } from '../../kit/object-store/disk-store.ts'
import { knownMigrations, migrate } from '../../kit/migrate.ts'
import { createSecretBox } from '../../kit/secrets.ts'
import { makeDataFolder } from '../../testing/temporary-data.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { BackupError } from './backup-file.ts'
import { restore } from './restore.ts'

const secretKey = 'the key of what is backed up, long enough'
const oddName = 'tab\there, new\nline, back\\slash, \\N, 海底角店 🪑'

let data: ReturnType<typeof makeDataFolder>
let source: TestDatabase
const databases: TestDatabase[] = []

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true })
  databases.push(database)
  return database
}

beforeAll(async () => {
  data = makeDataFolder()
  source = await createTestDatabase()
  databases.push(source)
  const wechat = await startWechatSandbox({ port: 0 })
  const size = { agents: 8, merchants: 12, devices: 60, membersPerMerchant: 2 }
  const pictures = createDiskStore(path.join(data.folder, 'source/pictures'))
  await fillDemo({ databaseUrl: source.url, secretKey, pictures }, wechat, { size, orders: 300, days: 90 })
  await wechat.stop()
  const client = new pg.Client({ connectionString: source.url })
  await client.connect()
  await client.query('update organisations set name = $1 where id = (select max(id) from organisations)', [
    oddName,
  ])
  await client.query(`update platform_settings set key_fingerprint = $1`, [
    createSecretBox(secretKey).fingerprint,
  ])
  await client.query(
    `insert into sessions (token_hash, account_id, created_at, last_used_at, renewed_at, expires_at)
     select '\\x01', min(id), now(), now(), now(), now() + interval '1 hour' from accounts`,
  )
  await client.query(`select graphile_worker.add_job('some:work', '{"of": "then"}')`)
  await client.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker of then'`,
  )
  await client.end()
})
afterAll(async () => {
  for (const database of databases) await database.drop()
  data.remove()
})

/** Runs a command as npm does. */
async function run(command: string, typed: string[], environment: Record<string, string>) {
  const file = path.join(import.meta.dirname, `${command}-command.ts`)
  const child = spawn(process.execPath, [file, ...typed], {
    env: { PATH: process.env['PATH'], INIT_CWD: data.folder, SECRET_KEY: secretKey, ...environment },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  expect(output).not.toMatch(/^\s+at /m)
  return { code, output }
}

async function makeBackup(from: TestDatabase, folder: string): Promise<string> {
  const made = await run('backup', [folder], {
    DATABASE_URL: from.url,
    DATA_DIR: path.join(data.folder, 'source'),
  })
  expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/backup\.zip: \d+ rows/) })
  const names = fs.readdirSync(path.join(data.folder, folder))
  expect(names).toEqual([expect.stringMatching(/^chairside-[\d-]+\.backup\.zip$/)])
  return path.join(folder, names[0] ?? '')
}

const into = (database: TestDatabase, folder: string) => ({
  DATABASE_URL: database.url,
  DATA_DIR: path.join(data.folder, folder),
})

/** What is in each table, and the rules about it. */
async function imageOf(url: string) {
  const tables = await query<{ name: string; columns: string }>(
    url,
    `select c.oid::regclass::text as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not attisdropped
      where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and relkind in ('r', 'p') and not relispartition
        and c.oid::regclass::text not in ('schema_migrations', 'graphile_worker.migrations', 'worker_processes', 'sessions', 'upload_tokens')
      group by 1 order by 1`,
  )
  const content: Record<string, string | null | undefined> = {}
  for (const { name, columns } of tables.filter((table) => !table.name.includes('_private_job'))) {
    const [row] = await query<{ sum: string | null }>(
      url,
      `select count(*) || ' ' || md5(string_agg(r::text, '|' order by r::text)) as sum from (select ${columns} from ${name}) r`,
    )
    content[name] = row?.sum
  }
  const rules = await query(
    url,
    `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition, convalidated from pg_constraint
      where contype = 'f' and conparentid = 0 order by 1, 2`,
  )
  const sequences = await query(
    url,
    `select sequencename, last_value::text from pg_sequences where schemaname = 'public' order by 1`,
  )
  const triggers = await query(
    url,
    `select tgrelid::regclass::text as "table", tgname, tgenabled from pg_trigger where not tgisinternal
      and not exists (select from pg_inherits where inhrelid = tgrelid) order by 1, 2`,
  )
  return { content, rules, sequences, triggers }
}

describe('a backup', () => {
  it('says by its code when pictures are missing in it, and has everything else', async () => {
    const { code, output } = await run('backup', ['without pictures'], {
      DATABASE_URL: source.url,
      DATA_DIR: path.join(data.folder, 'elsewhere'),
    })
    expect(output).toMatch(/\d+ rows, 0 pictures, .*not in the backup: \S/s)
    expect(code).toBe(2)
    const [file = ''] = fs.readdirSync(path.join(data.folder, 'without pictures'))
    const target = await emptyDatabase()
    expect(
      await run('restore', [path.join('without pictures', file)], into(target, 'no pictures')),
    ).toMatchObject({
      code: 0,
    })
  })

  it('ends in an empty system that has everything, rules and numbering too, and a book that is proved', async () => {
    const file = await makeBackup(source, 'one file')
    expect(fs.statSync(path.join(data.folder, file)).mode & 0o777).toBe(0o600)
    const target = await emptyDatabase()
    const restored = await run('restore', [file], into(target, 'target'))
    expect(restored.output).toContain('Each balance equals its entries')
    expect(restored.output).not.toContain('DIFFERS')
    expect(restored.code).toBe(0)

    const [then, now] = [await imageOf(source.url), await imageOf(target.url)]
    expect(now.content).toEqual(then.content)
    expect(Object.keys(now.content).length).toBeGreaterThan(50)
    expect(now.rules).toEqual(then.rules)
    expect(now.triggers).toEqual(then.triggers)
    expect(now.sequences).toEqual(then.sequences)
    expect(await query(target.url, `select 1 from pg_trigger where tgenabled = 'D'`)).toEqual([])
    expect(await query(target.url, 'select name from organisations order by id desc limit 1')).toEqual([
      { name: oddName },
    ])
    // Work that was under way is to be done, by whoever is there now; nobody is signed in.
    expect(await query(target.url, 'select distinct locked_by from graphile_worker._private_jobs')).toEqual([
      { locked_by: null },
    ])
    expect(await query(target.url, 'select 1 from sessions')).toEqual([])
    const folders = ['source', 'target'].map((name) => path.join(data.folder, name, 'pictures'))
    const [pictures = [], copies = []] = folders.map((folder) => fs.readdirSync(folder).toSorted())
    expect(pictures.length).toBeGreaterThan(0)
    expect(copies).toEqual(pictures)
    for (const key of pictures) {
      const [before, after] = folders.map((folder) => fs.readFileSync(path.join(folder, key)))
      expect(after).toEqual(before)
    }

    const again = await run('restore', [file], into(target, 'target'))
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('The database is not empty') })
  })

  it('of an earlier version is restored and brought up to date', async () => {
    const earlier = await emptyDatabase()
    // As it once was: a part with a lower number came later than one with a higher.
    const only = knownMigrations().flatMap(({ name }) =>
      name < '0286' && name !== '0276-refunds-of-a-day.sql' ? [name] : [],
    )
    await migrate(earlier.url, { only })
    await query(
      earlier.url,
      `insert into accounts (id, organisation_id, user_name, is_owner, password_hash) values (1, 1, 'admin', true, '')`,
    )
    const file = await makeBackup(earlier, 'earlier')
    const target = await emptyDatabase()
    const restored = await run('restore', [file], into(target, 'later'))
    expect(restored.output).toMatch(/Brought up to date by 0276-refunds-of-a-day\.sql, 0286-/)
    expect(restored.code).toBe(0)
    expect(await query(target.url, 'select user_name from accounts')).toEqual([{ user_name: 'admin' }])
    expect(await migrate(target.url)).toEqual([])
  })

  it('that cannot be restored says why, and leaves the database empty', async () => {
    const file = await makeBackup(source, 'whole')
    const whole = fs.readFileSync(path.join(data.folder, file))
    const target = await emptyDatabase()
    const refusedCommand = async (typed: string[], words: string, environment = {}) => {
      const { code, output } = await run('restore', typed, { ...into(target, 'nowhere'), ...environment })
      expect(output).toContain(words)
      expect(code).toBe(1)
    }
    await refusedCommand([], 'Say which file')
    await refusedCommand(['not-there.zip'], 'there is no such file')
    await refusedCommand([file], 'SECRET_KEI: did you mean SECRET_KEY?', { SECRET_KEI: secretKey })
    const pictures = createDiskStore(path.join(data.folder, 'nowhere/pictures'))
    const refused = async (name: string, words: string, key = secretKey) => {
      const keyFingerprint = createSecretBox(key).fingerprint
      const tried = restore(path.join(data.folder, name), {
        databaseUrl: target.url,
        pictures,
        keyFingerprint,
      })
      await expect(tried).rejects.toThrow(words)
      await expect(tried).rejects.toBeInstanceOf(BackupError)
    }
    await refused('whole', 'it is a folder')
    fs.writeFileSync(path.join(data.folder, 'cut.zip'), whole.subarray(0, whole.length / 2))
    await refused('cut.zip', 'it is no backup, or was cut short')
    fs.writeFileSync(path.join(data.folder, 'noise.zip'), randomBytes(5000))
    await refused('noise.zip', 'it is no backup')
    await refused(file, 'SECRET_KEY is not the one of this backup', `${secretKey}, another`)
    // A single bit, in the middle of the orders.
    const damaged = Buffer.from(whole)
    const at = damaged.indexOf('tables/order_history.copy') + 1000
    damaged[at] = (damaged[at] ?? 0) ^ 0x10
    fs.writeFileSync(path.join(data.folder, 'damaged.zip'), damaged)
    await refused('damaged.zip', 'damaged')
    expect(await query(target.url, `select 1 from accounts`)).toEqual([])
    // What was tried before is in nobody's way.
    expect(await run('restore', [file], into(target, 'after all'))).toMatchObject({ code: 0 })
  })

  it('is not made of an empty database, nor into what is no folder', async () => {
    const empty = await emptyDatabase()
    expect(await run('backup', ['nothing'], into(empty, 'source'))).toMatchObject({
      code: 1,
      output: 'There is nothing to back up: the database is empty.\n',
    })
    expect(fs.readdirSync(path.join(data.folder, 'nothing'))).toEqual([])
    fs.writeFileSync(path.join(data.folder, 'a file'), '')
    expect(await run('backup', ['a file'], into(source, 'source'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('a file has its name'),
    })
    expect(await run('backup', ['/proc/backups/nightly'], into(source, 'source'))).toMatchObject({
      code: 1,
      output: '/proc/backups cannot be made: the system takes no new folder there.\n',
    })
  })
})
