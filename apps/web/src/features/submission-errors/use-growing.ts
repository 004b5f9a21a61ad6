import { useEffect, useState } from 'react'

const step = 200

/**
 * How many of `total` items to draw by now: the first 200 at once, then 200 more with every frame. A row of a
 * workbook can have 16,384 wrong cells, and the page must not stand still while they are drawn.
 */
export function useGrowing(total: number): number {
  const [drawn, setDrawn] = useState(step)
  useEffect(() => {
    if (drawn >= total) return
    const frame = requestAnimationFrame(() => setDrawn(drawn + step))
    return () => cancelAnimationFrame(frame)
  }, [drawn, total])
  return Math.min(drawn, total)
}
