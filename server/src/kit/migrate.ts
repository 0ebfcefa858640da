import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

/** The schema does not fit this program; the message is a whole sentence for the operator. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

interface Migration {
  name: string
  sql: string
  checksum: string
}

export interface MigrateOptions {
  folder?: string
  /** The migrations to apply, for a schema as an earlier version had it; without them, all are. */
  only?: readonly string[]
}

const migrationsFolder = path.join(import.meta.dirname, '../../migrations')

/** For a connection; a migration may take its time. */
const longestWaitMs = 15_000

const oldestVersion = 150_000

/** What nobody could mend later is said while there is nothing of ours in the database yet. */
async function assertFits(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    isOurs: boolean
    number: number
    version: string
    encoding: string
    strange: string | null
  }>(
    `select to_regclass('schema_migrations') is not null as "isOurs", current_setting('server_version_num')::int as number,
            current_setting('server_version') as version, current_setting('server_encoding') as encoding,
            (select min(c.relname::text) from pg_class c
              where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p')
                and not exists (select 1 from pg_depend d
                                 where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')) as strange`,
  )
  const { isOurs = false, number = 0, version = '', encoding = '', strange = null } = rows[0] ?? {}
  if (isOurs) return
  if (number < oldestVersion)
    throw new MigrationRefused(`The database is PostgreSQL ${version}; it has to be 15 or newer.`)
  if (encoding !== 'UTF8')
    throw new MigrationRefused(
      `The encoding of the database is ${encoding}; it has to be UTF8. Make it anew, with encoding 'UTF8' and template template0.`,
    )
  if (strange !== null)
    throw new MigrationRefused(
      `The database belongs to something else: it has a table ${strange}. Make an empty one of its own, and name it in DATABASE_URL.`,
    )
}

const quiet = new Logger(() => () => undefined)

/**
 * Brings the schema to the newest version: the job queue's tables, then every file of `server/migrations` in
 * order, each in a transaction of its own. One with a lower number may have come later, from a part that was made beside
 * others; it is applied then. Safe to call from several processes at once.
 * @returns the names of the migrations that were applied now
 * @throws MigrationRefused when the database is newer than this program, a migration was changed afterwards, or an empty
 *   database can never hold what will be in it
 */
export async function migrate(
  connectionString: string,
  { folder = migrationsFolder, only }: MigrateOptions = {},
): Promise<string[]> {
  const known = readMigrations(folder).filter(({ name }) => only?.includes(name) ?? true)
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: longestWaitMs })
  // Also reported to whoever asks it something; heard by nobody, it would end the process without a word for the operator.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migration])
    await assertFits(client)
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations order by name',
    )
    const pending = comparePast(known, rows)
    await migrateJobs(connectionString)
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    // Ending the session also gives the lock back.
    await client.end()
  }
}

/** Brings the tables of the jobs up to date, over connections whose end is heard even after they were given back. */
async function migrateJobs(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: longestWaitMs })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  await runMigrations({ pgPool: pool, logger: quiet }).finally(() => pool.end())
}

/** What this program can apply, the oldest first. */
export const knownMigrations = (): { name: string; checksum: string }[] => readMigrations(migrationsFolder)

function readMigrations(folder: string): Migration[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.sql')) : []
  const migrations = names.toSorted().map((name) => {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) {
      throw new MigrationRefused(`The migration ${name} is not named like 0001-identity.sql.`)
    }
    const sql = fs.readFileSync(path.join(folder, name), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex') }
  })
  for (const [index, { name }] of migrations.entries()) {
    const before = migrations[index - 1]?.name
    if (before?.slice(0, 4) === name.slice(0, 4)) {
      throw new MigrationRefused(`The migrations ${before} and ${name} have the same number.`)
    }
  }
  return migrations
}

function comparePast(known: Migration[], applied: { name: string; checksum: string }[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const migration = byName.get(name)
    if (!migration) {
      throw new MigrationRefused(
        `The database is newer than this program: it has the migration ${name}, which this version does not know. Start a newer version.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new MigrationRefused(
        `The migration ${name} was changed after it had been applied to this database; put the change into a new file.`,
      )
    }
  }
  const done = new Set(applied.map(({ name }) => name))
  return known.filter(({ name }) => !done.has(name))
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    // On a connection that is gone there is nothing to take back.
    await client.query('rollback').catch(() => undefined)
    throw new Error(`The migration ${name} failed: ${(error as Error).message}${placeOf(sql, error)}`, {
      cause: error,
    })
  }
}

function placeOf(sql: string, error: unknown): string {
  const position = Number((error as { position?: string }).position)
  return position > 0 ? ` (line ${sql.slice(0, position).split('\n').length})` : ''
}
