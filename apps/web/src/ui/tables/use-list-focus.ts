import { type FocusEvent, useEffect, useRef } from 'react'

/** Time between two checks whether an open dialog still has the focus. */
const RECHECK_MILLISECONDS = 100

/**
 * For the frame of a list: when the row with the focus is removed, the frame takes the focus, so that the
 * keyboard does not start at the top of the page. If a dialog was opened from that row, the frame takes the
 * focus after the dialog closes.
 */
export function useListFocus<Frame extends HTMLElement>(rows: unknown) {
  const ref = useRef<Frame>(null)
  const last = useRef<Element | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const takeFocus = () => {
      if (last.current === null || last.current.isConnected) return
      if (isInDialog(document.activeElement)) {
        timer = setTimeout(takeFocus, RECHECK_MILLISECONDS)
        return
      }
      if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
      else last.current = null
    }
    takeFocus()
    return () => clearTimeout(timer)
  }, [rows])
  return {
    ref,
    tabIndex: -1,
    // React also bubbles events of dialogs opened from a row; those are not inside the frame.
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
