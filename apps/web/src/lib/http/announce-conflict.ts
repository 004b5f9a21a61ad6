import { noticeMessages } from '@veridict/contract/messages/notices'
import { announce } from './announce.ts'
import { isStatus, messageOf } from './call-failure.ts'
import { errorNotice } from './error-notice.ts'

/**
 * Tells the server's message of a 409, for which the catalogue has no generic notification. All other
 * failures are told by the query client. Spec §8.
 */
export function announceConflict(failure: unknown): void {
  if (isStatus(failure, 409)) announce(errorNotice(messageOf(failure) ?? noticeMessages.unexpected))
}
