import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { EmbeddedPostgresError, serverEnvironment, type ServerUser } from './embedded-postgres-binaries.ts'
import { dataPath, reasonSaid } from './embedded-postgres-cluster.ts'

const startTimeoutMs = 60_000
const logLimitBytes = 10 * 1024 * 1024

export interface ServerPlace {
  binaries: string
  folder: string
  cluster: string
  user: ServerUser
  port: number
  durable: boolean
}

/** Starts the server of a cluster, and waits until it takes connections. */
export async function launchServer(at: ServerPlace): Promise<ChildProcess> {
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
  const endWithUs = () => server.kill('SIGINT')
  process.once('exit', endWithUs)
  server.once('exit', () => process.off('exit', endWithUs))
  const deadline = Date.now() + startTimeoutMs
  while (!isReady(at.cluster, server.pid)) {
    if (failure) throw failure
    if (server.exitCode !== null || server.signalCode !== null || Date.now() > deadline) {
      server.kill('SIGQUIT')
      const said = fs.readFileSync(logFile, 'utf8').slice(logStart)
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL did not start: ${reasonSaid(said)} (see ${logFile})`,
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

/** What root writes into somebody's folder stays theirs, so that they can start without root next time. */
export function keepOwner(file: string, folder: string): void {
  const { uid, gid } = fs.statSync(folder)
  if (process.getuid?.() === 0) fs.chownSync(file, uid, gid)
}

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
