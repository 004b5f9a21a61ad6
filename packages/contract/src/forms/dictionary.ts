import { z } from 'zod'
import { dictionaryLimits } from '#limits.ts'
import { dictionaryMessages } from '#messages/dictionaries.ts'
import { noticeMessages } from '#messages/notices.ts'
import { isStorable } from './storable-text.ts'

const nameWith = (requiredMessage: string) =>
  z
    .string(requiredMessage)
    .trim()
    .min(1, requiredMessage)
    .max(dictionaryLimits.maxNameLength, dictionaryMessages.nameTooLong)
    .refine(isStorable, noticeMessages.invalidValue)

export const createDictionaryForm = z.object({ name: nameWith(dictionaryMessages.nameRequired) })
export const renameDictionaryForm = z.object({ name: nameWith(dictionaryMessages.renameRequired) })
export const copyDictionaryForm = z.object({ name: nameWith(dictionaryMessages.copyNameRequired) })
export type DictionaryForm = z.infer<typeof createDictionaryForm>
