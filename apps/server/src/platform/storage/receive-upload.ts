import { buffer } from 'node:stream/consumers'
import { fileKindOf } from '@veridict/contract/forms/upload'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { isUnsupportedKind } from '@veridict/engine'
import { HEAD_BYTES, type StagedFile } from '#platform/storage/storage.ts'
import { badRequest, invalid, unsupportedMediaType } from '#errors.ts'
import { storageRefusal } from '#platform/storage/storage-refusal.ts'

/** Read `content` to its end before the next part. It throws 413 if too large, 400 if broken off. */
export type UploadPart =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; name: string; fileName: string; content: AsyncIterable<Uint8Array> }

/** Which files are accepted, by their names, and the message for other files. */
export type AcceptedFiles<Kind extends string> = {
  kindOf: (fileName: string) => Kind | null
  wrongType: string
}
/** The files of submissions. */
export const tableFiles: AcceptedFiles<'csv' | 'xlsx'> = {
  kindOf: fileKindOf,
  wrongType: uploadMessages.wrongType,
}

/** What an upload's file becomes while it is read: a staged file, or its bytes in memory. */
type Taken = Pick<StagedFile, 'bytes' | 'head' | 'discard'>
type Take<File> = (content: AsyncIterable<Uint8Array>) => Promise<File>

/** A file that was received completely, with its label. */
export type ReceivedFile<Kind extends string = 'csv' | 'xlsx', File = StagedFile> = {
  taken: File
  fileName: string
  fileKind: Kind
}

/** Takes a file into memory: only of administrators. */
export async function takeWhole(content: AsyncIterable<Uint8Array>): Promise<WholeFile> {
  const whole = await buffer(content)
  return { whole, bytes: whole.length, head: whole.subarray(0, HEAD_BYTES), discard: async () => {} }
}
export type WholeFile = Taken & { whole: Uint8Array }

/** Parts in any order. Throws AppError: 400 without one file or with an empty one, 413, 415, 503, 507. */
export async function receiveUpload<Kind extends string, File extends Taken>(
  parts: AsyncIterable<UploadPart>,
  accepted: AcceptedFiles<Kind>,
  take: Take<File>,
): Promise<{ file: ReceivedFile<Kind, File>; fields: Readonly<Record<string, string>> }> {
  const fields: Record<string, string> = Object.create(null)
  let file: ReceivedFile<Kind, File> | null = null
  try {
    for await (const part of parts) {
      if (part.kind === 'field') fields[part.name] = part.value
      else if (part.name !== 'file') throw badRequest(uploadMessages.malformed)
      else if (file !== null) throw badRequest(uploadMessages.oneFileOnly)
      else file = await receiveFile(part, accepted, take)
    }
    if (file === null) throw invalid('file', uploadMessages.fileRequired)
    return { file, fields }
  } catch (error) {
    await file?.taken.discard()
    throw error
  }
}

async function receiveFile<Kind extends string, File extends Taken>(
  part: { fileName: string; content: AsyncIterable<Uint8Array> },
  { kindOf, wrongType }: AcceptedFiles<Kind>,
  take: Take<File>,
): Promise<ReceivedFile<Kind, File>> {
  const fileName = fileLabel(part.fileName)
  // A form with an untouched file input sends a part without a name.
  if (fileName === '') throw invalid('file', uploadMessages.fileRequired)
  const fileKind = kindOf(fileName)
  if (fileKind === null) throw unsupportedMediaType(wrongType)
  const taken = await take(part.content).catch((error: unknown) => {
    throw storageRefusal(error)
  })
  const { bytes, head, discard } = taken
  if (bytes > 0 && !isUnsupportedKind(head)) return { taken, fileName, fileKind }
  await discard()
  throw bytes === 0 ? invalid('file', uploadMessages.fileEmpty) : unsupportedMediaType(wrongType)
}

/** Longest file name shown, in characters. */
const MAX_LABEL_LENGTH = 200
/** Longest safe name in storage, in bytes: with id and side-file ending below the 255 of file systems. */
const MAX_STORED_BYTES = 150

/** Marks that change the direction of text. With them a name can look like another name. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu

/**
 * The last path segment in NFC, without control characters and direction marks, shortened before its ending.
 * Only a label: paths are made of ids. May be empty.
 */
function fileLabel(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{Cc}/gu, '')
    .replace(DIRECTION_MARKS, '')
    .trim()
  const characters = [...clean]
  if (characters.length <= MAX_LABEL_LENGTH) return clean
  const ending = `….${fileKindOf(clean) ?? ''}`
  return characters.slice(0, MAX_LABEL_LENGTH - ending.length).join('') + ending
}

/** Letters, digits, `.`, `_` and `-` only. After an id, so no name is reserved in Windows or hidden. */
export function safeFileName(label: string): string {
  const kind = fileKindOf(label)
  const base = label.replace(/\.[^.]*$/, '')
  const safe = base.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._-]+|[._-]+$/g, '') || 'file'
  return `${cutToBytes(safe, MAX_STORED_BYTES)}.${kind ?? 'dat'}`
}

function cutToBytes(text: string, maxBytes: number): string {
  let result = ''
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    result += character
  }
  return result
}
