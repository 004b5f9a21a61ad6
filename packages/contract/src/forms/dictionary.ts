import { z } from 'zod'
import { dictionaryLimits } from '#limits.ts'
import { dictionaryMessages } from '#messages/dictionaries.ts'

const nameWith = (requiredMessage: string) =>
  z.string(requiredMessage).trim().min(1, requiredMessage).max(dictionaryLimits.maxNameLength, dictionaryMessages.nameTooLong)

export const createDictionaryForm = z.object({ name: nameWith(dictionaryMessages.nameRequired) })
export const renameDictionaryForm = z.object({ name: nameWith(dictionaryMessages.renameRequired) })
export const copyDictionaryForm = z.object({ name: nameWith(dictionaryMessages.copyNameRequired) })
export type DictionaryForm = z.infer<typeof createDictionaryForm>
