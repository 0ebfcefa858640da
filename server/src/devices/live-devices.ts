import { watchDevices, type LiveDevice } from '@chairside/contract'
import { handleEvents, type Call, type EventFeed, type StreamedEvent } from '../kit/call.ts'
import type { Database } from '../kit/database.ts'
import type { Scope } from '../kit/scope.ts'
import { findDevicesWithin, findLiveDevices, type LiveRecord } from './live-devices-sql.ts'

/*
 * Rows that change while one looks. Each process reads the devices that are on somebody's screen once a second, all of
 * them at once, and tells each listener what differs from what it was told last. Heartbeats cost nothing for it: nobody
 * is told of them, and what nobody looks at is not read (docs/decisions/0105).
 */

const lookEveryMs = 1000
/** At most this part of the time is spent looking: a slow database is asked less often. */
const restFactor = 4

interface Watcher {
  scope: Scope
  /** What it may see of what it asked for. */
  sids: Set<string>
  /** Of these it has not been told the latest. */
  news: Set<string>
  /** Its rows have to be read again. */
  isStale: boolean
  wake: () => void
}

export interface LiveDevices {
  /** Begins to watch those of the devices that are in the scope; undefined when none is. */
  watch(scope: Scope, sids: readonly string[], wake: () => void): Promise<EventFeed | undefined>
}

function liveOf(record: LiveRecord | undefined): LiveDevice[] {
  if (!record) return []
  const { version: _, ...live } = record
  return [live]
}

const fields = ['status', 'signals', 'running', 'locked', 'blocked'] as const
const isSame = (one: LiveRecord, other: LiveRecord) => fields.every((field) => one[field] === other[field])

/** @param onError when the database could not be read; it is asked again */
export function createLiveDevices(
  db: Database,
  { everyMs = lookEveryMs, onError }: { everyMs?: number; onError: (error: unknown) => void },
): LiveDevices {
  const watchers = new Set<Watcher>()
  const known = new Map<string, LiveRecord>()
  let timer: NodeJS.Timeout | undefined

  /** Reads devices and notes what is new in them. */
  async function look(sids: readonly string[]): Promise<void> {
    if (sids.length === 0) return
    const found = new Map((await findLiveDevices(db, sids)).map((record) => [record.deviceId, record]))
    const isMoved = (sid: string) => known.has(sid) && known.get(sid)?.version !== found.get(sid)?.version
    const moved = new Set(sids.filter(isMoved))
    // Before anything is noted: where the database is away now, the next look finds the same again.
    const left = await findLeft([...watchers].filter((watcher) => !watcher.sids.isDisjointFrom(moved)))
    const changed = new Set<string>()
    for (const sid of sids) {
      const before = known.get(sid)
      const record = found.get(sid)
      if (record && !(before && isSame(before, record))) changed.add(sid)
      if (record) known.set(sid, record)
      else known.delete(sid)
    }
    if (changed.size === 0 && moved.size === 0) return
    for (const watcher of watchers) note(watcher, changed, left.get(watcher))
  }

  /** What each may still see of what it watches. */
  async function findLeft(some: readonly Watcher[]): Promise<Map<Watcher, string[]>> {
    const left = new Map<Watcher, string[]>()
    for (const watcher of some)
      left.set(watcher, await findDevicesWithin(db, watcher.scope, [...watcher.sids]))
    return left
  }

  /** Nobody is told of a device that they have lost. */
  function note(watcher: Watcher, changed: ReadonlySet<string>, left: readonly string[] | undefined): void {
    if (left) {
      watcher.sids = new Set(left)
      watcher.isStale = true
    }
    for (const sid of watcher.sids) if (changed.has(sid)) watcher.news.add(sid)
    if (watcher.isStale || watcher.news.size > 0) watcher.wake()
  }

  function takeNews(watcher: Watcher): StreamedEvent[] {
    const { news, isStale } = watcher
    const list = [...news.intersection(watcher.sids)].flatMap((sid) => liveOf(known.get(sid)))
    watcher.news = new Set()
    watcher.isStale = false
    return [
      ...(list.length > 0 ? [{ event: 'devices', data: list }] : []),
      ...(isStale ? [{ event: 'changed', data: {} }] : []),
    ]
  }

  async function lookOn(): Promise<void> {
    const startedAtMs = performance.now()
    try {
      const sids = new Set([...watchers].flatMap((watcher) => [...watcher.sids]))
      for (const sid of known.keys()) if (!sids.has(sid)) known.delete(sid)
      await look([...sids])
    } catch (error) {
      onError(error)
    }
    const tookMs = performance.now() - startedAtMs
    timer = undefined
    if (watchers.size > 0) lookIn(Math.max(everyMs, tookMs * restFactor))
  }
  function lookIn(ms: number): void {
    timer ??= setTimeout(() => void lookOn(), ms).unref()
  }

  return {
    async watch(scope, asked, wake) {
      const sids = await findDevicesWithin(db, scope, asked)
      if (sids.length === 0) return undefined
      const watcher: Watcher = {
        scope,
        sids: new Set(sids),
        news: new Set(sids),
        isStale: sids.length < new Set(asked).size,
        wake,
      }
      await look(sids)
      watchers.add(watcher)
      lookIn(everyMs)
      return {
        take: () => takeNews(watcher),
        close: () => void watchers.delete(watcher),
      }
    },
  }
}

/** The stream of live rows (spec 2 §2: status is live). */
export function createLiveDeviceCalls(live: LiveDevices): Call[] {
  return [
    handleEvents(watchDevices, async ({ scope, input, refuse }, wake) => {
      const feed = await live.watch(scope, input.deviceids, wake)
      return feed ?? refuse('notFound')
    }),
  ]
}
