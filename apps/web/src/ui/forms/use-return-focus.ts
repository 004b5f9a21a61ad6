import { useEffect, useState } from 'react'

/**
 * For a dialog that is simply taken away when it closes: gives the focus back to what it was opened from, or
 * to the content where that is gone too, so that the keyboard goes on where it was.
 */
export function useReturnFocus(): void {
  // Read while rendering: when effects run, an input of the dialog may have taken the focus already.
  const [opener] = useState(() => document.activeElement)
  useEffect(() => () => void setTimeout(() => giveFocus(opener)), [opener])
}

/**
 * Unless something on the page has taken it. The question about unsaved changes still has it while it fades.
 */
function giveFocus(to: Element | null): void {
  const { activeElement, body } = document
  if (activeElement !== body && activeElement?.closest('[role=dialog]') === null) return
  const target = to?.isConnected ? to : document.getElementById('content')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
