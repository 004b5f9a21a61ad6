import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether the page is about to be printed. At once: the browser does not wait for a later rendering. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const change = ({ type }: Event) => flushSync(() => setIsPrinting(type === 'beforeprint'))
    window.addEventListener('beforeprint', change)
    window.addEventListener('afterprint', change)
    return () => {
      window.removeEventListener('beforeprint', change)
      window.removeEventListener('afterprint', change)
    }
  }, [])
  return isPrinting
}
