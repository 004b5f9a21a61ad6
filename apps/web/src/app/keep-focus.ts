/** Elements that had the focus, the latest first, each followed by those around it. */
let places: HTMLElement[][] = []
const MOST_PLACES = 100
/** Whether a person clicked beside the latest one: while it is there, nothing takes the focus for them. */
let hasLeft = false

/**
 * Keeps the place of the keyboard where a browser would begin again at the top of the page: when an element
 * that has the focus is removed or disabled. A button that waits for its call gets the focus back. After a
 * dialog it is the element that opened it; after a row its list, and after anything else the content: the
 * next one around it with a `tabindex`. Until the returned function is called.
 */
export function keepFocus(): () => void {
  const observer = new MutationObserver(restoreFocus)
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', notePlace)
  document.addEventListener('focusout', noteLeaving)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', notePlace)
    document.removeEventListener('focusout', noteLeaving)
  }
}

function notePlace({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return
  const place: HTMLElement[] = []
  for (let around: HTMLElement | null = target; around !== null; around = around.parentElement)
    place.push(around)
  places = [place, ...places.filter(([element]) => element !== target)].slice(0, MOST_PLACES)
  hasLeft = false
}

function noteLeaving({ target, relatedTarget }: FocusEvent): void {
  if (relatedTarget !== null || !(target instanceof HTMLElement)) return
  // Later: some browsers send this event before they remove the element.
  queueMicrotask(() => {
    hasLeft = hasLostFocus() && target.isConnected && !target.matches(':disabled')
  })
}

const hasLostFocus = (): boolean => document.activeElement === document.body

function restoreFocus(): void {
  if (hasLostFocus()) nextPlace()?.focus({ preventScroll: true })
}

function nextPlace(): HTMLElement | undefined {
  for (const [index, [element, ...around]] of places.entries()) {
    if (element.isConnected)
      return element.matches(':disabled') || (hasLeft && index === 0) ? undefined : element
    const home = around.find((outer) => outer.isConnected && outer.hasAttribute('tabindex'))
    if (home !== undefined) return home.matches('[role=dialog]') ? lastPlaceIn(home) : home
  }
  return undefined
}

const lastPlaceIn = (dialog: HTMLElement): HTMLElement =>
  places.find(([element]) => element.isConnected && dialog.contains(element))?.[0] ?? dialog
