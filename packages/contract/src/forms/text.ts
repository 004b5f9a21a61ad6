import { z } from 'zod'
import { noticeMessages } from '#messages/notices.ts'
import { isStorable } from '#notation/storable-text.ts'

/** A text that may not be blank. `required`: the message for a blank one. */
export const filledText = (
  required: string,
  maxLength: number,
  tooLong = noticeMessages.tooLong(maxLength),
) => z.string(required).trim().min(1, required).max(maxLength, tooLong)

/** The same for a text that the database stores. */
export const requiredText = (...given: Parameters<typeof filledText>) =>
  filledText(...given).refine(isStorable, noticeMessages.invalidValue)

export const optionalText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, noticeMessages.tooLong(maxLength))
    .refine(isStorable, noticeMessages.invalidValue)
    .nullish()
    .transform((given) => given ?? '')
