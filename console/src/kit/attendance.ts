import { useSyncExternalStore } from 'react'

/* Whether somebody is there: what a page asks by itself would keep a session alive that nobody uses any more. */

/** How long after the last sign of somebody he is taken to be there. */
const stillThereMs = 15 * 60_000
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

let lastSign = Date.now()
let isThere = true
let watch: ReturnType<typeof setTimeout> | undefined
const told = new Set<() => void>()

function tell(there: boolean): void {
  if (there === isThere) return
  isThere = there
  for (const one of told) one()
}

function look(): void {
  const leftMs = lastSign + stillThereMs - Date.now()
  tell(leftMs > 0)
  watch = leftMs > 0 ? setTimeout(look, leftMs) : undefined
}

function notice(): void {
  lastSign = Date.now()
  if (watch === undefined) look()
}

function listen(listener: () => void): () => void {
  if (told.size === 0) {
    for (const sign of signs) addEventListener(sign, notice, { capture: true, passive: true })
    notice()
  }
  told.add(listener)
  return () => {
    told.delete(listener)
    if (told.size > 0) return
    for (const sign of signs) removeEventListener(sign, notice, { capture: true })
    clearTimeout(watch)
    watch = undefined
  }
}

/** Whether somebody moved or typed not long ago. */
export const useIsSomebodyThere = (): boolean => useSyncExternalStore(listen, () => isThere)
