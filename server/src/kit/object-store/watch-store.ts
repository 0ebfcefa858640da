import type { Log } from '../limited-log.ts'
import type { ObjectStore } from './object-store.ts'

const freshMs = 30_000

export interface WatchedStore {
  /** @throws what the store said when it was looked at last */
  assertThere(): Promise<void>
}

/**
 * Looks at a store at once and then whenever somebody asks, though not more often than every half minute, and says in the
 * log when it goes away and when it is there again. Nobody waits for it: one that is silent takes its time to be given up.
 */
export function watchStore(store: ObjectStore, log: Log, everyMs = freshMs): WatchedStore {
  let fault: unknown
  let lookedAtMs = -Infinity
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking || performance.now() - lookedAtMs < everyMs) return
    isLooking = true
    const before = fault
    fault = await store.check().then(
      () => undefined,
      (error: unknown) => error ?? new Error('the store is away'),
    )
    lookedAtMs = performance.now()
    isLooking = false
    if (fault && !before) log.error({ err: fault }, 'pictures can be neither kept nor shown')
    if (!fault && before) log.info({}, 'pictures can be kept and shown again')
  }
  void look()
  return {
    async assertThere() {
      void look()
      if (fault) throw fault
    },
  }
}
