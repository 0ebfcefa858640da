import { useEffect, useState } from 'react'
import { rescueFocus } from './kept-focus.ts'

/** Gives the focus back, when a dialog or drawer goes, to what had it before: to whatever opened it. */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
        rescueFocus()
      })
    },
    [opener],
  )
}
