import type { Database } from '../database.ts'
import type { Actor, Principal } from '../principal.ts'

/** What the door learns of a token. */
export type TokenCheck =
  | { outcome: 'accepted'; principal: Principal; renewedToken: string | null }
  | { outcome: 'invalid' }
  | { outcome: 'expired' }

/** What the door asks of sessions. */
export interface TokenGate {
  /**
   * Who a token belongs to, as it stands in the database now; the same object as long as nothing of it changed.
   * @param db what the session is read from
   */
  checkToken(db: Database, token: string, now: Date): Promise<TokenCheck>
  /**
   * Who a token belongs to now, for what goes on by itself: it neither renews the token nor keeps the session alive.
   * The same object as long as nothing of it changed; undefined when the session has ended.
   */
  whoHolds(token: string, now: Date): Promise<Principal | undefined>
  /** Who it belonged to the last time it was checked here; proves nothing. */
  guessPrincipal(token: string): Principal | undefined
}

export interface AuditRecord {
  at: Date
  principal: Actor | null
  /** Who tried, where nobody is signed in. */
  userName: string
  action: string
  target: string
  /** Result code of the answer. */
  outcome: string
  details: Record<string, unknown>
  address: string
}
