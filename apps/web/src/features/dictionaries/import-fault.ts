import { fileKindOf } from '@veridict/contract/forms/upload'
import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'

/** What is wrong with a chosen workbook, as a sentence, or null. */
export function importFault(file: { name: string; size: number }): string | null {
  if (fileKindOf(file.name) !== 'xlsx') return dictionaryMessages.importWrongType
  return file.size > dictionaryLimits.maxImportBytes ? dictionaryMessages.importTooLarge : null
}
