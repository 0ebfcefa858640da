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

const choiceKey = 'CHOICE'

/** Keeps what was chosen for the way to WeChat, which asks who pays, and back. */
export function keepChoice(goodsId: number): void {
  try {
    sessionStorage.setItem(choiceKey, String(goodsId))
  } catch {
    // It is chosen anew then.
  }
}

/** What was chosen before that way, once. */
export function takeChoice(): number | undefined {
  try {
    const kept = sessionStorage.getItem(choiceKey)
    sessionStorage.removeItem(choiceKey)
    return kept === null ? undefined : Number(kept)
  } catch {
    return undefined
  }
}
