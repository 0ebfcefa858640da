import { useEffect, useEffectEvent } from 'react'
import { useReturnFocus } from './return-focus.ts'

/** How to close each thing that is open above the page, the newest last. */
const open: (() => unknown)[] = []

/** Asks the newest thing above the page to close, as Escape does; answers whether there was one. */
export function leaveNewest(): boolean {
  const leave = open.at(-1)
  leave?.()
  return leave !== undefined
}

/** Lets Back close something above the page instead of leaving the page; answers what to call when it is gone. */
export function standAbove(leave: () => unknown): () => void {
  open.push(leave)
  return () => {
    const index = open.indexOf(leave)
    if (index >= 0) open.splice(index, 1)
  }
}

/** The same while a part of the page is open. */
export function useBackCloses(leave: () => unknown, isOpen = true): void {
  const leaveNow = useEffectEvent(leave)
  useEffect(() => (isOpen ? standAbove(() => leaveNow()) : undefined), [isOpen])
}

/** Stands in every dialog and drawer: Back closes it, and whatever opened it gets the focus again. */
export function useAboveThePage(leave: () => unknown): void {
  useReturnFocus()
  useBackCloses(leave)
}
