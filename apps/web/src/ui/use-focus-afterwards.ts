import { useEffect, useRef } from 'react'

/**
 * For a button that is disabled while its deed is under way, and so loses the focus: gives it back when the wait is over, unless
 * something else has taken it.
 */
export function useFocusAfterwards(isWaiting: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const hasWaited = useRef(false)
  useEffect(() => {
    if (hasWaited.current && !isWaiting && document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    hasWaited.current = isWaiting
  }, [isWaiting])
  return button
}
