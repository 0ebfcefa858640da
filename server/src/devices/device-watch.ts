import { offlineAfterSeconds } from '@chairside/contract/devices/device-protocol'
import type { Database } from '../kit/database.ts'
import type { DatabaseClock } from '../kit/database-clock.ts'
import { recoverDeliveries } from './device-commands.ts'
import { showHeldStatuses, storeSilence } from './device-states-sql.ts'

export interface WatchTimes {
  everyMs: number
  /** A board that was silent this long is offline. */
  silenceMs: number
}

/** So long later than it could be, at most, the latest of a board that wavers is shown. */
const showHeldEveryMs = 2000

export const defaultWatchTimes: WatchTimes = { everyMs: 15_000, silenceMs: offlineAfterSeconds * 1000 }

/**
 * Looks again and again for what no message tells: boards that fell silent, commands whose job was lost, and what boards
 * said that was held back, also by a process that is gone. Silence
 * is judged only by who has listened for that long: not after a restart of ours, not when the broker has just come back
 * or the database was away, not after this process was suspended or the database's clock was set. While the broker stays
 * away nobody can be reached, and all are offline in the end.
 */
export function watchDevices(options: {
  db: Database
  clock: DatabaseClock
  instanceName: string
  isConnected(): boolean
  times: WatchTimes
  onError(error: unknown): void
}): { stop(): Promise<void> } {
  const { db, clock, instanceName, times } = options
  let wasConnected = options.isConnected()
  let steadySince = clock.now().getTime()
  let lookedAt = steadySince

  const look = async () => {
    try {
      await clock.compare()
      await recoverDeliveries(db)
      const now = clock.now().getTime()
      const isConnected = options.isConnected()
      const sinceMs = now - lookedAt
      const hasJumped = sinceMs < 0 || sinceMs > times.everyMs + times.silenceMs / 2
      lookedAt = now
      if (isConnected !== wasConnected || hasJumped) steadySince = now
      wasConnected = isConnected
      if (now - steadySince < times.silenceMs) return
      await storeSilence(db, instanceName, {
        silentSince: new Date(now - times.silenceMs),
        at: new Date(now),
      })
    } catch (error) {
      steadySince = clock.now().getTime()
      options.onError(error)
    }
  }
  let isShowing = true
  const showHeld = async () => {
    try {
      await showHeldStatuses(db, instanceName)
      isShowing = true
    } catch (error) {
      // Told once, and not every two seconds while the database is away.
      if (isShowing) options.onError(error)
      isShowing = false
    }
  }
  const looks = [repeat(look, times.everyMs), repeat(showHeld, showHeldEveryMs)]
  return {
    async stop() {
      await Promise.all(looks.map((one) => one.stop()))
    },
  }
}

/** Works at once, and again after each pause. */
function repeat(work: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const workOn = async () => {
    await work()
    if (!isStopped) timer = setTimeout(() => (running = workOn()), everyMs)
  }
  let running = workOn()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
