import type {
  DictionaryForChecking,
  DictionaryItem,
  DictionaryProposal,
  readDictionary,
} from '@veridict/contract/api/dictionaries'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import type { DictionaryDetail, DictionarySummary } from '#dictionaries/dictionaries.ts'
import type { DictionaryToCheckBy } from '#dictionaries/read-for-checking.ts'
import type { NamedProposal } from '#dictionaries/propose-from-schema.ts'
import { dictionaryEtag } from '#platform/etags.ts'

export const presentDictionaryItem = (dictionary: DictionarySummary): DictionaryItem => ({
  id: dictionary.id,
  dataDictionaryName: dictionary.name,
  fieldsCount: dictionary.fieldCount,
  lastUpdated: dictionary.updatedAt.toISOString(),
})

export const presentDictionary = (dictionary: DictionaryDetail): ReplyOf<typeof readDictionary> => ({
  id: dictionary.id,
  name: dictionary.name,
  lastUpdated: dictionary.updatedAt.toISOString(),
  updatedBy: dictionary.editorName,
  version: dictionaryEtag(dictionary),
})

/** The proposed fields have the shape of a request, so that the page can send them back unchanged. */
export function presentProposal({ name, recordsCount, fields, notes }: NamedProposal): DictionaryProposal {
  return {
    name,
    recordsCount,
    fields: fields.map((field) => ({ ...fieldToBody(field), reason: field.reason })),
    notes,
  }
}

/** The JSON of a dictionary for the check in the browser, in parts: the part with the fields is cached. */
export function forCheckingJson(
  { dictionary: { id, name }, currentYear }: DictionaryToCheckBy,
  fields: Buffer,
): (string | Buffer)[] {
  const head: Omit<DictionaryForChecking, 'fields'> = { id, name, currentYear }
  return [`${JSON.stringify(head).slice(0, -1)},"fields":`, fields, '}']
}
