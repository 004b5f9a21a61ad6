import type { DictionaryRow } from '#db/tables.ts'
import { etagOf } from '#services/etags.ts'

/** Of the name alone: a field that someone else changes does not stand in the way of a new name. */
export const dictionaryEtag = (dictionary: Pick<DictionaryRow, 'name'>): string => etagOf([dictionary.name])
