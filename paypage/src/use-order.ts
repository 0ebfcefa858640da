import { useEffect, useRef, useState } from 'preact/hooks'
import { api, type PayOrder } from './api.ts'
import type { PageLanguage } from './language.ts'
import { pauseAfter } from './pauses.ts'

/** How often an order is looked at: the countdown runs by itself, so a chair that runs needs few looks. */
const pauseMs: Record<PayOrder['phase'], number> = {
  paying: 2000,
  starting: 1500,
  running: 5000,
  // Somebody may start the rest.
  brokenOff: 10_000,
  refunding: 4000,
  ended: 0,
  refunded: 0,
  closed: 0,
  refundFailed: 0,
}
/** Somebody waits for the chair to stand still. */
const stoppingPauseMs = 1500

const pauseOf = (order: PayOrder) => (order.stopping ? stoppingPauseMs : pauseMs[order.phase])

/**
 * Follows an order until it is over. A look that fails, by a lost connection or a refusal, is tried again with growing
 * pauses; coming back to the page asks at once, since a phone stops timers while the page is hidden.
 */
export function useOrder(first: PayOrder | null, language: PageLanguage) {
  const [order, setOrder] = useState(first)
  const [failure, setFailure] = useState<unknown>(undefined)
  const failures = useRef(0)

  const orderId = order?.orderId
  const pause = order ? pauseOf(order) : 0
  useEffect(() => {
    if (!orderId || pause === 0) return setFailure(undefined)
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const ask = async () => {
      clearTimeout(timer)
      try {
        const next = await api.order(language, orderId)
        if (ended) return
        failures.current = 0
        setFailure(undefined)
        setOrder(next)
      } catch (error) {
        if (ended) return
        failures.current++
        setFailure(error)
      }
      // Another look may have been begun meanwhile, and be over: one goes on.
      clearTimeout(timer)
      timer = setTimeout(ask, pauseAfter(failures.current, pause))
    }
    const comeBack = () => document.visibilityState === 'visible' && void ask()
    timer = setTimeout(ask, pauseAfter(failures.current, pause))
    document.addEventListener('visibilitychange', comeBack)
    window.addEventListener('online', comeBack)
    return () => {
      ended = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('online', comeBack)
    }
  }, [orderId, pause, language])

  return { order, setOrder, failure }
}
