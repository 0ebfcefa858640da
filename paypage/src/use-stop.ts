import { useLayoutEffect, useRef } from 'preact/hooks'
import { api, Refused, type PayOrder } from './api.ts'
import type { PageLanguage } from './language.ts'
import { pauseAfter } from './pauses.ts'

const tries = 7
const firstPauseMs = 1000

/** Waits so long, but not when the connection comes back or somebody ends the pause. */
function pause(pauseMs: number, pauseRef: { current: (() => void) | undefined }): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer)
      window.removeEventListener('online', goOn)
      pauseRef.current = undefined
      resolve()
    }
    const timer = setTimeout(goOn, pauseMs)
    window.addEventListener('online', goOn)
    pauseRef.current = goOn
  })
}

/**
 * Stops the chair. A stop that may not have arrived is sent again with growing pauses, and at once when the connection
 * comes back; any number of them is one stop.
 * @param wait for so long, or until that may be of use; answers whether a look has shown that the chair stops or stands still
 * @returns the order, or undefined when looks have told of it already
 * @throws Refused, or what the last try met
 */
async function pressStop(
  language: PageLanguage,
  orderId: string,
  wait: (pauseMs: number) => Promise<boolean>,
): Promise<PayOrder | undefined> {
  for (let failures = 0; ; failures++) {
    try {
      return await api.stop(language, orderId)
    } catch (error) {
      const isRefused = error instanceof Refused && !error.isPassing
      // What is refused now may be what an earlier try has done.
      if (isRefused && failures > 0) return stoppedBefore(language, orderId, error)
      if (isRefused || failures + 1 === tries) throw error
      if (await wait(pauseAfter(failures, firstPauseMs))) return undefined
    }
  }
}

async function stoppedBefore(language: PageLanguage, orderId: string, refusal: Refused): Promise<PayOrder> {
  const order = await api.order(language, orderId)
  if (order.phase === 'running' && !order.stopping) throw refusal
  return order
}

/** Whether the chair stops or stands still. */
const isSettled = (order: PayOrder | null) => order?.phase !== 'running' || order.stopping

/** Stops the chair that an order runs on, for whoever waits for it. */
export function useStop(
  order: PayOrder | null,
  setOrder: (order: PayOrder) => void,
  language: PageLanguage,
): () => Promise<void> {
  const latestRef = useRef(order)
  const pauseRef = useRef<(() => void) | undefined>(undefined)
  useLayoutEffect(() => {
    latestRef.current = order
    // Nothing else can be pressed before.
    if (isSettled(order)) pauseRef.current?.()
  }, [order])
  return async () => {
    if (!order) return
    const stopped = await pressStop(language, order.orderId, async (pauseMs) => {
      await pause(pauseMs, pauseRef)
      return isSettled(latestRef.current)
    })
    if (stopped) setOrder(stopped)
  }
}
