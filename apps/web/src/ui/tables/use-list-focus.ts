import { type FocusEvent, useEffect, useRef } from 'react'

/** How often, in milliseconds, an open dialog is asked whether it still has the focus. */
const LOOK_AGAIN = 100

/**
 * For the frame of a list: where a row goes away with what had the focus, the frame takes it, so that the
 * keyboard does not begin again at the top of the page. A dialog that was opened from the row keeps it until
 * it closes, and would give it back to the row.
 */
export function useListFocus<Frame extends HTMLElement>(rows: unknown) {
  const ref = useRef<Frame>(null)
  const last = useRef<Element | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      if (last.current === null || last.current.isConnected) return
      if (isInDialog(document.activeElement)) {
        timer = setTimeout(keep, LOOK_AGAIN)
        return
      }
      if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
      else last.current = null
    }
    keep()
    return () => clearTimeout(timer)
  }, [rows])
  return {
    ref,
    tabIndex: -1,
    // React also tells what happens in dialogs that are opened from within; they are not part of the frame.
    onFocus: ({ target }: FocusEvent) => {
      if (ref.current?.contains(target)) last.current = target
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (!isInDialog(relatedTarget)) last.current = null
    },
  }
}

const isInDialog = (element: EventTarget | null) =>
  element instanceof Element && element.closest('[role=dialog]') !== null
