/*
 * What this browser and this tab keep. Some browsers refuse to keep anything: their storage is null, or throws when it is only
 * looked at. Then this page keeps it, for as long as it is open.
 */

type KeptTexts = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

function keepInPage(): KeptTexts {
  const texts = new Map<string, string>()
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  }
}

const triedKey = 'TRIED'

function openStorage(find: () => Storage | null): KeptTexts {
  try {
    const storage = find()
    storage?.setItem(triedKey, '')
    storage?.removeItem(triedKey)
    return storage ?? keepInPage()
  } catch {
    return keepInPage()
  }
}

/** Kept for this browser. */
export const browserStorage = openStorage(() => localStorage)

/** Kept for this tab, until it is closed. */
export const tabStorage = openStorage(() => sessionStorage)
