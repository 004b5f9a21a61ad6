import { startTransition, useEffect, useState } from 'react'

/** Whether the component has not been painted yet. */
export function useFirstFrame(): boolean {
  const [isFirst, setIsFirst] = useState(true)
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      // In steps, between which the page stays free.
      frame = requestAnimationFrame(() => startTransition(() => setIsFirst(false)))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return isFirst
}
