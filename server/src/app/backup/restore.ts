import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { ObjectStore } from '../../kit/object-store/object-store.ts'
import { knownMigrations, migrate } from '../../kit/migrate.ts'
import { copySession } from './back-up.ts'
import { BackupError, openBackup, pictureFolder, tableFileOf, type OpenBackup } from './backup-file.ts'
import { findMigrations, findTables, freeJobs, setSequences, withoutRules } from './schema-sql.ts'

export interface RestoreResult {
  madeAt: string
  rows: number
  pictures: number
  /** Migrations that came after the backup, applied to what was restored. */
  migrations: string[]
}

const contentTypeOf = (key: string) => (/\.png$/i.test(key) ? 'image/png' : 'image/jpeg')

/** Refuses a database that somebody uses. */
async function assertEmpty(client: pg.Client): Promise<void> {
  const {
    rows: [there],
  } = await client.query<{ isThere: boolean }>(`select to_regclass('accounts') is not null as "isThere"`)
  if (!there?.isThere) return
  const { rowCount } = await client.query('select 1 from accounts limit 1')
  if (rowCount)
    throw new BackupError(
      'The database is not empty: it has accounts. Restore into an empty one, before any process was started with it.',
    )
}

function assertSameKey({ head }: OpenBackup, keyFingerprint: string | undefined): void {
  if (keyFingerprint === undefined || head.keyFingerprint === null || head.keyFingerprint === keyFingerprint)
    return
  throw new BackupError(
    `SECRET_KEY is not the one of this backup: its fingerprint is ${keyFingerprint}, the backup's is ${head.keyFingerprint}. Restore with the key of then, or what is sealed cannot be read.`,
  )
}

function assertKnown({ head }: OpenBackup): void {
  const known = new Map(knownMigrations().map(({ name, checksum }) => [name, checksum]))
  const strange = head.migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (strange)
    throw new BackupError(
      `The backup is from a newer or another version: this one does not know its migration ${strange.name}. Restore with the version that made it, or a newer one.`,
    )
}

/** What was damaged may be refused as a value before its sum is compared. */
const isNoRow = (error: unknown) => {
  const { code } = error as { code?: string }
  return code !== undefined && /^(22|23)/.test(code)
}

async function load(client: pg.Client, backup: OpenBackup): Promise<number> {
  const here = await findTables(client)
  await client.query(`lock table ${here.map(({ name }) => name).join(', ')} in access exclusive mode`)
  await assertEmpty(client)
  const applied = await findMigrations(client)
  const isSame =
    applied.length === backup.head.migrations.length &&
    applied.every(({ checksum }, index) => checksum === backup.head.migrations[index]?.checksum)
  if (!isSame)
    throw new BackupError(
      'The schema of the database is not that of the backup: another program has begun to use it. Make it anew, empty.',
    )
  for (const { name, months } of backup.head.tables)
    if (months.length > 0)
      await client.query('select ensure_month_partitions($1::regclass, $2::date, $3::date)', [
        name,
        months[0],
        months.at(-1),
      ])
  let rows = 0
  await withoutRules(client, here, async () => {
    // Some rows come with the schema.
    await client.query(`truncate ${here.map(({ name }) => name).join(', ')}`)
    for (const { name, columns } of backup.head.tables) {
      const copying = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`))
      await pipeline(await backup.open(tableFileOf(name)), copying).catch((error: unknown) => {
        throw isNoRow(error)
          ? new BackupError(`The backup is damaged: ${tableFileOf(name)} has what is no row.`, {
              cause: error,
            })
          : error
      })
      if (copying.rowCount !== backup.end.rows[name])
        throw new BackupError(
          `The backup is damaged: ${name} has ${copying.rowCount} rows, and should have ${backup.end.rows[name]}.`,
        )
      rows += copying.rowCount
    }
    await setSequences(client, backup.end.sequences)
    await freeJobs(client)
  })
  return rows
}

/**
 * Puts a backup into an empty database and its pictures into the store: all of the database or nothing. One of an earlier version
 * is restored as it was and then brought up to date.
 * @throws BackupError, MigrationRefused
 */
export async function restore(
  file: string,
  into: { databaseUrl: string; pictures: ObjectStore; keyFingerprint?: string | undefined },
): Promise<RestoreResult> {
  const backup = await openBackup(file)
  const client = new pg.Client({
    connectionString: into.databaseUrl,
    options: copySession,
    application_name: 'chairside restore',
  })
  // Also reported to whoever calls it meanwhile.
  client.on('error', () => undefined)
  try {
    assertSameKey(backup, into.keyFingerprint)
    assertKnown(backup)
    await client.connect()
    await assertEmpty(client)
    await migrate(into.databaseUrl, { only: backup.head.migrations.map(({ name }) => name) })
    for (const key of backup.pictureKeys)
      await into.pictures.put(
        key,
        await buffer(await backup.open(`${pictureFolder}${key}`)),
        contentTypeOf(key),
      )
    await client.query('begin')
    const rows = await load(client, backup)
    await client.query('commit')
    const migrations = await migrate(into.databaseUrl)
    // Without a look at the rows every list would be planned as if there were none.
    await client.query('analyze')
    return { madeAt: backup.head.madeAt, rows, pictures: backup.pictureKeys.length, migrations }
  } finally {
    backup.close()
    await client.end()
  }
}
