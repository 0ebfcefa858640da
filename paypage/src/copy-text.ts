/**
 * Copies a text of the page. Browsers give the clipboard only to pages over HTTPS; over plain HTTP the old
 * way may work. Where neither does, the text is left selected.
 */
export async function copyText(shown: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(shown.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(shown)
    return document.execCommand('copy')
  }
}
