/*
 * What is kept in this browser. Some refuse to keep anything: their storage is null, or throws when it is only looked at.
 */

export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // It holds until the page is left.
  }
}
