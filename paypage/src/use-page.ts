import { useCallback, useEffect, useState } from 'preact/hooks'
import { api, Refused, type PayPage } from './api.ts'
import type { PageLanguage } from './language.ts'
import { pauseAfter } from './pauses.ts'

const firstPauseMs = 2000

interface Looked {
  page: PayPage | null
  /** Why the last look failed. */
  failure: unknown
  /** How many have failed in a row. */
  failures: number
}

/**
 * What the page of a chair shows. Once it is there it stays, whatever becomes of the next look; a look that fails for
 * the moment is tried again with growing pauses, and at once when the connection or the customer comes back.
 */
export function usePage(deviceId: string, language: PageLanguage) {
  const [{ page, failure, failures }, setLooked] = useState<Looked>({
    page: null,
    failure: undefined,
    failures: 0,
  })
  const [looks, setLooks] = useState(0)
  const load = useCallback(() => setLooks((before) => before + 1), [])

  useEffect(() => {
    let isOvertaken = false
    api.page(language, deviceId).then(
      (next) => isOvertaken || setLooked({ page: next, failure: undefined, failures: 0 }),
      (error: unknown) =>
        isOvertaken || setLooked((before) => ({ ...before, failure: error, failures: before.failures + 1 })),
    )
    return () => {
      isOvertaken = true
    }
  }, [deviceId, language, looks])

  useEffect(() => {
    // What the server will not change its mind about is asked for by the customer alone.
    if (failure === undefined || (failure instanceof Refused && !failure.isPassing)) return
    const timer = setTimeout(load, pauseAfter(failures - 1, firstPauseMs))
    const comeBack = () => document.visibilityState === 'visible' && void load()
    document.addEventListener('visibilitychange', comeBack)
    window.addEventListener('online', comeBack)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('online', comeBack)
    }
  }, [failure, failures, load])

  return { page, failure, load }
}
