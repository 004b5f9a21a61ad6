import type { ByteSource } from '#byte-source.ts'
import type { Platform } from '#platform.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { findData, type ZipDirectory, type ZipEntry } from '#formats/zip/zip-directory.ts'
import { asUtf8 } from '#formats/xml/as-utf8.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { FileGuards } from '#limits.ts'

const STORED = 0
const DEFLATED = 8
const READ_SIZE = 128 * 1024
/** By how much a part in UTF-16 can be longer as UTF-8. */
const UTF16_GROWTH = 1.5
/** A part may be so large whatever its size is said to be, in bytes. */
const LEAST_CAPACITY = 1024 * 1024

/** An archive with what is needed to unpack its parts within the limits. */
export type ZipArchive = {
  readonly source: ByteSource
  readonly platform: Platform
  readonly limits: FileGuards
  readonly directory: ZipDirectory
  /** Bytes that each part was found to unpack to so far. Reading a part again does not count twice. */
  readonly unpacked: Map<ZipEntry, number>
}

/**
 * The bytes of a part, unpacked while they are read, UTF-16 as UTF-8. Counts them as they come, since headers
 * lie, and compares the checksum at the end. Throws `FileProblemError` where the part is damaged or all parts
 * together exceed the limit.
 */
export function streamPart(archive: ZipArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  return asUtf8(checkedPart(archive, entry), entry.name, archive.platform)
}

async function* checkedPart(archive: ZipArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let total = 0
  let checksum = 0
  for await (const chunk of unpack(archive, entry)) {
    total += chunk.length
    countUnpacked(archive, entry, total)
    checksum = archive.platform.crc32(chunk, checksum)
    yield chunk
  }
  if (checksum !== entry.crc)
    throw workbookProblems.damaged(`the part ${entry.name} does not match its checksum`)
}

/**
 * A whole part. `room` more bytes follow the data in the same buffer. `onData` is told what is there so far,
 * and may write there too: who can work on it then need not wait for the rest to be unpacked. Throws as
 * `streamPart` does, and where the part is larger than `maxBytes`, or far larger than it says.
 */
export async function readPart(
  archive: ZipArchive,
  entry: ZipEntry,
  maxBytes: number = Infinity,
  room: number = 0,
  onData?: (bytes: Uint8Array, end: number) => void,
): Promise<Uint8Array> {
  const { maxUnpackedBytes } = archive.limits
  const capacity = Math.min(capacityFor(entry), maxUnpackedBytes, maxBytes)
  // Never made larger: a copy would need the memory twice. What is not written to costs none.
  const bytes = new Uint8Array(capacity + room)
  let length = 0
  for await (const chunk of streamPart(archive, entry)) {
    const end = length + chunk.length
    if (end > maxBytes)
      throw workbookProblems.damaged(`the part ${entry.name} is far larger than such a part can be`)
    if (end > maxUnpackedBytes) throw workbookProblems.tooLargeUnpacked(maxUnpackedBytes)
    if (end > capacity) throw workbookProblems.damaged(`the part ${entry.name} is far larger than it says`)
    bytes.set(chunk, length)
    length = end
    onData?.(bytes, length)
  }
  return bytes.subarray(0, length)
}

/**
 * The most that a part may be as UTF-8. Deflate cannot do better than 1032 : 1, so a lying header cannot ask
 * for much.
 */
const capacityFor = ({ size, compressedSize }: ZipEntry): number =>
  Math.ceil(UTF16_GROWTH * Math.min(Math.max(size, LEAST_CAPACITY), compressedSize * 1032 + 64))

function countUnpacked(archive: ZipArchive, entry: ZipEntry, total: number): void {
  const { unpacked, limits } = archive
  if (total <= (unpacked.get(entry) ?? 0)) return
  unpacked.set(entry, total)
  let sum = 0
  for (const bytes of unpacked.values()) sum += bytes
  if (sum > limits.maxUnpackedBytes) throw workbookProblems.tooLargeUnpacked(limits.maxUnpackedBytes)
}

async function* unpack(archive: ZipArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const start = await findData(archive.source, entry)
  // A failing disk is not a damaged workbook: errors of the source are told apart and passed on as they are.
  const failure: { error?: unknown } = {}
  const packed = readRange(archive.source, start, start + entry.compressedSize, failure)
  if (entry.method === STORED) return yield* packed
  if (entry.method !== DEFLATED)
    throw workbookProblems.damaged(`the part ${entry.name} is packed in an unknown way`)
  try {
    yield* archive.platform.inflateRaw(packed)
  } catch (error) {
    if (failure.error !== undefined) throw failure.error
    if (error instanceof FileProblemError) throw error
    throw workbookProblems.damaged(`the part ${entry.name} cannot be unpacked`)
  }
}

async function* readRange(
  source: ByteSource,
  start: number,
  end: number,
  failure: { error?: unknown },
): AsyncGenerator<Uint8Array> {
  for (let position = start; position < end;) {
    const chunk = new Uint8Array(Math.min(READ_SIZE, end - position))
    let filled: number
    try {
      filled = await source.read(chunk, position)
    } catch (error) {
      failure.error = error
      throw error
    }
    if (filled <= 0) return
    yield filled === chunk.length ? chunk : chunk.subarray(0, filled)
    position += filled
  }
}
