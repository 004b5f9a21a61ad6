import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether the page is about to be printed. At once: the browser does not wait for a later rendering. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useWindowEvent('beforeprint', () => flushSync(() => setIsPrinting(true)))
  useWindowEvent('afterprint', () => flushSync(() => setIsPrinting(false)))
  return isPrinting
}
