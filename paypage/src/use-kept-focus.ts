import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * When what had the focus is gone, the heading of what took its place gets it: whoever uses the page by keyboard or ear
 * goes on there. A focus that is somewhere stays.
 * @param shown what is shown at the moment
 */
export function useKeptFocus(shown: string): void {
  const beforeRef = useRef(shown)
  useLayoutEffect(() => {
    if (beforeRef.current === shown) return
    beforeRef.current = shown
    if (document.activeElement !== null && document.activeElement !== document.body) return
    const heading =
      document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus()
  }, [shown])
}
