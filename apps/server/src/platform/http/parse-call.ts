import { noticeMessages } from '@veridict/contract/messages/notices'
import type { z } from 'zod'
import { AppError, badRequest } from '#errors.ts'

/** Sentences for people, instead of zod's, where a schema has none of its own. */
const error: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'too_big' && issue.origin === 'string'
    ? noticeMessages.tooLong(Number(issue.maximum))
    : noticeMessages.invalidValue

/** Checks a body (an object) or the fields of an upload. Throws 400 with the messages by field. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw badRequest(noticeMessages.bodyUnreadable)
  }
  const parsed = schema.safeParse(body ?? {}, { error })
  if (parsed.success) return parsed.data
  throw invalidFields(parsed.error)
}

/** Checks the query; the case of names does not matter. Throws 400. */
export function parseQuery<S extends z.ZodObject>(schema: S, query: unknown): z.output<S> {
  return parseBody(schema, withNamesOf(schema, query as Record<string, unknown>))
}

/** Checks the parameters of the path, which are all ids. Throws 400. */
export function parseParams<S extends z.ZodObject>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params, { error: () => noticeMessages.invalidId })
  if (parsed.success) return parsed.data
  throw new AppError(400, noticeMessages.invalidId, {
    fieldErrors: Object.fromEntries(
      parsed.error.issues.map((issue) => [issue.path.join('.'), [noticeMessages.invalidId]]),
    ),
  })
}

function withNamesOf(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
  const names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]))
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
  )
}

/** zod's issues as messages by field: `{ FieldName: [message, ...] }`, each message once. */
export function invalidFields(zodError: z.ZodError): AppError {
  const fieldErrors: Record<string, string[]> = {}
  for (const { path, message } of zodError.issues) {
    const messages = (fieldErrors[path.join('.')] ??= [])
    if (!messages.includes(message)) messages.push(message)
  }
  return new AppError(400, noticeMessages.invalidValue, { fieldErrors })
}
