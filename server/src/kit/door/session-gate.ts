import type { Principal } from '../principal.ts'

/** What the door learns of a token. */
export type TokenCheck =
  | { outcome: 'accepted'; principal: Principal; renewedToken: string | null }
  | { outcome: 'invalid' }
  | { outcome: 'expired' }

export interface AuditRecord {
  at: Date
  principal: Principal | null
  /** Who tried, where nobody is signed in. */
  userName: string
  action: string
  target: string
  /** Result code of the answer. */
  outcome: string
  details: Record<string, unknown>
  address: string
}
