import type { DictionaryItem, readDictionary } from '@veridict/contract/api/dictionaries'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { DictionaryDetail, DictionarySummary } from '#repositories/dictionaries.ts'
import { dictionaryEtag } from '#services/etags.ts'

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
