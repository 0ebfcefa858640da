import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql, type Database } from '../kit/database.ts'
import type { SecretBox } from '../kit/secrets.ts'

export interface BoardLogin {
  sid: string
  password: string
}

/** Passwords of boards and of our own gateways. Boards connect by thousands, so checking one is an HMAC and a look-up. */
export interface DeviceCredentials {
  /** A new password for a board, told once, and what is kept of it. */
  issue(sid: string): { password: string; hash: Buffer }
  /** What is kept of a board's password. */
  hashOf(sid: string, password: string): Buffer
  check(db: Database, sid: string, password: string): Promise<boolean>
  /** Checks many at once, each by itself. */
  checkAll(db: Database, logins: readonly BoardLogin[]): Promise<boolean[]>
  gatewayPassword: string
}

/** Not to be guessed, and short enough to be flashed or typed. */
const passwordBytes = 18

/** Spreadsheets take what begins with a hyphen for a formula, and command lines for an option. */
function newPassword(): string {
  const password = randomBytes(passwordBytes).toString('base64url')
  return password.startsWith('-') ? newPassword() : password
}

/** Passwords of boards, kept as hashes with a key of the operator's: the database alone does not let anybody in. */
export function createDeviceCredentials(secrets: SecretBox): DeviceCredentials {
  const key = secrets.keyFor('device passwords')
  const hashOf = (sid: string, password: string) =>
    createHmac('sha256', key).update(`${sid}\n${password}`).digest()
  const checkAll: DeviceCredentials['checkAll'] = async (db, logins) => {
    const { rows } = await sql<{ sid: string; hash: Buffer }>`
      select sid, credential_hash as hash from devices
       where sid = any(${logins.map(({ sid }) => sid)}) and removed_at is null`.execute(db)
    const kept = new Map(rows.map(({ sid, hash }) => [sid, hash]))
    return logins.map(({ sid, password }) => {
      const given = hashOf(sid, password)
      const known = kept.get(sid)
      return known !== undefined && known.length === given.length && timingSafeEqual(known, given)
    })
  }
  return {
    issue(sid) {
      const password = newPassword()
      return { password, hash: hashOf(sid, password) }
    },
    hashOf,
    gatewayPassword: secrets.keyFor('gateway password').toString('base64url'),
    check: async (db, sid, password) => (await checkAll(db, [{ sid, password }]))[0] === true,
    checkAll,
  }
}
