import { useEffect } from 'preact/hooks'
import type { PayPage } from './api.ts'

/** How often a chair that cannot be bought is looked at again. */
const lookAgainMs = 10_000
/** How often one that can be: what it offers may change with the minute, as its hours and its sleep goods do. */
const lookAtOfferMs = 60_000

/** Looks at the chair again now and then, while nothing else goes on: a look that failed is tried again by itself. */
export function useLooks(state: PayPage['state'], isIdle: boolean, onReload: () => void): void {
  useEffect(() => {
    if (!isIdle) return
    const look = () => document.visibilityState === 'visible' && onReload()
    const timer = setInterval(look, state === 'ready' ? lookAtOfferMs : lookAgainMs)
    // Scanned once and taken out of the pocket again, the page is of another hour.
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [state, isIdle, onReload])
}
