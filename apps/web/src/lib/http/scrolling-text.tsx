import { useEffect, useRef } from 'react'
import classes from './scrolling-text.module.css'

/**
 * The long text of a notice, which scrolls by wheel, touch and keyboard; what scrolls it also keeps the
 * notice open. The wheel is read from the window: a mouse that only rests there must neither keep the notice
 * open nor be kept from the buttons below it.
 */
export function ScrollingText({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const scroll = (event: WheelEvent) => {
      if (box.current === null || !isOver(event, box.current.getBoundingClientRect())) return
      event.preventDefault()
      box.current.scrollTop += event.deltaY
      box.current.focus({ preventScroll: true })
    }
    window.addEventListener('wheel', scroll, { passive: false })
    return () => window.removeEventListener('wheel', scroll)
  }, [])
  return (
    <div ref={box} className={classes.long} tabIndex={0}>
      {text}
    </div>
  )
}

const isOver = ({ clientX: x, clientY: y }: WheelEvent, { left, right, top, bottom }: DOMRect) =>
  x >= left && x <= right && y >= top && y <= bottom
