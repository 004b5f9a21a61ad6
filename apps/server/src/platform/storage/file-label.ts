import { fileKindOf } from '@veridict/contract/forms/upload'

/** Longest file name shown, in characters. */
const MAX_LABEL_LENGTH = 200
/** Longest safe name in storage, in bytes: with id and side-file ending below the 255 of file systems. */
const MAX_STORED_BYTES = 150

/** Marks that change the direction of text. With them a name can look like another name. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu

/**
 * A file's name as it is shown: its last path segment in NFC, without control characters and direction marks,
 * shortened before its ending. Only a label: paths are made of ids. May be empty.
 */
export function fileLabel(fileName: string): string {
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

/**
 * The label as a file name for every file system: letters, digits, `.`, `_` and `-` only. An id always
 * comes before it, so the whole name is not reserved in Windows and does not begin with a dot.
 */
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
