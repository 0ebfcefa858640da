/* Many people double-click on everything. */

const dialogOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('.ant-modal-root, .ant-drawer') : null

let pressedIn: Element | null = null

function follow(event: MouseEvent): void {
  const dialog = dialogOf(event.target)
  if (event.detail < 2) pressedIn = dialog
  else if (dialog !== pressedIn) {
    event.stopPropagation()
    event.preventDefault()
  }
}

/**
 * Lets the second press of a double click do nothing to what the first one opened or uncovered: it would close a dialog
 * again by its mask, answer a question that nobody has read, or press what stood below.
 */
export const forgiveDoubleClicks = (): void => document.addEventListener('click', follow, { capture: true })
