import type { SessionUser } from '@chairside/contract'
import { browserStorage, tabStorage } from './browser-storage.ts'

/* The session of this tab. The access token lives in session storage (spec 1 §7). */

const tokenKey = 'token'
const userKey = 'user'
/** Read by the pay page of the same address: who works here gets the way to a chair's card. */
const staffKey = 'staff'

export const readToken = (): string | null => tabStorage.getItem(tokenKey)

export function storeToken(token: string): void {
  tabStorage.setItem(tokenKey, token)
}

export function readUser(): SessionUser | null {
  const kept = tabStorage.getItem(userKey)
  // A session that began before columns could be chosen does not speak of them.
  return kept ? { hiddenColumns: {}, ...(JSON.parse(kept) as Omit<SessionUser, 'hiddenColumns'>) } : null
}

export function storeSession(user: SessionUser): void {
  storeToken(user.token)
  tabStorage.setItem(userKey, JSON.stringify({ ...user, token: '' }))
  browserStorage.setItem(staffKey, '1')
}

/** Ends the session of this tab; on the pay pages of this browser one still works here. */
export function clearSession(): void {
  tabStorage.removeItem(tokenKey)
  tabStorage.removeItem(userKey)
}

/** This browser is nobody's who works here any more, as after a log-out. */
export const forgetStaff = (): void => browserStorage.removeItem(staffKey)

/** Whether somebody has signed in with this browser, and not logged out again. */
export const hasSignedIn = (): boolean => browserStorage.getItem(staffKey) !== null
