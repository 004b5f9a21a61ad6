import { z } from 'zod'
import { id } from './whole-number.ts'

/**
 * Every success: the payload under `value`, and a sentence for people where one helps. api.md, "Conventions".
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
 * Opaque mark of what a reader saw. Handed back with an update, it lets the server refuse (409) to overwrite
 * what someone else changed meanwhile; an update without it overwrites. api.md, "edits that someone else's
 * overtook".
 */
export const version = z.string()
export const seenEtag = z.string().max(100).nullish()
export const timestamp = z.iso.datetime()
