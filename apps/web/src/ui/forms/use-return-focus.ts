import { useEffect, useState } from 'react'

/**
 * For a dialog that unmounts when it closes: returns the focus to the element that opened it, or to the
 * content if that is gone, so that the keyboard continues there.
 */
export function useReturnFocus(): void {
  // Read while rendering: before the effects run, an input of the dialog may take the focus.
  const [opener] = useState(() => document.activeElement)
  useEffect(() => () => void setTimeout(() => restoreFocus(opener)), [opener])
}

/** Does nothing if another element has the focus, except a closing dialog, which keeps it while it fades. */
function restoreFocus(to: Element | null): void {
  const { activeElement, body } = document
  if (activeElement !== body && activeElement?.closest('[role=dialog]') === null) return
  const target = to?.isConnected ? to : document.getElementById('content')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
