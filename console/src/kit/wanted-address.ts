import { tabStorage } from './browser-storage.ts'

/* The address that somebody asked for without a session; after the login home offers the way there (spec 1 §2). */

const key = 'wanted'

/** Keeps the present address of this tab, unless it is home or the login itself. */
export function keepWantedAddress(): void {
  const { pathname, search } = location
  if (pathname !== '/' && pathname !== '/login') tabStorage.setItem(key, pathname + search)
}

export const readWantedAddress = (): string | null => tabStorage.getItem(key)

export const forgetWantedAddress = (): void => tabStorage.removeItem(key)
