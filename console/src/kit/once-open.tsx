import { useEffect, useState, type ReactNode } from 'react'

/**
 * What is in a dialog, drawn once the dialog itself is in the page: a field that is to have the focus from the
 * beginning cannot take it earlier. For people who want no motion antd would draw both at once.
 */
export function OnceOpen({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => queueMicrotask(() => setOpen(true)), [])
  return isOpen ? children : null
}
