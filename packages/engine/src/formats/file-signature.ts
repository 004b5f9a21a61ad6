import type { ByteSource } from '#byte-source.ts'
import { ascii, beginsAt, indexOfBytes } from '#formats/bytes.ts'
import { utf16Bytes } from '#formats/encoding.ts'

/** The kind of a file by its first bytes; the name is not considered. */
export type FileSignature =
  /** A zip archive: a workbook, or no table. */
  | { kind: 'zip' }
  /** An OLE container: a workbook of Excel 97–2003, or an encrypted one. */
  | { kind: 'ole'; encrypted: boolean }
  /** Something else that is not a table. `name` follows the words "it is". */
  | { kind: 'other'; name: string }
  /** No known kind: the file is read as text. */
  | { kind: 'text' }

type KnownFormat = {
  /** The first bytes, as registered or documented by the format's makers. No CSV file begins like this. */
  bytes: Uint8Array
  /** null for programs: reading them as text reports the NUL that they contain. */
  name: string | null
  /** Whether the upload is refused. What people may take for a table is validated; the verdict names it. */
  isUnsupported: boolean
}

const KNOWN_FORMATS: readonly KnownFormat[] = [
  { bytes: ascii('%PDF-'), name: 'a PDF document', isUnsupported: true },
  { bytes: Uint8Array.of(0x1f, 0x8b, 0x08), name: 'a gzip archive', isUnsupported: true },
  { bytes: ascii('7z\xbc\xaf\x27\x1c'), name: 'a 7-Zip archive', isUnsupported: true },
  { bytes: ascii('Rar!\x1a\x07'), name: 'a RAR archive', isUnsupported: true },
  { bytes: ascii('\x89PNG\r\n'), name: 'a picture (PNG)', isUnsupported: true },
  { bytes: Uint8Array.of(0xff, 0xd8, 0xff), name: 'a picture (JPEG)', isUnsupported: true },
  { bytes: ascii('GIF8'), name: 'a picture (GIF)', isUnsupported: false },
  { bytes: ascii('{\\rtf'), name: 'a text document (RTF)', isUnsupported: false },
  // The byte after PAR1 begins the metadata. PAR1 alone may be the label of a column.
  { bytes: ascii('PAR1\x15'), name: 'a Parquet file', isUnsupported: false },
  { bytes: ascii('SQLite format 3'), name: 'a database (SQLite)', isUnsupported: false },
  // Programs: ELF; Mach-O or Java; Mach-O of 64 bits.
  { bytes: ascii('\x7fELF'), name: null, isUnsupported: true },
  { bytes: Uint8Array.of(0xca, 0xfe, 0xba, 0xbe), name: null, isUnsupported: true },
  { bytes: Uint8Array.of(0xcf, 0xfa, 0xed, 0xfe), name: null, isUnsupported: true },
]

/** Refused at upload, whatever its name: program, picture, document, archive. 16 bytes of `head` suffice. */
export const isUnsupportedKind = (head: Uint8Array): boolean =>
  isWindowsProgram(head) ||
  KNOWN_FORMATS.some(({ bytes, isUnsupported }) => isUnsupported && beginsAt(head, 0, bytes))

/** "MZ" may begin a header; with a NUL after it, it is a program. */
const isWindowsProgram = (head: Uint8Array): boolean =>
  beginsAt(head, 0, ascii('MZ')) && head.subarray(2, 16).includes(0)

/**
 * Matched after a byte order mark and white space: some portals export web pages and XML with the names of
 * tables. No column is named like this, but trading programs write labels as <DATE>,<OPEN>.
 */
const TEXT_FORMATS: readonly (readonly [start: RegExp, name: string])[] = [
  [
    /^<(?:!--|(?:!doctype html|html|head|body|table|meta|title|style|script|div)\b(?![^<]*> *[,;\t|]))/i,
    'a web page (HTML)',
  ],
  [/^<\?xml\s/i, 'an XML document'],
  [/^(?:\{\s*"[^"]*"\s*:|\[\s*\{\s*["}]|\[\s*\[)/, 'a JSON document'],
]
const TEXT_STARTS = ascii('<{[')
const UTF8_MARK = '\xef\xbb\xbf'
/** Enough for the start of a page after some blank lines. */
const HEAD_BYTES = 512
const ZIP_STARTS = [ascii('PK\x03\x04'), ascii('PK\x05\x06'), ascii('PK\x07\x08')]
const ZIP_END = ascii('PK\x05\x06')
/** The end record of an archive with a comment of 1 KiB. Searching more would cost every CSV file time. */
const ZIP_TAIL_BYTES = 22 + 1024
const OLE_START = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)
/** The stream that an encrypted package of Office keeps its workbook in (MS-OFFCRYPTO 2.3.4), in UTF-16LE. */
const ENCRYPTED_STREAM = utf16Bytes('EncryptedPackage', true)

/** Reads as much of a file as needed to know what it is. */
export async function readSignature(source: ByteSource): Promise<FileSignature> {
  const buffer = new Uint8Array(HEAD_BYTES)
  const head = buffer.subarray(0, await source.read(buffer, 0))
  if (ZIP_STARTS.some((start) => beginsAt(head, 0, start))) return { kind: 'zip' }
  if (beginsAt(head, 0, OLE_START))
    return { kind: 'ole', encrypted: await contains(source, ENCRYPTED_STREAM) }
  const name = KNOWN_FORMATS.find(({ bytes }) => beginsAt(head, 0, bytes))?.name ?? textFormat(head)
  if (name !== undefined) return { kind: 'other', name }
  return (await endsAsZip(source)) ? { kind: 'zip' } : { kind: 'text' }
}

function textFormat(head: Uint8Array): string | undefined {
  // Most texts need no expression: compiling these takes 0.4 ms, and 24 kB are copied for it.
  if (!TEXT_STARTS.some((byte) => head.includes(byte))) return undefined
  const text = String.fromCharCode(...head)
  const start = (text.startsWith(UTF8_MARK) ? text.slice(UTF8_MARK.length) : text).trimStart()
  return TEXT_FORMATS.find(([pattern]) => pattern.test(start))?.[1]
}

/**
 * An archive is read from its end, so something may precede it (a self-extractor, a proxy's banner). Its end
 * record is 22 bytes and a comment.
 */
async function endsAsZip(source: ByteSource): Promise<boolean> {
  const tail = new Uint8Array(Math.min(source.size, ZIP_TAIL_BYTES))
  const count = await source.read(tail, source.size - tail.length)
  return indexOfBytes(tail, ZIP_END, 0, count) >= 0
}

/** Searches the whole file: the directory of an OLE container may be anywhere in it. */
async function contains(source: ByteSource, wanted: Uint8Array): Promise<boolean> {
  const chunk = new Uint8Array(1 << 16)
  for (let position = 0; position < source.size; position += chunk.length - wanted.length) {
    const count = await source.read(chunk, position)
    if (indexOfBytes(chunk, wanted, 0, count) >= 0) return true
    if (count < chunk.length) break
  }
  return false
}
