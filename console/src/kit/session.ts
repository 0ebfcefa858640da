import type { SessionUser } from '@chairside/contract'

/* The session of this tab. The access token lives in session storage (spec 1 §7). */

const tokenKey = 'token'
const userKey = 'user'
/** Read by the pay page of the same address: who works here gets the way to a chair's card. */
const staffKey = 'staff'

export const readToken = (): string | null => sessionStorage.getItem(tokenKey)

export function storeToken(token: string): void {
  sessionStorage.setItem(tokenKey, token)
}

export function readUser(): SessionUser | null {
  const kept = sessionStorage.getItem(userKey)
  // A session that began before columns could be chosen does not speak of them.
  return kept ? { hiddenColumns: {}, ...(JSON.parse(kept) as Omit<SessionUser, 'hiddenColumns'>) } : null
}

export function storeSession(user: SessionUser): void {
  storeToken(user.token)
  sessionStorage.setItem(userKey, JSON.stringify({ ...user, token: '' }))
  localStorage.setItem(staffKey, '1')
}

/** Ends the session of this tab; on the pay pages of this browser one still works here. */
export function clearSession(): void {
  sessionStorage.removeItem(tokenKey)
  sessionStorage.removeItem(userKey)
}

/** This browser is nobody's who works here any more, as after a log-out. */
export const forgetStaff = (): void => localStorage.removeItem(staffKey)

/** Whether somebody has signed in with this browser, and not logged out again. */
export const hasSignedIn = (): boolean => localStorage.getItem(staffKey) !== null
