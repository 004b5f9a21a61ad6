import { z } from 'zod'
import { maxInteger } from '#notation/id.ts'

/**
 * A whole number from 1 to `max`: a JSON number, or its decimal digits as text, for addresses and forms.
 * Refuses other texts that JavaScript converts to a number: `0x1`, `1e0`, ` 1`, an empty text, `true`.
 * `message` is used for every error.
 */
export const wholeNumber = (max: number, message?: string) =>
  z.preprocess(
    (given) => (typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
    z.int(message).min(1, message).max(max, message),
  )

export const id = wholeNumber(maxInteger)
/** An id that a person chooses: without one, `message` says what is missing. */
export const chosenId = (message: string) => wholeNumber(maxInteger, message)
