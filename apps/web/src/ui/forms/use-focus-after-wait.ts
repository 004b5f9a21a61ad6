import { useEffect, useRef } from 'react'

/**
 * For a button that is disabled while its call runs, and so loses the focus: focuses it again when one of
 * `waits` ends, unless another element has the focus.
 */
export function useFocusAfterWait(...waits: boolean[]) {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(waits)
  useEffect(() => {
    const hasEnded = before.current.some((wasWaiting, index) => wasWaiting && !waits[index])
    before.current = waits
    if (hasEnded && document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  })
  return button
}
