import { useEffect, useRef, type RefObject } from 'react'

/** Whether what had the focus is gone, or can have it no longer. */
const isLost = ({ activeElement: focused }: Document) =>
  focused === null || focused === document.body || focused.matches(':disabled')

/** Gives a focus that was lost to the rows of the page, or else to its content, so that the next key begins there. */
export function rescueFocus(): void {
  if (!isLost(document)) return
  const place =
    document.querySelector<HTMLElement>('.table-frame, .cards') ?? document.getElementById('content')
  place?.focus({ preventScroll: true })
}

/**
 * Keeps the focus in a part of the page when what had it goes: a row that was deleted, an action that was done, the way to
 * a page past the last one.
 */
export function useKeptFocus(): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null)
  const isInside = useRef(false)
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      // What is open above the page gives the focus back.
      if (!(target instanceof Element) || target.closest('[role=dialog], [role=menu]')) return
      isInside.current = part.current?.contains(target) ?? false
    }
    const leave = () => {
      isInside.current = false
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', follow)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', follow)
    }
  }, [])
  useEffect(() => {
    if (isInside.current) rescueFocus()
  })
  return part
}
