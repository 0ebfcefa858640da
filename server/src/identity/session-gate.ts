import { inTransaction, type Database } from '../kit/database.ts'
import type { TokenGate } from '../kit/door/session-gate.ts'
import type { Principal } from '../kit/principal.ts'
import { principalOf } from './principal-sql.ts'
import {
  beginUse,
  findAccountOfSession,
  findRenewalSalt,
  findSession,
  insertSession,
  replaceSession,
  touchSession,
  type SessionRow,
} from './sessions-sql.ts'
import { hashToken, newRenewalSalt, newToken, renewedFrom } from './tokens.ts'

/** How long a replaced token works on once its successor is used, for calls that are under way (decisions §1). */
const replacedWorksMs = 60_000

/** How exactly the last use of a session is known: a call should not write whenever it only reads. */
const usedToMs = 60_000

export interface SessionGate extends TokenGate {
  openSession(
    db: Database,
    session: { accountId: number; now: Date; address: string; userAgent: string },
  ): Promise<string>
}

/** Principals that are remembered, the oldest forgotten first. */
const mostRemembered = 10_000

interface Holder {
  principal: Principal
  /** Neither the account nor its organisation is locked. */
  isOpen: boolean
}

/** Who holds which token, kept for as long as nothing of what it was made from changes. */
function rememberHolders() {
  const remembered = new Map<string, { tokenHash: Buffer; version: string; holder: Holder }>()

  async function learn(db: Database, token: string, tokenHash: Buffer): Promise<Holder | undefined> {
    const account = await findAccountOfSession(db, tokenHash)
    if (!account) return undefined
    const meanwhile = remembered.get(token)
    // Learned by another call of the same moment: there is one object as long as nothing changes.
    if (meanwhile?.version === account.version) return meanwhile.holder
    const isOpen = account.accountStatus === 1 && account.organisationStatus === 1
    const holder = { principal: principalOf(account), isOpen }
    remembered.delete(token)
    remembered.set(token, { tokenHash, version: account.version, holder })
    const [oldest] = remembered.keys()
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
    return holder
  }

  return {
    /** The session of a token and who holds it; of one that is not remembered both are asked for together. */
    async find(
      db: Database,
      token: string,
    ): Promise<{ tokenHash: Buffer; session: SessionRow; holder: Holder } | undefined> {
      const known = remembered.get(token)
      const tokenHash = known?.tokenHash ?? hashToken(token)
      const [session, learned] = await Promise.all([
        findSession(db, tokenHash),
        known ? undefined : learn(db, token, tokenHash),
      ])
      if (!session) return undefined
      const isSame = known?.version === session.accountVersion
      const holder = isSame ? known.holder : (learned ?? (await learn(db, token, tokenHash)))
      return holder && { tokenHash, session, holder }
    },
    guess: (token: string) => remembered.get(token)?.holder.principal,
    forget: (token: string) => remembered.delete(token),
  }
}

/**
 * Opens and checks sessions. A session ends after idle time; when half of that has passed, each call brings the same new
 * token until that is used: the answer of one may be lost.
 * Every check reads the database, so that a lock or a lost right holds at once on every instance.
 */
export function createSessionGate(db: Database, idleSeconds: number): SessionGate {
  const expiryOf = (now: Date) => new Date(now.getTime() + idleSeconds * 1000)
  const holders = rememberHolders()

  /** The token that follows one, made the first time; undefined once it is used. */
  async function renew(token: string, session: SessionRow, now: Date): Promise<string | undefined> {
    const oldHash = hashToken(token)
    if (!session.replaced) {
      const salt = newRenewalSalt()
      const renewed = renewedFrom(token, salt)
      const successor = { oldHash, newHash: hashToken(renewed), salt, now, expiresAt: expiryOf(now) }
      if (await inTransaction(db, (trx) => replaceSession(trx, successor))) return renewed
    }
    const salt = await findRenewalSalt(db, oldHash)
    return salt && renewedFrom(token, salt)
  }

  return {
    guessPrincipal: holders.guess,

    async whoHolds(token, now) {
      const found = await holders.find(db, token)
      return found?.holder.isOpen && found.session.expiresAt > now ? found.holder.principal : undefined
    },

    async checkToken(reading, token, now) {
      const found = await holders.find(reading, token)
      if (!found?.holder.isOpen) {
        holders.forget(token)
        return { outcome: 'invalid' }
      }
      const { tokenHash, session, holder } = found
      if (session.expiresAt <= now) {
        holders.forget(token)
        return { outcome: 'expired' }
      }
      const { principal } = holder
      if (now.getTime() - session.lastUsedAt.getTime() > usedToMs) await touchSession(db, tokenHash, now)
      if (!session.isUsed)
        await beginUse(db, { tokenHash, oldExpiresAt: new Date(now.getTime() + replacedWorksMs) })
      const idleMs = now.getTime() - session.renewedAt.getTime()
      const isDue = session.replaced || idleMs >= (idleSeconds * 1000) / 2
      const renewedToken = isDue ? await renew(token, session, now) : undefined
      return { outcome: 'accepted', principal, renewedToken: renewedToken ?? null }
    },

    async openSession(trx, { accountId, now, address, userAgent }) {
      const token = newToken()
      await insertSession(trx, {
        tokenHash: hashToken(token),
        accountId,
        now,
        expiresAt: expiryOf(now),
        address,
        userAgent: userAgent.slice(0, 300),
      })
      return token
    },
  }
}
