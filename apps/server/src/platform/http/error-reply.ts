import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { ZodError } from 'zod'
import { isDatabaseDown } from '#platform/database/database-down.ts'
import { sqlState } from '#platform/database/transaction.ts'
import { authorityEnded } from '#platform/http/authenticate.ts'
import { AppError, badRequest, tooLarge, unavailable, unsupportedMediaType } from '#errors.ts'
import { isAuthorityEnded } from '#platform/access/authority.ts'
import { closeAfterRefusal } from '#platform/http/multipart.ts'
import { invalidFields } from '#platform/http/parse-call.ts'
import { inSpan } from '#platform/http/trace-calls.ts'

/** SQLSTATEs for a text with NUL or a number out of range, for values that no form checks. */
const UNSTORABLE = ['22021', '22P05', '22003']

/** Turns every error of every route into a reply. See docs/BEHAVIOUR.md#calls. */
export function replyWithErrors(app: FastifyInstance): void {
  app.setErrorHandler<Error>((error, _request, reply) => sendError(error, reply))
}

/** Sends a refusal as it is, and for a bug only a request id. */
export function sendError(error: Error, reply: FastifyReply): FastifyReply {
  // Those of a file whose first bytes could not be read.
  reply.removeHeader('content-type').removeHeader('content-disposition')
  // Fastify's header where reading the body failed; the client may still be sending.
  if (reply.getHeader('connection') === 'close') closeAfterRefusal(reply.request, reply)
  const refusal = isAuthorityEnded(error) ? authorityEnded(reply.request.viewer) : asRefusal(error)
  if (refusal !== null) return sendRefusal(reply, refusal)
  inSpan(reply.request, () => reply.log.error({ err: error }, 'request failed'))
  return reply.status(500).send({ message: noticeMessages.internal(reply.request.id) })
}

/** The refusal that an error means, or null for a bug. */
function asRefusal(error: Error): AppError | null {
  if (error instanceof AppError) return error
  if (error instanceof ZodError) return invalidFields(error)
  if (isDatabaseDown(error)) return unavailable()
  if (UNSTORABLE.includes(sqlState(error) ?? '')) return badRequest(noticeMessages.bodyUnreadable)
  return ofFramework(error as FastifyError)
}

/** Fastify's refusals before a handler runs: body too large, wrong type, malformed JSON or address. */
function ofFramework({ code, statusCode }: FastifyError): AppError | null {
  if (statusCode === 413) return tooLarge(noticeMessages.bodyTooLarge)
  if (statusCode === 415 || code === 'FST_INVALID_MULTIPART_CONTENT_TYPE')
    return unsupportedMediaType(noticeMessages.wrongMediaType)
  // An id that is too long. With a built page, `noSuchCall` replies instead.
  if (statusCode === 404 || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new AppError(404, noticeMessages.noSuchCall)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return badRequest(noticeMessages.bodyUnreadable)
  return null
}

function sendRefusal(reply: FastifyReply, refusal: AppError): FastifyReply {
  if (refusal.retryAfterSeconds !== undefined) reply.header('Retry-After', refusal.retryAfterSeconds)
  return reply.status(refusal.status).send(bodyOf(refusal))
}

/** 400: messages by field, a list, or a sentence; 409: a sentence, and its field if it has one. */
function bodyOf({ status, message, fieldErrors, list }: AppError): unknown {
  if (list !== undefined) return list
  if (fieldErrors === undefined) return { message }
  return status === 400 ? { errors: fieldErrors } : { message, errors: fieldErrors }
}
