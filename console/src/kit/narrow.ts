import { useSyncExternalStore } from 'react'

const phone = matchMedia('(max-width: 767px)')

function subscribe(changed: () => void): () => void {
  phone.addEventListener('change', changed)
  return () => phone.removeEventListener('change', changed)
}

/** Whether the screen is as narrow as a phone's: tables become cards, the menu a drawer. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => phone.matches)
