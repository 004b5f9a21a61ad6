import { dictionaryLimits } from '#limits.ts'
import { dictionaryMessages } from '#messages/dictionaries.ts'
import { fileKindOf, uploadFault } from './upload.ts'

/** By the ending of the name: a table of data, or a Table Schema ('json'); null for all others. */
export function sampleKindOf(fileName: string): 'csv' | 'xlsx' | 'json' | null {
  return /\.json$/i.test(fileName.trim()) ? 'json' : fileKindOf(fileName)
}

/** What is wrong with a chosen sample, as a sentence, or null. */
export function sampleFault(file: { name: string; size: number }): string | null {
  const kind = sampleKindOf(file.name)
  if (kind === null) return dictionaryMessages.sampleWrongType
  if (kind !== 'json') return uploadFault(file)
  return file.size > dictionaryLimits.maxImportBytes ? dictionaryMessages.importTooLarge : null
}

/** What is wrong with a chosen workbook of a dictionary, as a sentence, or null. */
export function importFault(file: { name: string; size: number }): string | null {
  if (fileKindOf(file.name) !== 'xlsx') return dictionaryMessages.importWrongType
  return file.size > dictionaryLimits.maxImportBytes ? dictionaryMessages.importTooLarge : null
}
