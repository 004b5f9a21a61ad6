import { noticeMessages } from '@veridict/contract/messages/notices'

/**
 * `message` is safe to show. On the wire, `fieldErrors` are `errors` (400, and 409 for a duplicate e-mail),
 * `list` is an array (dictionary import). A bug is no AppError but a 500. See docs/BEHAVIOUR.md#calls.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly status: number
  readonly fieldErrors?: Readonly<Record<string, readonly string[]>>
  readonly list?: readonly string[]
  /** Seconds to wait, for 429 and 503. */
  readonly retryAfterSeconds?: number

  constructor(status: number, message: string, details: Details = {}) {
    super(message)
    Object.assign(this, details)
    // Last: `details` can have more at run time.
    this.status = status
  }
}
type Details = Pick<AppError, 'fieldErrors' | 'list' | 'retryAfterSeconds'>

export const invalid = (field: string, message: string) =>
  new AppError(400, message, { fieldErrors: { [field]: [message] } })
export const badRequest = (message: string) => new AppError(400, message)
export const unauthorized = (message: string) => new AppError(401, message)
export const forbidden = (message: string) => new AppError(403, message)
/** Also for what belongs to another company, so that a caller cannot tell whether it exists. */
export const notFound = (what: string) => new AppError(404, noticeMessages.notFound(what))
/** What a query finds; throws 404 if that is nothing. */
export async function found<T>(query: Promise<T>, what: string): Promise<Exclude<T, undefined | false>> {
  const row = await query
  if (row === undefined || row === false) throw notFound(what)
  return row as Exclude<T, undefined | false>
}
export const conflict = (message: string, fieldErrors?: AppError['fieldErrors']) =>
  new AppError(409, message, { fieldErrors })
export const tooLarge = (message: string) => new AppError(413, message)
export const unsupportedMediaType = (message: string) => new AppError(415, message)
export const tooManyRequests = (
  retryAfterSeconds: number,
  message: string = noticeMessages.tooManyRequests,
) => new AppError(429, message, { retryAfterSeconds })
export const unavailable = (message: string = noticeMessages.unavailable) =>
  new AppError(503, message, { retryAfterSeconds: 5 })
