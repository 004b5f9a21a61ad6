import { useWindowEvent } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { forgotPassword, logIn, refreshSession } from '@veridict/contract/api/session'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { useRef } from 'react'
import { CallFailure, fieldErrorsOf, isStatus, messageOf } from './call-failure.ts'
import classes from './scrolling-text.module.css'

/** An equal notice that is still visible is not repeated: a lost connection fails several calls. */
export function announce({ title, message, color }: Notice): void {
  notifications.show({
    id: `${title}:${message}`,
    title,
    message: isLong(message) ? <ScrollingText text={message} /> : message,
    color,
    withBorder: true,
  })
}

/** About ten lines on a phone. */
const LONG_TEXT = 400

const isLong = (message: string) => message.length > LONG_TEXT || message.split('\n').length > 6

/** Shows the notice of a failed call. A bug is logged and shown as unexpected. */
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
 * Scrolls by wheel, touch and keyboard, which also keeps the notice open. The wheel is read from the window:
 * a mouse that only rests there must not keep the notice open, nor be kept from the buttons below.
 */
function ScrollingText({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null)
  const scroll = (event: WheelEvent) => {
    if (box.current === null || !isOver(event, box.current.getBoundingClientRect())) return
    event.preventDefault()
    box.current.scrollTop += event.deltaY
    box.current.focus({ preventScroll: true })
  }
  useWindowEvent('wheel', scroll, { passive: false })
  return (
    <div ref={box} className={classes.long} tabIndex={0}>
      {text}
    </div>
  )
}

const isOver = ({ clientX: x, clientY: y }: WheelEvent, { left, right, top, bottom }: DOMRect) =>
  x >= left && x <= right && y >= top && y <= bottom

type Notice = { title: string; message: string; color: 'orange' | 'red' | 'green' }

/** Calls whose 401 means "wrong password", not "the session is over". */
const loginPaths: readonly string[] = [logIn.path, refreshSession.path, forgotPassword.path]
const isLoginPath = (path: string): boolean => loginPaths.includes(path)

/** Any other 401 logs out silently. */
export const endsSession = ({ status, path }: CallFailure): boolean => status === 401 && !isLoginPath(path)

const noticeOf =
  (title: string, color: Notice['color']) =>
  (message: string): Notice => ({ title, message, color })
const validationError = noticeOf(noticeMessages.validationErrorTitle, 'orange')
export const errorNotice = noticeOf(noticeMessages.errorTitle, 'red')
const successNotice = noticeOf(noticeMessages.successTitle, 'green')

/** The notice of a failed call; null shows nothing. See docs/BEHAVIOUR.md#notices. */
export function noticeOfFailure(failure: CallFailure): Notice | null {
  const { status, path, body } = failure
  const faults = fieldErrorsOf(failure)
  if (path === refreshSession.path || status === 409 || endsSession(failure)) return null
  // Shown under the e-mail field instead.
  if ('DuplicateEmail' in faults) return null
  if (Object.keys(faults).length > 0) return validationError(Object.values(faults).flat().join(', '))
  if (Array.isArray(body)) return validationError(body.map(String).join('\n'))
  return errorNotice(messageOf(failure) ?? noticeMessages.unexpected)
}

/** What a form says of its failed call: the text of the notice. */
export const textOfFailure = (failure: unknown): string =>
  (failure instanceof CallFailure ? noticeOfFailure(failure)?.message : undefined) ??
  noticeMessages.unexpected

/** The notice of a success: its `successMessage`, else its `value.message`, else null. */
export function noticeOfSuccess(body: unknown): Notice | null {
  if (body === null || typeof body !== 'object') return null
  const { successMessage, value } = body as { successMessage?: unknown; value?: unknown }
  const message =
    successMessage ??
    (value !== null && typeof value === 'object' && 'message' in value ? value.message : undefined)
  return typeof message === 'string' && message !== '' ? successNotice(message) : null
}
