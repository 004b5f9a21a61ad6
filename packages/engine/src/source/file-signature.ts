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
  [ascii('PAR1'), 'a Parquet file'],
  [ascii('SQLite format 3'), 'a database (SQLite)'],
]
const ZIP_STARTS = [ascii('PK\x03\x04'), ascii('PK\x05\x06'), ascii('PK\x07\x08')]
const ZIP_END = ascii('PK\x05\x06')
/** The end record of an archive with a comment of 1 KiB: more is not looked through, since every CSV file pays for it. */
const ZIP_TAIL_BYTES = 22 + 1024
const OLE_START = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
/** The stream that an encrypted package of Office keeps its workbook in (MS-OFFCRYPTO 2.3.4), in UTF-16LE. */
const ENCRYPTED_STREAM = [...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0])

/** Reads as much of a file as it takes to know what it is. */
export async function readSignature(source: ByteSource): Promise<FileSignature> {
  const head = new Uint8Array(16)
  const length = await source.read(head, 0)
  const startsWith = (bytes: readonly number[]) => length >= bytes.length && bytes.every((byte, index) => head[index] === byte)
  if (ZIP_STARTS.some(startsWith)) return { kind: 'zip' }
  if (startsWith(OLE_START)) return { kind: 'ole', encrypted: await contains(source, ENCRYPTED_STREAM) }
  const known = KNOWN_FORMATS.find(([bytes]) => startsWith(bytes))
  if (known !== undefined) return { kind: 'other', name: known[1] }
  return (await endsAsZip(source)) ? { kind: 'zip' } : { kind: 'text' }
}

/**
 * Whether an archive ends here: something may stand in front of one (a self-extractor, a proxy's banner), since it is read
 * from its end. The record is 22 bytes and a comment.
 */
async function endsAsZip(source: ByteSource): Promise<boolean> {
  const tail = new Uint8Array(Math.min(source.size, ZIP_TAIL_BYTES))
  const count = await source.read(tail, source.size - tail.length)
  for (let at = tail.lastIndexOf(ZIP_END[0]); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(ZIP_END[0], at - 1)) {
    if (at + ZIP_END.length <= count && ZIP_END.every((byte, index) => tail[at + index] === byte)) return true
  }
  return false
}

/** The directory of an OLE container stands anywhere in it, so all of it is looked through. */
async function contains(source: ByteSource, wanted: readonly number[]): Promise<boolean> {
  const chunk = new Uint8Array(1 << 16)
  for (let position = 0; position < source.size; position += chunk.length - wanted.length) {
    const count = await source.read(chunk, position)
    for (let at = chunk.indexOf(wanted[0]); at >= 0 && at + wanted.length <= count; at = chunk.indexOf(wanted[0], at + 1)) {
      if (wanted.every((byte, index) => chunk[at + index] === byte)) return true
    }
    if (count < chunk.length) break
  }
  return false
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
