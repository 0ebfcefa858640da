import { useEffect, useRef, useState } from 'preact/hooks'
import { api, Refused, type PayOrder } from './api.ts'
import type { PageLanguage } from './language.ts'

const pauseMs: Record<PayOrder['phase'], number> = {
  paying: 1500,
  starting: 1000,
  running: 3000,
  refunding: 3000,
  ended: 0,
  refunded: 0,
  closed: 0,
  refundFailed: 0,
}
const longestPauseMs = 15_000

/**
 * Follows an order until it is over. A lost connection is tried again with growing pauses; coming back to the page
 * asks at once, since a phone stops timers while the page is hidden.
 */
export function useOrder(first: PayOrder | null, language: PageLanguage) {
  const [order, setOrder] = useState(first)
  const [connected, setConnected] = useState(true)
  const failures = useRef(0)

  const orderId = order?.orderId
  const pause = order ? pauseMs[order.phase] : 0
  useEffect(() => {
    if (!orderId || pause === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const ask = async () => {
      clearTimeout(timer)
      try {
        const next = await api.order(language, orderId)
        if (ended) return
        failures.current = 0
        setConnected(true)
        setOrder(next)
      } catch (error) {
        if (ended) return
        if (!(error instanceof Refused)) {
          failures.current++
          setConnected(false)
        }
      }
      timer = setTimeout(ask, Math.min(pause * 2 ** failures.current, longestPauseMs))
    }
    const comeBack = () => document.visibilityState === 'visible' && void ask()
    timer = setTimeout(ask, pause)
    document.addEventListener('visibilitychange', comeBack)
    window.addEventListener('online', comeBack)
    return () => {
      ended = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('online', comeBack)
    }
  }, [orderId, pause, language])

  return { order, setOrder, connected }
}
