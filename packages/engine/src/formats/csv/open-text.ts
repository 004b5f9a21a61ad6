import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/verdict'
import { type ByteSource, partOf } from '#byte-source.ts'
import type { Text } from '#formats/csv/text-bytes.ts'
import { Utf16Bytes } from '#formats/csv/utf16-bytes.ts'
import { Utf8Bytes } from '#formats/csv/utf8-bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { Platform } from '#platform.ts'

/**
 * Opens a file as text: UTF-8 with or without a byte order mark (BOM), UTF-16 with one. No other encoding is
 * guessed: wrong characters in data are worse than a refusal. Throws `FileProblemError` for UTF-16 without a
 * BOM. See docs/BEHAVIOUR.md#csv.
 */
export async function openText(
  source: ByteSource,
  platform: Pick<Platform, 'isUtf8' | 'encodeUtf8'>,
): Promise<Text> {
  return withoutDelimiterLine(await openEncoded(source, platform))
}

/** `sep=;` as the first line: Excel takes the delimiter from it and hides the line, so row 1 is below. */
const DELIMITER_LINE = /^("?)sep=([,;\t|])\1(?:\r\n?|\n|$)/i
const LONGEST_DELIMITER_LINE = 9
const LONGEST_CHARACTER = 4
/** Bytes of the byte order mark of UTF-16. */
const UTF16_MARK = 2

async function withoutDelimiterLine(text: Text): Promise<Text> {
  // One character more than the line: it shows whether the line ends there.
  const bytes = new Uint8Array(LONGEST_DELIMITER_LINE + LONGEST_CHARACTER)
  const length = await (await text.from(0)).read(bytes)
  const line = DELIMITER_LINE.exec(String.fromCharCode(...bytes.subarray(0, length)))
  if (line === null) return text
  const start = line[0].length
  const { raw, encoding, place } = text
  const bytesPerCharacter = encoding === 'utf-8' ? 1 : 2
  return {
    encoding,
    place: { start: place.start + start * bytesPerCharacter, end: place.end },
    from: (offset) => text.from(start + offset),
    raw: raw && partOf(raw, start, raw.size),
    delimiter: line[2].charCodeAt(0),
  }
}

async function openEncoded(
  source: ByteSource,
  platform: Pick<Platform, 'isUtf8' | 'encodeUtf8'>,
): Promise<Text> {
  const mark = new Uint8Array(4)
  const length = await source.read(mark, 0)
  if (length >= 2 && mark[0] === 0xff && mark[1] === 0xfe) return openUtf16(source, platform, 'utf-16le')
  if (length >= 2 && mark[0] === 0xfe && mark[1] === 0xff) return openUtf16(source, platform, 'utf-16be')
  if (isUtf16(mark.subarray(0, length)))
    throw new FileProblemError(ErrorType.Unreadable, fileProblemMessages.utf16WithoutBom)
  const start = length >= 3 && mark[0] === 0xef && mark[1] === 0xbb && mark[2] === 0xbf ? 3 : 0
  const text = await withoutEndMark(source)
  return {
    encoding: 'utf-8',
    place: { start, end: text.size },
    from: async (offset) => new Utf8Bytes(text, platform, start + offset),
    raw: partOf(text, start, text.size),
  }
}

/** Whether the bytes are two ASCII characters in UTF-16: every second byte is NUL. */
const isUtf16 = ([first, second, third, fourth]: Uint8Array): boolean =>
  (first !== 0 && second === 0 && third !== 0 && fourth === 0) ||
  (first === 0 && second !== 0 && third === 0 && fourth !== 0)

/** Control-Z: the end mark of a text file in DOS. */
const END_MARK = 0x1a
/** CP/M filled the last block of a file, 128 bytes, with end marks. */
const MAX_END_MARKS = 128

async function withoutEndMark(source: ByteSource): Promise<ByteSource> {
  const tail = new Uint8Array(Math.min(source.size, MAX_END_MARKS))
  await source.read(tail, source.size - tail.length)
  const marks = tail.length - 1 - tail.findLastIndex((byte) => byte !== END_MARK)
  return marks === 0 ? source : partOf(source, 0, source.size - marks)
}

/** To find a place in the text, it is read from its start. */
function openUtf16(
  source: ByteSource,
  platform: Pick<Platform, 'encodeUtf8'>,
  encoding: 'utf-16le' | 'utf-16be',
): Text {
  return {
    encoding,
    place: { start: UTF16_MARK, end: source.size },
    from: async (offset) => {
      const bytes = new Utf16Bytes(source, platform, encoding === 'utf-16le')
      const skipped = new Uint8Array(Math.max(4, Math.min(offset, 1 << 16)))
      for (let left = offset; left > 0;) {
        const room = skipped.subarray(0, Math.min(left, skipped.length))
        const count = await bytes.read(room)
        if (count === 0) break
        left -= count
      }
      return bytes
    },
  }
}
