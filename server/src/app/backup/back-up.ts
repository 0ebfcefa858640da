import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ObjectStore } from '../../kit/object-store/object-store.ts'
import { zipOf, type ZippedFile } from '../../kit/zip-stream.ts'
import {
  BackupError,
  endName,
  formatVersion,
  headName,
  pictureFolder,
  tableFileOf,
  type BackupEnd,
  type BackupHead,
} from './backup-file.ts'
import { findMigrations, findSequences, findTables } from './schema-sql.ts'

/** Text in one form, whatever the database's own settings are, and a session that may take its time. */
export const copySession =
  '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex -c client_encoding=UTF8 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0'

/** Tables are compressed quickly rather than small. */
const level = 3

export interface BackupResult {
  file: string
  bytes: number
  rows: number
  pictures: number
  /** Pictures that the store did not have. */
  missing: string[]
}

const rowEnd = 0x0a

async function* counting(
  pieces: AsyncIterable<Buffer>,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    let rows = 0
    for (let at = piece.indexOf(rowEnd); at >= 0; at = piece.indexOf(rowEnd, at + 1)) rows++
    onRows(rows)
    yield piece
  }
}

async function readHead(client: pg.Client): Promise<BackupHead> {
  const {
    rows: [there],
  } = await client.query<{ isThere: boolean }>(
    `select to_regclass('schema_migrations') is not null as "isThere"`,
  )
  if (!there?.isThere) throw new BackupError('There is nothing to back up: the database is empty.')
  const tables = await findTables(client)
  // Nothing about them changes until the last is read.
  await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`)
  const { rows } = await client.query<{ fingerprint: string | null }>(
    'select key_fingerprint as fingerprint from platform_settings',
  )
  return {
    format: formatVersion,
    madeAt: new Date().toISOString(),
    keyFingerprint: rows[0]?.fingerprint ?? null,
    migrations: await findMigrations(client),
    tables,
  }
}

async function* filesOf(
  client: pg.Client,
  pictures: ObjectStore,
  result: BackupResult,
): AsyncGenerator<ZippedFile> {
  const head = await readHead(client)
  yield { name: headName, content: Buffer.from(JSON.stringify(head, undefined, 2)) }
  const end: BackupEnd = { rows: {}, sequences: {}, pictures: 0 }
  for (const { name, columns } of head.tables) {
    const copying = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`))
    end.rows[name] = 0
    const onRows = (rows: number) => {
      end.rows[name] = (end.rows[name] ?? 0) + rows
      result.rows += rows
    }
    yield { name: tableFileOf(name), content: counting(copying as AsyncIterable<Buffer>, onRows), level }
  }
  const { rows: keys } = await client.query<{ key: string }>(
    'select key from pictures where stored_at is not null and removed_at is null order by key',
  )
  for (const { key } of keys) {
    const content = await pictures.get(key)
    if (content) yield { name: `${pictureFolder}${key}`, content, isStored: true }
    else result.missing.push(key)
  }
  result.pictures = keys.length - result.missing.length
  end.pictures = result.pictures
  // The latest of all: they are read as they are now, and must not stand before a row that was read.
  end.sequences = await findSequences(client)
  yield { name: endName, content: Buffer.from(JSON.stringify(end, undefined, 2)) }
}

/**
 * Makes a folder and those above it, one by one: where the system takes none, as in /proc, making them all at once tries for ever.
 * @throws BackupError
 */
function makeFolder(folder: string): void {
  const isThere = () => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  if (isThere()) return
  makeFolder(path.dirname(folder))
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Two backups may begin at once.
    if (code === 'EEXIST' && isThere()) return
    if (code !== 'ENOENT') throw error
    throw new BackupError(`${folder} cannot be made: the system takes no new folder there.`, { cause: error })
  }
}

/**
 * Writes everything into one new file of a folder: the database as it is at one moment, while business goes on, and the pictures.
 * The file has its name only when it is whole.
 * @throws BackupError
 */
export async function backUp(
  from: { databaseUrl: string; pictures: ObjectStore },
  folder: string,
): Promise<BackupResult> {
  const now = new Date()
  const moment = now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')
  const result: BackupResult = {
    file: path.join(folder, `chairside-${moment}.backup.zip`),
    bytes: 0,
    rows: 0,
    pictures: 0,
    missing: [],
  }
  const part = `${result.file}.${process.pid}.part`
  const client = new pg.Client({
    connectionString: from.databaseUrl,
    options: copySession,
    application_name: 'chairside backup',
  })
  // Also reported to whoever calls it meanwhile.
  client.on('error', () => undefined)
  makeFolder(folder)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    // It holds what only the operator may read.
    const opened = await fs.promises.open(part, 'wx', 0o600)
    await pipeline(
      zipOf(filesOf(client, from.pictures, result), now),
      opened.createWriteStream({ flush: true }),
    )
    await client.query('commit')
    fs.renameSync(part, result.file)
    result.bytes = fs.statSync(result.file).size
    return result
  } catch (error) {
    fs.rmSync(part, { force: true })
    throw error
  } finally {
    await client.end()
  }
}
