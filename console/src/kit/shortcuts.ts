import { useEffect, useRef } from 'react'

const typingFields = 'input, textarea, select, [contenteditable="true"], [role="combobox"]'

/** Whether a key press is a shortcut: nobody types, no dialog is open, no other key is held. */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented)
    return false
  if ((event.target as Element | null)?.closest(typingFields)) return false
  return document.querySelector('[role="dialog"]') === null
}

/** Runs `act` when the key is pressed outside fields and dialogs; the newest `act` is the one that counts. */
export function useShortcut(key: string, act: () => unknown): void {
  const newest = useRef(act)
  useEffect(() => {
    newest.current = act
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || !isShortcut(event)) return
      event.preventDefault()
      newest.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [key])
}
