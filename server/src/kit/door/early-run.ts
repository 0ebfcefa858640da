import type { Principal } from '../principal.ts'

/** A call that was begun for whoever had the token the last time, while the token is being checked. */
export interface EarlyRun {
  principal: Principal
  data: Promise<unknown>
}

/**
 * Begins a call early: the check of the token and the call's own question to the database, which would follow one
 * another, then take place side by side. What is found counts only when the check finds the very same principal: a lock
 * or a lost right holds as if the check had been first. What goes wrong early is met again by whoever uses the run.
 */
export function beginEarly(principal: Principal, run: () => Promise<unknown>): EarlyRun {
  const data = (async () => run())()
  data.catch(() => undefined)
  return { principal, data }
}
