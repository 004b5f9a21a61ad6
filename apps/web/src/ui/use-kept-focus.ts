import { useEffect, useRef } from 'react'

/** For the frame of a list: where a row goes away with the focus in it, the frame takes it, so that the keyboard does not begin again at the top. */
export function useKeptFocus<Frame extends HTMLElement>(rows: unknown) {
  const ref = useRef<Frame>(null)
  const hasFocus = useRef(false)
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [rows])
  return { ref, tabIndex: -1, onFocus: () => void (hasFocus.current = true), onBlur: () => void (hasFocus.current = false) }
}
