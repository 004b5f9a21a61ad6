import { forgotPassword, logIn, refreshSession } from '@veridict/contract/api/session'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { CallFailure, fieldErrorsOf, messageOf } from './call-failure.ts'

export type Notice = { title: string; message: string; color: 'orange' | 'red' | 'green' }

/** Calls whose 401 means "wrong password", not "the session is over". */
const loginPaths: readonly string[] = [logIn.path, refreshSession.path, forgotPassword.path]
export const isLoginPath = (path: string): boolean => loginPaths.includes(path)

/** Any other 401 logs out silently. */
export const endsSession = ({ status, path }: CallFailure): boolean => status === 401 && !isLoginPath(path)

const noticeOf =
  (title: string, color: Notice['color']) =>
  (message: string): Notice => ({ title, message, color })
const validationError = noticeOf(noticeMessages.validationErrorTitle, 'orange')
export const errorNotice = noticeOf(noticeMessages.errorTitle, 'red')
export const successNotice = noticeOf(noticeMessages.successTitle, 'green')

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
