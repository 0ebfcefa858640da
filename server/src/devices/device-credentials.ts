import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql, type Database } from '../kit/database.ts'
import type { SecretBox } from '../kit/secrets.ts'

/** Passwords of boards and of our own gateways. Boards connect by thousands, so checking one is an HMAC and a look-up. */
export interface DeviceCredentials {
  /** A new password for a board, told once, and what is kept of it. */
  issue(sid: string): { password: string; hash: Buffer }
  /** What is kept of a board's password. */
  hashOf(sid: string, password: string): Buffer
  check(db: Database, sid: string, password: string): Promise<boolean>
  gatewayPassword: string
}

/** Not to be guessed, and short enough to be flashed or typed. */
const passwordBytes = 18

/** Spreadsheets take what begins with a hyphen for a formula, and command lines for an option. */
function newPassword(): string {
  const password = randomBytes(passwordBytes).toString('base64url')
  return password.startsWith('-') ? newPassword() : password
}

export function createDeviceCredentials(secrets: SecretBox): DeviceCredentials {
  const key = secrets.keyFor('device passwords')
  const hashOf = (sid: string, password: string) =>
    createHmac('sha256', key).update(`${sid}\n${password}`).digest()
  return {
    issue(sid) {
      const password = newPassword()
      return { password, hash: hashOf(sid, password) }
    },
    hashOf,
    gatewayPassword: secrets.keyFor('gateway password').toString('base64url'),
    async check(db, sid, password) {
      const { rows } = await sql<{ hash: Buffer }>`
        select credential_hash as hash from devices where sid = ${sid} and removed_at is null`.execute(db)
      const given = hashOf(sid, password)
      const kept = rows[0]?.hash
      return kept !== undefined && kept.length === given.length && timingSafeEqual(kept, given)
    },
  }
}
