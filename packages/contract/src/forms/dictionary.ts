import { z } from 'zod'
import { dictionaryLimits, fileGuards } from '#limits.ts'
import { dictionaryMessages } from '#messages/dictionaries.ts'
import { fieldMessages } from '#messages/fields.ts'
import { requiredText } from './text.ts'

const nameWith = (required: string) =>
  requiredText(required, dictionaryLimits.maxNameLength, dictionaryMessages.nameTooLong)

export const createDictionaryForm = z.object({ name: nameWith(dictionaryMessages.nameRequired) })
/**
 * Bodies of `POST /api/DataDictionary/Item` without `dataDictionaryId`. Not checked here: the messages of
 * `api/check-wire-field` name the field.
 */
export const newFields = z
  .array(z.record(z.string(), z.unknown()))
  .max(fileGuards.maxColumns, fieldMessages.tooMany(fileGuards.maxColumns))
  .describe(
    'The fields in order: itemName, description, category, ruleType, isRequired, identifiesRow, ' +
      'ruleConfig (JSON text).',
  )

export const renameDictionaryForm = z.object({ name: nameWith(dictionaryMessages.renameRequired) })
export const copyDictionaryForm = z.object({ name: nameWith(dictionaryMessages.copyNameRequired) })
