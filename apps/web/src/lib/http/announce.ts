import { notifications } from '@mantine/notifications'
import { CallFailure, isStatus, messageOf } from './call-failure.ts'
import { errorNotice, type Notice, noticeOfFailure } from './error-notice.ts'
import { noticeMessages } from '@veridict/contract/messages/notices'

/**
 * Shows a notice. The same notice is not shown twice at once: a lost connection fails several calls together.
 */
export function announce({ title, message, color }: Notice): void {
  notifications.show({ id: `${title}:${message}`, title, message, color, withBorder: true })
}

/** Tells of a failed call as the error catalogue says; a bug is logged and told as unexpected. */
export function announceFailure(failure: unknown): void {
  if (!(failure instanceof CallFailure)) {
    console.error(failure)
    announce(errorNotice(noticeMessages.unexpected))
    return
  }
  const notice = noticeOfFailure(failure)
  if (notice !== null) announce(notice)
}

/**
 * Tells the server's message of a 409, for which the catalogue has no generic notification. All other
 * failures are told by the query client. Spec §8.
 */
export function announceConflict(failure: unknown): void {
  if (isStatus(failure, 409)) announce(errorNotice(messageOf(failure) ?? noticeMessages.unexpected))
}
