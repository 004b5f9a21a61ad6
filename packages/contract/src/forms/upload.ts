import { uploadLimits } from '#limits.ts'
import { uploadMessages } from '#messages/upload.ts'

/** 'csv' or 'xlsx' by the ending of the name, in any letter case; null for all others. */
export function fileKindOf(fileName: string): 'csv' | 'xlsx' | null {
  const ending = /\.([^.]+)$/.exec(fileName.trim())?.[1]?.toLowerCase()
  return ending === 'csv' || ending === 'xlsx' ? ending : null
}

/**
 * What is wrong with a chosen file, as a sentence, or null. The MIME type is not checked: Windows labels CSV
 * files `application/vnd.ms-excel` or not at all. See docs/BEHAVIOUR.md#upload.
 */
export function uploadFault(file: { name: string; size: number }): string | null {
  if (fileKindOf(file.name) === null) return uploadMessages.wrongType
  if (file.size > uploadLimits.maxBytes) return uploadMessages.tooLarge
  return null
}
