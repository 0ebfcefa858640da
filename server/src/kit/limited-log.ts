import type { Logger } from 'pino'

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** Warns about what strangers can cause as often as they like. */
export interface LimitedLog {
  warn(kind: string, details: Record<string, unknown>, message: string): void
}

/** One line for each kind in `everyMs`; the next line tells how many were left out. */
export function createLimitedLog(log: Log, everyMs = 10_000): LimitedLog {
  const kinds = new Map<string, { loggedAtMs: number; leftOut: number }>()
  return {
    warn(kind, details, message) {
      const now = performance.now()
      const known = kinds.get(kind)
      if (known && now - known.loggedAtMs < everyMs) {
        known.leftOut++
        return
      }
      kinds.set(kind, { loggedAtMs: now, leftOut: 0 })
      log.warn({ kind, ...details, leftOut: known?.leftOut ?? 0 }, message)
    },
  }
}
