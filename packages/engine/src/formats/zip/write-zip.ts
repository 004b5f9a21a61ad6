import type { Platform } from '#platform.ts'

/** A part of a new archive: a stream to deflate, or a packed part of another archive. */
export type ZipPart =
  | { readonly name: string; readonly content: AsyncIterable<Uint8Array> }
  | { readonly packed: PackedPart; readonly content: AsyncIterable<Uint8Array> }

/** What the directory of another archive states about a part; `content` is then its packed bytes. */
export type PackedPart = {
  readonly nameBytes: Uint8Array
  readonly method: number
  readonly crc: number
  readonly size: number
  readonly compressedSize: number
}

const LOCAL_SIGNATURE = 0x04034b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
const DIRECTORY_SIGNATURE = 0x02014b50
const END_SIGNATURE = 0x06054b50
const VERSION = 20
const DEFLATED = 8
/** Bit 3: sizes follow the data. Bit 11: the name is UTF-8. */
const STREAMED_FLAGS = 0x0808
const UTF8_FLAG = 0x0800
/** 1 January 1980, so that the same parts give the same bytes. */
const FIXED_DATE = 0x0021
/** The limit of sizes and offsets without zip64. Excel cannot read streamed zip64 parts. */
const MAX_32 = 0xffffffff
/** The limit on the number of parts without zip64. */
const MAX_PARTS = 0xffff

/**
 * Writes an archive as a stream. Each part is requested only after the one before is written, so that a later
 * part may depend on what was found while an earlier one was made.
 */
export async function* writeZip(
  parts: AsyncIterable<ZipPart> | Iterable<ZipPart>,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = []
  let offset = 0
  for await (const part of parts) {
    const start = offset
    const record =
      'packed' in part ? { ...part.packed, flags: UTF8_FLAG } : newRecord(platform.encodeUtf8(part.name))
    const header = localHeader(record)
    yield header
    offset += header.length
    for await (const chunk of 'packed' in part ? part.content : deflate(part.content, record, platform)) {
      offset += chunk.length
      yield chunk
    }
    if (!('packed' in part)) {
      const descriptor = descriptorOf(record)
      yield descriptor
      offset += descriptor.length
    }
    if (offset > MAX_32 || record.size > MAX_32)
      throw new RangeError('The workbook would be larger than 4 GiB.')
    if (directory.length === MAX_PARTS)
      throw new RangeError(`The workbook would have more than ${MAX_PARTS} parts.`)
    directory.push(directoryHeader(record, start))
  }
  for (const header of directory) yield header
  yield endRecord(directory, offset)
}

type PartRecord = {
  nameBytes: Uint8Array
  method: number
  flags: number
  crc: number
  size: number
  compressedSize: number
}

const newRecord = (nameBytes: Uint8Array): PartRecord => ({
  nameBytes,
  method: DEFLATED,
  flags: STREAMED_FLAGS,
  crc: 0,
  size: 0,
  compressedSize: 0,
})

async function* deflate(
  content: AsyncIterable<Uint8Array>,
  record: PartRecord,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  async function* counted() {
    for await (const chunk of content) {
      record.crc = platform.crc32(chunk, record.crc)
      record.size += chunk.length
      yield chunk
    }
  }
  for await (const chunk of platform.deflateRaw(counted())) {
    record.compressedSize += chunk.length
    yield chunk
  }
}

function localHeader(record: PartRecord): Uint8Array {
  const { bytes, view } = newBytes(30 + record.nameBytes.length)
  const isStreamed = (record.flags & STREAMED_FLAGS) === STREAMED_FLAGS
  view.setUint32(0, LOCAL_SIGNATURE, true)
  view.setUint16(4, VERSION, true)
  view.setUint16(6, record.flags, true)
  view.setUint16(8, record.method, true)
  view.setUint16(12, FIXED_DATE, true)
  view.setUint32(14, isStreamed ? 0 : record.crc, true)
  view.setUint32(18, isStreamed ? 0 : record.compressedSize, true)
  view.setUint32(22, isStreamed ? 0 : record.size, true)
  view.setUint16(26, record.nameBytes.length, true)
  bytes.set(record.nameBytes, 30)
  return bytes
}

function descriptorOf(record: PartRecord): Uint8Array {
  const { bytes, view } = newBytes(16)
  view.setUint32(0, DESCRIPTOR_SIGNATURE, true)
  view.setUint32(4, record.crc, true)
  view.setUint32(8, record.compressedSize, true)
  view.setUint32(12, record.size, true)
  return bytes
}

function directoryHeader(record: PartRecord, offset: number): Uint8Array {
  const { bytes, view } = newBytes(46 + record.nameBytes.length)
  view.setUint32(0, DIRECTORY_SIGNATURE, true)
  view.setUint16(4, VERSION, true)
  view.setUint16(6, VERSION, true)
  view.setUint16(8, record.flags, true)
  view.setUint16(10, record.method, true)
  view.setUint16(14, FIXED_DATE, true)
  view.setUint32(16, record.crc, true)
  view.setUint32(20, record.compressedSize, true)
  view.setUint32(24, record.size, true)
  view.setUint16(28, record.nameBytes.length, true)
  view.setUint32(42, offset, true)
  bytes.set(record.nameBytes, 46)
  return bytes
}

function endRecord(directory: readonly Uint8Array[], offset: number): Uint8Array {
  const { bytes, view } = newBytes(22)
  view.setUint32(0, END_SIGNATURE, true)
  view.setUint16(8, directory.length, true)
  view.setUint16(10, directory.length, true)
  view.setUint32(
    12,
    directory.reduce((sum, header) => sum + header.length, 0),
    true,
  )
  view.setUint32(16, offset, true)
  return bytes
}

function newBytes(length: number): { bytes: Uint8Array; view: DataView } {
  const bytes = new Uint8Array(length)
  return { bytes, view: new DataView(bytes.buffer) }
}
