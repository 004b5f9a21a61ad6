import { useEffect, useRef } from 'react'

/**
 * For a button that is disabled while its deed is under way, and so loses the focus: gives it back when a
 * wait is over, unless something else has taken it. One button may take the focus after several waits, each
 * with a flag of its own.
 */
export function useFocusAfterWait(...waits: boolean[]) {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(waits)
  useEffect(() => {
    const isOver = before.current.some((wasWaiting, index) => wasWaiting && !waits[index])
    before.current = waits
    if (isOver && document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  })
  return button
}
