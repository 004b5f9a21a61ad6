/** Elements that had the focus, the latest first, each followed by those around it that can take it. */
let places: HTMLElement[][] = []
const MOST_PLACES = 100
/** Whether a person clicked beside the latest one: while it is there, nothing takes the focus for them. */
let hasLeft = false

/**
 * When the focused element is removed or disabled, a browser would begin again at the top of the page. A
 * button that waits for its call gets the focus back; after a dialog what opened it; after a row its list;
 * otherwise the next element around with a `tabindex`. Until the returned function is called.
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
  const place = [target]
  for (let around = target.parentElement; around !== null; around = around.parentElement)
    if (around.hasAttribute('tabindex')) place.push(around)
  // A removed element would keep the whole screen that it was on in memory.
  const others = places.map((other) => other.filter((element) => element.isConnected))
  places = [place, ...others.filter(([element]) => element && element !== target)].slice(0, MOST_PLACES)
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
  for (const [index, place] of places.entries()) {
    const nearest = place.find((element) => element.isConnected)
    if (nearest === undefined) continue
    if (nearest.matches(':disabled') || (hasLeft && index === 0 && nearest === place[0])) return undefined
    return nearest.matches('[role=dialog]') ? lastPlaceIn(nearest) : nearest
  }
  return undefined
}

const lastPlaceIn = (dialog: HTMLElement): HTMLElement =>
  places.find(([element]) => dialog.contains(element) && !element.matches(':disabled'))?.[0] ?? dialog
