import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { EmbeddedPostgresError } from './embedded-postgres-binaries.ts'

const orphanPatienceMs = 3000

interface Claim {
  pid: number
  /** Start of the process in kernel ticks, so that a reused number is not taken for the same process. */
  startedAt: string | undefined
}

/**
 * Makes this process the one that uses the data folder. A folder in use by a living process is refused; a server
 * that outlived a killed one is stopped, and its lock file removed.
 */
export async function claimCluster(folder: string): Promise<void> {
  const claimFile = path.join(folder, 'owner.json')
  const owner = readClaim(claimFile)
  if (owner && owner.pid !== process.pid && isAlive(owner)) {
    throw new EmbeddedPostgresError(
      `The data folder ${folder} is in use by process ${owner.pid}; stop that one first, or set DATA_DIR to another folder.`,
    )
  }
  await stopLeftBehind(path.join(folder, 'cluster'))
  // Whole or not at all: who reads half of it would take the folder for abandoned.
  fs.writeFileSync(`${claimFile}.part`, JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) }))
  fs.renameSync(`${claimFile}.part`, claimFile)
}

/** True when the process that claimed this data folder has ended (or nobody claimed it). */
export function isAbandoned(folder: string): boolean {
  const owner = readClaim(path.join(folder, 'owner.json'))
  return owner === undefined || !isAlive(owner)
}

/** Lets the next process have the cluster. */
export function releaseCluster(folder: string): void {
  fs.rmSync(path.join(folder, 'owner.json'), { force: true })
}

/** Stops the server that runs on this cluster, if any; without one, removes what its lock file left behind. */
export async function stopLeftBehind(cluster: string): Promise<void> {
  const lockFile = path.join(cluster, 'postmaster.pid')
  let pid: number
  try {
    pid = Number(fs.readFileSync(lockFile, 'utf8').split('\n')[0])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  // A fast shutdown, then an immediate one: the write-ahead log keeps what was committed either way.
  for (const [signal, waitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    if (!isServerOf(cluster, pid)) break
    process.kill(pid, signal)
    const deadline = Date.now() + waitMs
    while (isServerOf(cluster, pid) && Date.now() < deadline) await sleep(20)
  }
  if (isServerOf(cluster, pid)) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL of an earlier run (process ${pid}) does not stop; end it by hand.`,
    )
  }
  await endOrphans(cluster)
  // The number may belong to another process by now (a restarted container); PostgreSQL would refuse to start.
  fs.rmSync(lockFile, { force: true })
}

/**
 * Ends what a server that was killed left behind: its processes leave by themselves once they have nothing to do, but one
 * in the middle of something goes on, and no other server may write to the cluster meanwhile.
 */
async function endOrphans(cluster: string): Promise<void> {
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of processesIn(cluster)) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
    }
    const deadline = Date.now() + orphanPatienceMs
    while (processesIn(cluster).length > 0 && Date.now() < deadline) await sleep(20)
  }
}

function processesIn(cluster: string): number[] {
  if (!fs.existsSync('/proc/self')) return []
  return fs
    .readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid !== process.pid && isServerOf(cluster, pid) && isPostgres(pid))
}

/** Not somebody's shell that merely has the folder as its working directory. */
function isPostgres(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  } catch {
    return false
  }
}

function isServerOf(cluster: string, pid: number): boolean {
  if (!(pid > 1)) return false
  if (!fs.existsSync('/proc/self')) return isAlive({ pid, startedAt: undefined })
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(cluster) && startOf(pid) !== undefined
  } catch {
    return false
  }
}

function readClaim(file: string): Claim | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Claim
  } catch {
    return undefined
  }
}

function isAlive({ pid, startedAt }: Claim): boolean {
  if (fs.existsSync('/proc/self')) {
    const start = startOf(pid)
    return start !== undefined && (startedAt === undefined || start === startedAt)
  }
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Undefined when there is no such process, or only the unburied rest of one. */
function startOf(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
