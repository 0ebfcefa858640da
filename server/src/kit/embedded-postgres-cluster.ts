import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import {
  EmbeddedPostgresError,
  lacksAccount,
  serverEnvironment,
  type ServerUser,
} from './embedded-postgres-binaries.ts'

/** The name of the superuser and of the one database. */
export const account = 'chairside'

/** A cluster made by a user that has no account here (in a container, say) goes over to the one we run it as. */
export function giveCluster(cluster: string, { uid, gid }: ServerUser): void {
  const owner = fs.statSync(cluster, { throwIfNoEntry: false })?.uid
  if (uid === undefined || gid === undefined || owner === undefined || owner === uid) return
  fs.chownSync(cluster, uid, gid)
  for (const name of fs.readdirSync(cluster, { encoding: 'utf8', recursive: true })) {
    fs.lchownSync(path.join(cluster, name), uid, gid)
  }
}

/** Makes an empty cluster that belongs to `user`, whose superuser is `account` with this password. */
export function createCluster(at: {
  binaries: string
  cluster: string
  user: ServerUser
  password: string
  durable: boolean
}): void {
  // Without a kept connection an earlier start was cut short: what is there was never used.
  fs.rmSync(at.cluster, { recursive: true, force: true })
  fs.mkdirSync(at.cluster, { mode: 0o700 })
  fs.chmodSync(at.cluster, 0o700)
  const passwordFile = path.join(at.cluster, '../initial-password')
  if (at.user.uid !== undefined) fs.chownSync(at.cluster, at.user.uid, at.user.gid ?? at.user.uid)
  fs.writeFileSync(passwordFile, at.password, { mode: 0o600 })
  if (at.user.uid !== undefined) fs.chownSync(passwordFile, at.user.uid, at.user.gid ?? at.user.uid)
  // Handed over open: its user may not be able to walk the path to it.
  const passwordHandle = fs.openSync(passwordFile, 'r')
  try {
    const arguments_ = [
      ...[
        '-D',
        dataPath(at.cluster),
        '-U',
        account,
        '-A',
        'scram-sha-256',
        '--pwfile',
        '/dev/fd/3',
        '-E',
        'UTF8',
      ],
      // Sorting and case do not depend on the machine. The character classes must know Chinese: pg_trgm asks them.
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
      // A password of 192 random bits needs no repeated hashing, which each connection would wait for.
      ...['-c', 'scram_iterations=1'],
      ...['--lc-ctype', process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8', '--no-instructions'],
      ...(at.durable ? [] : ['--no-sync']),
    ]
    const initdb = path.join(at.binaries, 'bin/initdb')
    // initdb alone asks for the name of its user. Where there is none, it runs in a namespace where we are "nobody".
    const namespace = ['--user', '--map-user=65534', '--map-group=65534', initdb]
    const nameless = lacksAccount()
    const run = spawnSync(nameless ? 'unshare' : initdb, [...(nameless ? namespace : []), ...arguments_], {
      ...at.user,
      cwd: at.cluster,
      env: serverEnvironment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe', passwordHandle],
    })
    if (nameless && (run.error || run.status !== 0)) {
      throw new EmbeddedPostgresError(
        `PostgreSQL can only create its data folder for a user with an account, and number ${process.getuid?.()} has none; start as another user, or set DATABASE_URL.`,
      )
    }
    if (run.error) throw run.error
    if (run.status !== 0) {
      throw new EmbeddedPostgresError(
        `PostgreSQL could not create its data folder: ${reasonSaid(run.stderr)}`,
      )
    }
  } finally {
    fs.closeSync(passwordHandle)
    fs.rmSync(passwordFile, { force: true })
  }
}

/**
 * The cluster as the server sees it. Its user may not be allowed to walk the path (a checkout under a 0700 folder),
 * but it is started inside the folder, and Linux lets it name that place without walking.
 */
export function dataPath(cluster: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

/** Why a program of PostgreSQL failed: what it called an error, after which it may go on to say how it tidies up. */
export function reasonSaid(text: string): string {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => /\b(FATAL|PANIC|ERROR|error):/.test(line)) ?? lines.at(-1) ?? ''
}
