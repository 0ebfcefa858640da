import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import {
  chooseServerUser,
  EmbeddedPostgresError,
  prepareBinaries,
  serverEnvironment,
  type ServerUser,
} from './embedded-postgres-binaries.ts'
import { claimCluster, releaseCluster } from './embedded-postgres-claim.ts'
import { account, createCluster, dataPath, giveCluster, lastLine } from './embedded-postgres-cluster.ts'

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
}

export interface EmbeddedPostgres {
  /** Of the database `chairside`, as its owner and the server's superuser. */
  url: string
  stop(): Promise<void>
}

interface Connection {
  port: number
  password: string
}

const startTimeoutMs = 60_000
const logLimitBytes = 10 * 1024 * 1024

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
    const server = await launchServer({ binaries, folder, cluster, user, port, durable: options.durable })
    const url = `postgres://${account}:${password}@127.0.0.1:${port}/${account}`
    await createDatabase(url)
    return { url, stop: () => stopServer(server, folder, options.durable) }
  } catch (error) {
    releaseCluster(folder)
    throw explain(error, folder)
  }
}

function prepareFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true })
    const probe = path.join(folder, `.probe-${process.pid}`)
    fs.writeFileSync(probe, '')
    fs.rmSync(probe)
  } catch (error) {
    // Making nested folders on a read-only file system ends in ENOENT.
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw explain(isReadOnly ? { code: 'EROFS' } : error, folder)
  }
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

async function launchServer(at: {
  binaries: string
  folder: string
  cluster: string
  user: ServerUser
  port: number
  durable: boolean
}): Promise<ChildProcess> {
  const logFile = path.join(at.folder, 'postgres.log')
  const settings = {
    port: at.port,
    listen_addresses: '127.0.0.1',
    // No socket: its path would have to be short and open to the server's user.
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    dynamic_shared_memory_type: sharedMemoryType(),
    ...(at.durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
  const log = fs.openSync(logFile, sizeOf(logFile) > logLimitBytes ? 'w' : 'a', 0o600)
  keepOwner(logFile, at.folder)
  const logStart = sizeOf(logFile)
  const server = spawn(
    path.join(at.binaries, 'bin/postgres'),
    [
      '-D',
      dataPath(at.cluster),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // A group of its own: Ctrl+C in the terminal reaches this process, which ends the server last.
    { ...at.user, cwd: at.cluster, env: serverEnvironment, stdio: ['ignore', log, log], detached: true },
  )
  fs.closeSync(log)
  let failure: Error | undefined
  server.once('error', (error) => (failure = error))
  process.once('exit', () => server.kill('SIGINT'))
  const deadline = Date.now() + startTimeoutMs
  while (!isReady(at.cluster, server.pid)) {
    if (failure) throw failure
    if (server.exitCode !== null || server.signalCode !== null || Date.now() > deadline) {
      server.kill('SIGQUIT')
      const said = fs.readFileSync(logFile, 'utf8').slice(logStart)
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL did not start: ${lastLine(said)} (see ${logFile})`,
      )
    }
    await sleep(10)
  }
  return server
}

/** The server writes its state into the eighth line of its lock file; pg_ctl waits the same way. */
function isReady(cluster: string, pid: number | undefined): boolean {
  try {
    const lines = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

/** Containers often have 64 MB of /dev/shm, which one parallel query can outgrow. */
function sharedMemoryType(): string {
  if (process.platform !== 'linux') return 'posix'
  try {
    const { blocks, bsize } = fs.statfsSync('/dev/shm')
    return blocks * bsize >= 512 * 1024 * 1024 ? 'posix' : 'mmap'
  } catch {
    return 'mmap'
  }
}

async function createDatabase(url: string): Promise<void> {
  const address = new URL(url)
  address.pathname = '/postgres'
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [account])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(account)}`)
  } finally {
    await client.end()
  }
}

async function stopServer(server: ChildProcess, folder: string, durable: boolean): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit')
    server.kill(durable ? 'SIGINT' : 'SIGQUIT')
    const impatience = setTimeout(() => server.kill('SIGQUIT'), 20_000)
    await ended
    clearTimeout(impatience)
  }
  releaseCluster(folder)
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

/** What root writes into somebody's folder stays theirs, so that they can start without root next time. */
function keepOwner(file: string, folder: string): void {
  const { uid, gid } = fs.statSync(folder)
  if (process.getuid?.() === 0) fs.chownSync(file, uid, gid)
}

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
