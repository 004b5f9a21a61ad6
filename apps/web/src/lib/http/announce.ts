import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { CallFailure, isStatus, messageOf } from './call-failure.ts'
import { errorNotice, type Notice, noticeOfFailure } from './error-notice.ts'
import { ScrollingText } from './scrolling-text.tsx'
import { noticeMessages } from '@veridict/contract/messages/notices'

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
