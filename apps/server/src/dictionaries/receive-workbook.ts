import { buffer } from 'node:stream/consumers'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { badRequest, invalid, unsupportedMediaType } from '#errors.ts'
import type { UploadPart } from '#platform/http/multipart.ts'
import type { ImportedWorkbook } from '#dictionaries/import-dictionary.ts'

/** The one file of a dictionary import, whole in memory (1 MiB at most), and the fields beside it. */
export type ReceivedWorkbook = { workbook: ImportedWorkbook; fields: Record<string, string> }

/** Reads the parts, in any order. Throws 415 unless the file is named .xlsx, 400 without a part `file`. */
export async function receiveWorkbook(parts: AsyncIterable<UploadPart>): Promise<ReceivedWorkbook> {
  const fields: Record<string, string> = {}
  let workbook: ImportedWorkbook | undefined
  for await (const part of parts) {
    if (part.kind === 'field') fields[part.name] = part.value
    else if (part.name !== 'file') throw badRequest(uploadMessages.malformed)
    else workbook = await readWorkbook(part)
  }
  if (!workbook) throw invalid('file', uploadMessages.fileRequired)
  return { workbook, fields }
}

async function readWorkbook({
  fileName,
  content,
}: Extract<UploadPart, { kind: 'file' }>): Promise<ImportedWorkbook> {
  if (/\.xlsx$/i.test(fileName)) return { fileName, bytes: await buffer(content) }
  throw unsupportedMediaType(dictionaryMessages.importWrongType)
}
