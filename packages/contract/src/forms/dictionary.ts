import { z } from 'zod'
import { dictionaryLimits, fileGuards } from '#limits.ts'
import { dictionaryMessages } from '#messages/dictionaries.ts'
import { fieldMessages } from '#messages/fields.ts'
import { requiredText } from './text.ts'

const nameWith = (required: string) =>
  requiredText(required, dictionaryLimits.maxNameLength, dictionaryMessages.nameTooLong)

export const createDictionaryForm = z.object({ name: nameWith(dictionaryMessages.nameRequired) })
/**
 * The fields of a new dictionary, each with what `POST /api/DataDictionary/Item` takes but its
 * `dataDictionaryId`. `api/check-wire-field` checks them, so that its sentences name the field.
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
