import { forgotPassword, logIn, refreshSession } from '@veridict/contract/api/session'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { CallFailure, fieldErrorsOf, messageOf } from './call-failure.ts'

export type Notice = { title: string; message: string; color: 'orange' | 'red' | 'green' }

/** Calls whose 401 means "wrong password", not "the session is over". */
const loginPaths: readonly string[] = [logIn.path, refreshSession.path, forgotPassword.path]
export const isLoginPath = (path: string): boolean => loginPaths.includes(path)

/** Any other 401 logs out silently. */
export const endsSession = ({ status, path }: CallFailure): boolean => status === 401 && !isLoginPath(path)

const validationError = (message: string): Notice => ({
  title: noticeMessages.validationErrorTitle,
  message,
  color: 'orange',
})
export const errorNotice = (message: string): Notice => ({
  title: noticeMessages.errorTitle,
  message,
  color: 'red',
})
export const successNotice = (message: string): Notice => ({
  title: noticeMessages.successTitle,
  message,
  color: 'green',
})

type Rule = { when: (failure: CallFailure) => boolean; notice: (failure: CallFailure) => Notice | null }

/** The first rule that fits decides; `null` shows nothing. See docs/BEHAVIOUR.md#notices. */
const catalogue: readonly Rule[] = [
  { when: ({ path }) => path === refreshSession.path, notice: () => null },
  { when: ({ status }) => status === 409, notice: () => null },
  { when: endsSession, notice: () => null },
  // Shown under the e-mail field instead.
  { when: (failure) => 'DuplicateEmail' in fieldErrorsOf(failure), notice: () => null },
  {
    when: (failure) => Object.keys(fieldErrorsOf(failure)).length > 0,
    notice: (failure) => validationError(Object.values(fieldErrorsOf(failure)).flat().join(', ')),
  },
  {
    when: ({ body }) => Array.isArray(body),
    notice: ({ body }) => validationError((body as unknown[]).map(String).join('\n')),
  },
  {
    when: (failure) => messageOf(failure) !== null,
    notice: (failure) => errorNotice(messageOf(failure) ?? ''),
  },
  { when: () => true, notice: () => errorNotice(noticeMessages.unexpected) },
]

/** The notice of a failed call; null shows nothing. */
export function noticeOfFailure(failure: CallFailure): Notice | null {
  return catalogue.find((rule) => rule.when(failure))?.notice(failure) ?? null
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
