import type { ByteSource } from '#byte-source.ts'

/** What a file is by its first bytes, whatever its name says. */
export type FileSignature =
  /** A zip archive: a workbook, if anything. */
  | { kind: 'zip' }
  /** An OLE container: a workbook of Excel 97–2003, or one that is encrypted. */
  | { kind: 'ole'; encrypted: boolean }
  /** Something else that is no table, in words that follow "it is". */
  | { kind: 'other'; name: string }
  /** Nothing known: text, as far as it goes. */
  | { kind: 'text' }

/** File formats by their first bytes, as registered or documented by their makers. */
const KNOWN_FORMATS: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [ascii('%PDF-'), 'a PDF document'],
  [[0x1f, 0x8b], 'a gzip archive'],
  [ascii('7z\xbc\xaf\x27\x1c'), 'a 7-Zip archive'],
  [ascii('Rar!'), 'a RAR archive'],
  [[0x89, ...ascii('PNG')], 'a picture (PNG)'],
  [[0xff, 0xd8, 0xff], 'a picture (JPEG)'],
  [ascii('GIF8'), 'a picture (GIF)'],
  [ascii('{\\rtf'), 'a text document (RTF)'],
  // The byte behind begins its metadata; PAR1 alone may be the name of a column.
  [ascii('PAR1\x15'), 'a Parquet file'],
  [ascii('SQLite format 3'), 'a database (SQLite)'],
]
/**
 * Text that is no table, by how it begins behind a byte order mark and white space: portals hand out web
 * pages and XML under the names of tables. No column is named like this, but trading programs write names as
 * <DATE>,<OPEN>.
 */
const TEXT_FORMATS: readonly (readonly [start: RegExp, name: string])[] = [
  [
    /^<(?:!--|(?:!doctype html|html|head|body|table|meta|title|style|script|div)\b(?![^<]*> *[,;\t|]))/i,
    'a web page (HTML)',
  ],
  [/^<\?xml\s/i, 'an XML document'],
  [/^(?:\{\s*"[^"]*"\s*:|\[\s*\{\s*["}]|\[\s*\[)/, 'a JSON document'],
]
const UTF8_MARK = '\xef\xbb\xbf'
/** Enough for the start of a page behind some blank lines. */
const HEAD_BYTES = 512
const ZIP_STARTS = [ascii('PK\x03\x04'), ascii('PK\x05\x06'), ascii('PK\x07\x08')]
const ZIP_END = ascii('PK\x05\x06')
/**
 * The end record of an archive with a comment of 1 KiB: more is not looked through, since every CSV file pays
 * for it.
 */
const ZIP_TAIL_BYTES = 22 + 1024
const OLE_START = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
/** The stream that an encrypted package of Office keeps its workbook in (MS-OFFCRYPTO 2.3.4), in UTF-16LE. */
const ENCRYPTED_STREAM = [...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0])

/** Reads as much of a file as it takes to know what it is. */
export async function readSignature(source: ByteSource): Promise<FileSignature> {
  const head = new Uint8Array(HEAD_BYTES)
  const length = await source.read(head, 0)
  const startsWith = (bytes: readonly number[]) =>
    length >= bytes.length && bytes.every((byte, index) => head[index] === byte)
  if (ZIP_STARTS.some(startsWith)) return { kind: 'zip' }
  if (startsWith(OLE_START)) return { kind: 'ole', encrypted: await contains(source, ENCRYPTED_STREAM) }
  const name = KNOWN_FORMATS.find(([bytes]) => startsWith(bytes))?.[1] ?? textFormat(head.subarray(0, length))
  if (name !== undefined) return { kind: 'other', name }
  return (await endsAsZip(source)) ? { kind: 'zip' } : { kind: 'text' }
}

function textFormat(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head)
  const start = (text.startsWith(UTF8_MARK) ? text.slice(UTF8_MARK.length) : text).trimStart()
  return TEXT_FORMATS.find(([pattern]) => pattern.test(start))?.[1]
}

/**
 * Whether an archive ends here: something may stand in front of one (a self-extractor, a proxy's banner),
 * since it is read from its end. The record is 22 bytes and a comment.
 */
async function endsAsZip(source: ByteSource): Promise<boolean> {
  const tail = new Uint8Array(Math.min(source.size, ZIP_TAIL_BYTES))
  const count = await source.read(tail, source.size - tail.length)
  for (
    let at = tail.lastIndexOf(ZIP_END[0]);
    at >= 0;
    at = at === 0 ? -1 : tail.lastIndexOf(ZIP_END[0], at - 1)
  ) {
    if (at + ZIP_END.length <= count && ZIP_END.every((byte, index) => tail[at + index] === byte)) return true
  }
  return false
}

/** The directory of an OLE container stands anywhere in it, so all of it is looked through. */
async function contains(source: ByteSource, wanted: readonly number[]): Promise<boolean> {
  const chunk = new Uint8Array(1 << 16)
  for (let position = 0; position < source.size; position += chunk.length - wanted.length) {
    const count = await source.read(chunk, position)
    for (
      let at = chunk.indexOf(wanted[0]);
      at >= 0 && at + wanted.length <= count;
      at = chunk.indexOf(wanted[0], at + 1)
    ) {
      if (wanted.every((byte, index) => chunk[at + index] === byte)) return true
    }
    if (count < chunk.length) break
  }
  return false
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
