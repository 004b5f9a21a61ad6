import type { DictionaryItem, readDictionary } from '@veridict/contract/api/dictionaries'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { DictionaryRow } from '#db/tables.ts'
import type { DictionarySummary } from '#repositories/dictionaries.ts'
import { dictionaryVersion } from '#services/dictionaries/dictionary-version.ts'

export const presentDictionaryItem = (dictionary: DictionarySummary): DictionaryItem => ({
  id: dictionary.id,
  dataDictionaryName: dictionary.name,
  fieldsCount: dictionary.fieldCount,
  lastUpdated: dictionary.updatedAt.toISOString(),
})

export const presentDictionary = (dictionary: DictionaryRow): ReplyOf<typeof readDictionary> => ({
  id: dictionary.id,
  name: dictionary.name,
  version: dictionaryVersion(dictionary),
})
