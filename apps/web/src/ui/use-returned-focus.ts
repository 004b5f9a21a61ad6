import { useEffect, useState } from 'react'

/**
 * For a dialog that is simply taken away when it closes: gives the focus back to what it was opened from, or to the content where that
 * is gone too, so that the keyboard goes on where it was.
 */
export function useReturnedFocus(): void {
  // Read while rendering: when effects run, an input of the dialog may have taken the focus already.
  const [opener] = useState(() => document.activeElement)
  useEffect(() => () => void setTimeout(() => giveFocus(opener)), [opener])
}

/** Only where nobody has it: what comes after the dialog may have taken it. */
function giveFocus(to: Element | null): void {
  if (document.activeElement !== document.body) return
  const target = to?.isConnected ? to : document.getElementById('content')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
