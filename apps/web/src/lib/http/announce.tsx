import { notifications } from '@mantine/notifications'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { createElement, useEffect, useRef } from 'react'
import { CallFailure, isStatus, messageOf } from './call-failure.ts'
import { errorNotice, type Notice, noticeOfFailure } from './error-notice.ts'
import classes from './scrolling-text.module.css'

/**
 * Shows a notice. An equal one that is still visible is not repeated: a lost connection fails several
 * calls.
 */
export function announce({ title, message, color }: Notice): void {
  notifications.show({
    id: `${title}:${message}`,
    title,
    message: isLong(message) ? createElement(ScrollingText, { text: message }) : message,
    color,
    withBorder: true,
  })
}

/** About ten lines on a phone. */
const LONG_TEXT = 400

const isLong = (message: string) => message.length > LONG_TEXT || message.split('\n').length > 6

/** Shows the notice of a failed call (`error-notice.ts`). A bug is logged and shown as unexpected. */
export function announceFailure(failure: unknown): void {
  if (!(failure instanceof CallFailure)) {
    console.error(failure)
    announce(errorNotice(noticeMessages.unexpected))
    return
  }
  const notice = noticeOfFailure(failure)
  if (notice !== null) announce(notice)
}

/** Shows the message of a 409, which has no notice by itself. The query client shows all other failures. */
export function announceConflict(failure: unknown): void {
  if (isStatus(failure, 409)) announce(errorNotice(messageOf(failure) ?? noticeMessages.unexpected))
}

/**
 * The long text of a notice, which scrolls by wheel, touch and keyboard; what scrolls it also keeps the
 * notice open. The wheel is read from the window: a mouse that only rests there must neither keep the notice
 * open nor be kept from the buttons below it.
 */
function ScrollingText({ text }: { text: string }) {
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
