import type { Platform } from '#platform.ts'

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** A part of a new archive: a stream to deflate, or a packed part of another archive. */
export type ZipPart =
  | { readonly name: string; readonly content: Chunks }
  | { readonly packed: PackedPart; readonly content: Chunks }

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

/** Requests a part only after the one before is written: it may depend on what was found meanwhile. */
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

async function* deflate(content: Chunks, record: PartRecord, platform: Platform): AsyncGenerator<Uint8Array> {
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
  const isStreamed = (record.flags & STREAMED_FLAGS) === STREAMED_FLAGS
  const sizes = isStreamed ? { crc: 0, compressedSize: 0, size: 0 } : record
  return Uint8Array.from([...u32(LOCAL_SIGNATURE), ...partFields(record, sizes), ...record.nameBytes])
}

const descriptorOf = ({ crc, compressedSize, size }: PartRecord): Uint8Array =>
  Uint8Array.from(u32(DESCRIPTOR_SIGNATURE, crc, compressedSize, size))

function directoryHeader(record: PartRecord, offset: number): Uint8Array {
  const fields = [...u16(VERSION), ...partFields(record, record)]
  // No comment, first disk, no attributes.
  const end = [...u16(0, 0, 0), ...u32(0, offset)]
  return Uint8Array.from([...u32(DIRECTORY_SIGNATURE), ...fields, ...end, ...record.nameBytes])
}

function endRecord(directory: readonly Uint8Array[], offset: number): Uint8Array {
  const size = directory.reduce((sum, header) => sum + header.length, 0)
  const counts = u16(0, 0, directory.length, directory.length)
  return Uint8Array.from([...u32(END_SIGNATURE), ...counts, ...u32(size, offset), ...u16(0)])
}

/** What the local header of a part and its entry in the directory have in common. */
const partFields = (
  { flags, method, nameBytes }: PartRecord,
  { crc, compressedSize, size }: Pick<PartRecord, 'crc' | 'compressedSize' | 'size'>,
): number[] => [
  ...u16(VERSION, flags, method, 0, FIXED_DATE),
  ...u32(crc, compressedSize, size),
  ...u16(nameBytes.length, 0),
]

/** Numbers of 16 bits as bytes, the lowest first. */
const u16 = (...numbers: number[]): number[] => numbers.flatMap((number) => [number & 0xff, number >> 8])

const u32 = (...numbers: number[]): number[] =>
  u16(...numbers.flatMap((number) => [number & 0xffff, number >>> 16]))
