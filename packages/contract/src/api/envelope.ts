import { z } from 'zod'
import { id } from './whole-number.ts'

/**
 * Every success: the payload under `value`, and a sentence for people where one helps.
 * See docs/BEHAVIOUR.md#calls.
 */
export type Envelope<T> = { value: T; successMessage?: string }

/**
 * Every refusal: field errors, or a sentence. An array of sentences is the third form (dictionary import).
 */
export type ErrorBody = { message?: string; errors?: Record<string, string[]> }

export const idParams = z.object({ id })
export const messageReply = z.object({ message: z.string() })
export const idReply = z.object({ id: z.int() })
/**
 * ETag, named `version` on the wire. An update that sends it back gets a 409 if someone else changed the
 * same thing meanwhile; an update without it overwrites. See docs/BEHAVIOUR.md#calls.
 */
export const etag = z.string()
export const optionalEtag = z.string().max(100).nullish()
export const timestamp = z.iso.datetime()
