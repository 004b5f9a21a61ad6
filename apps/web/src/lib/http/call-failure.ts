import type { ErrorBody } from '@veridict/contract/api/endpoint'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { noticeMessages } from '@veridict/contract/messages/notices'

/** A call that failed. `status` is 0 without a response; `body` is the parsed response or null. */
export class CallFailure extends Error {
  readonly status: number
  readonly path: string
  readonly body: unknown

  constructor(status: number, path: string, body: unknown) {
    super(`${path} returned ${status === 0 ? 'no response' : status}`)
    this.name = 'CallFailure'
    this.status = status
    this.path = path
    this.body = body
  }
}

/** The `message` of the response, if there is one. */
export function messageOf(failure: unknown): string | null {
  const body = bodyOf(failure)
  return typeof body?.message === 'string' && body.message !== '' ? body.message : null
}

/** The `errors` of the response: messages by field. */
export function fieldErrorsOf(failure: unknown): Record<string, string[]> {
  const errors = bodyOf(failure)?.errors
  return errors !== null && typeof errors === 'object' ? errors : {}
}

export const isStatus = (failure: unknown, status: number): failure is CallFailure =>
  failure instanceof CallFailure && failure.status === status

/** Whether an update was refused because another user saved first. Other conflicts (409) are not meant. */
export const isEditConflict = (failure: unknown): boolean =>
  isStatus(failure, 409) &&
  [noticeMessages.changedMeanwhile, fieldMessages.changedMeanwhile].some(
    (message) => message === messageOf(failure),
  )

function bodyOf(failure: unknown): ErrorBody | null {
  if (!(failure instanceof CallFailure)) return null
  const { body } = failure
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? (body as ErrorBody) : null
}
