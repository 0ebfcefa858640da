import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouter, type AnyRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { usePages } from '../kit/pages.ts'

/** The screen that was opened first has the line for itself. */
const restMs = 2000

/** Set by people whose bytes are dear, in browsers that ask them. */
const savesData = () =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits until the browser has nothing to do; where it does not tell, for a moment. */
const untilIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve())
    else setTimeout(resolve, 100)
  })

/** Waits until a screen has its code and what it asked for, and rested: on a slow line that takes longer than the rest. */
async function untilScreenStands(router: AnyRouter, client: QueryClient): Promise<void> {
  do await pause(restMs)
  while (router.state.isLoading || client.isFetching() > 0)
}

/** Half as much as all the rest, and on the home screen of nearly everybody. */
const loadCharts = () => import('../reports/day-bars.tsx')

/**
 * Fetches the code of the user's other screens one after another once the first one is shown, so that a change of screen
 * waits for its data alone.
 */
export function useLoadAhead(): void {
  const router = useRouter()
  const client = useQueryClient()
  const { menus } = usePages()
  useEffect(() => {
    if (menus.length === 0 || savesData()) return
    let isOver = false
    const load = async () => {
      await untilScreenStands(router, client)
      for (const { url } of menus.flatMap(({ children }) => children)) {
        await untilIdle()
        if (isOver) return
        const route = router.routesByPath[url as '/']
        // What does not come now is asked for again when its screen is opened.
        if (route) await router.loadRouteChunk(route)?.catch(() => undefined)
      }
      await untilIdle()
      if (!isOver) await loadCharts().catch(() => undefined)
    }
    void load()
    return () => {
      isOver = true
    }
  }, [menus, router, client])
}
