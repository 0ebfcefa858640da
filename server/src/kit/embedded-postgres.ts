import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

import pg from 'pg'

import { chooseServerUser, EmbeddedPostgresError, prepareBinaries } from './embedded-postgres-binaries.ts'
import { claimCluster, releaseCluster } from './embedded-postgres-claim.ts'
import { account, createCluster, giveCluster } from './embedded-postgres-cluster.ts'
import { keepOwner, launchServer } from './embedded-postgres-server.ts'
import { keepServer, type KeptRunning } from './embedded-postgres-keeper.ts'

export { EmbeddedPostgresError }

/** The data folder cannot be used; the message is a whole sentence that names the folder and the reason. */
export class DataFolderError extends EmbeddedPostgresError {
  override name = 'DataFolderError'
}

export interface EmbeddedPostgresOptions {
  /** Made when missing. Holds the cluster, the port and password that are kept between starts, and the log. */
  dataDirectory: string
  /** Without one, the port of the last start when it is free, else any free one. */
  port?: number
  /** False only in tests: nothing is flushed to disk. */
  durable: boolean
  /** Starts the server again when it ends by itself; without it, it stays away. */
  keptRunning?: KeptRunning
}

export interface EmbeddedPostgres {
  /** Of the database `chairside`, as its owner and the server's superuser. */
  url: string
  /** Puts an empty database in the place of the one there is. */
  empty(): Promise<void>
  stop(): Promise<void>
}

interface Connection {
  port: number
  password: string
}

/**
 * Starts the PostgreSQL that ships inside the npm package, on 127.0.0.1 and behind a password of its own.
 * @throws DataFolderError, EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = path.resolve(options.dataDirectory)
  const cluster = path.join(folder, 'cluster')
  prepareFolder(folder)
  try {
    await claimCluster(folder)
  } catch (error) {
    throw explain(error, folder)
  }
  try {
    const user = chooseServerUser(cluster, folder)
    giveCluster(cluster, user)
    const binaries = prepareBinaries(user)
    const kept = readConnection(folder)
    const password = kept?.password ?? randomBytes(24).toString('base64url')
    if (!kept || !fs.existsSync(path.join(cluster, 'PG_VERSION'))) {
      createCluster({ binaries, cluster, user, password, durable: options.durable })
    }
    const port = await choosePort(options.port, kept?.port)
    if (kept?.port !== port || kept.password !== password) writeConnection(folder, { port, password })
    const server = await keepServer(
      cluster,
      () => launchServer({ binaries, folder, cluster, user, port, durable: options.durable }),
      options.keptRunning,
    )
    const url = `postgres://${account}:${password}@127.0.0.1:${port}/${account}`
    await createDatabase(url)
    return {
      url,
      async empty() {
        await asAdmin(url, (client) => client.query(`drop database ${account} with (force)`))
        await createDatabase(url)
      },
      async stop() {
        await server.stop(options.durable ? 'SIGINT' : 'SIGQUIT')
        releaseCluster(folder)
      },
    }
  } catch (error) {
    releaseCluster(folder)
    throw explain(error, folder)
  }
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder)
    const probe = path.join(folder, `.probe-${process.pid}`)
    fs.writeFileSync(probe, '')
    fs.rmSync(probe)
  } catch (error) {
    // Making nested folders on a read-only file system ends in ENOENT.
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw explain(isReadOnly ? { code: 'EROFS' } : error, folder)
  }
}

/** One by one: where nothing can be made (below /proc), making all at once never ends. */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder))
  fs.mkdirSync(folder)
}

function explain(error: unknown, folder: string): unknown {
  const reasons: Record<string, string> = {
    EACCES: 'this user may not write there',
    EPERM: 'this user may not change its files',
    EROFS: 'it is on a read-only file system',
    ENOSPC: 'its disk is full',
    EDQUOT: 'the disk quota is used up',
    ENOTDIR: 'a part of its path is a file',
    EEXIST: 'a file has its name',
  }
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
  if (!reason || error instanceof EmbeddedPostgresError) return error
  return new DataFolderError(
    `The data folder ${folder} cannot be used: ${reason}. Set DATA_DIR to another folder.`,
  )
}

async function choosePort(wanted: number | undefined, kept: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    if (await isFree(wanted)) return wanted
    throw new EmbeddedPostgresError(
      `Port ${wanted}, set for the embedded PostgreSQL, is in use by another program.`,
    )
  }
  if (kept !== undefined && (await isFree(kept))) return kept
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function isFree(port: number): Promise<boolean> {
  const probe = net.createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

function createDatabase(url: string): Promise<void> {
  return asAdmin(url, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [account])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(account)}`)
  })
}

/** Works beside the database, in the one that every server has. */
async function asAdmin(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const address = new URL(url)
  address.pathname = '/postgres'
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function readConnection(folder: string): Connection | undefined {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'connection.json'), 'utf8')) as Connection
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function writeConnection(folder: string, connection: Connection): void {
  const file = path.join(folder, 'connection.json')
  fs.writeFileSync(`${file}.part`, JSON.stringify(connection), { mode: 0o600 })
  keepOwner(`${file}.part`, folder)
  fs.renameSync(`${file}.part`, file)
}
