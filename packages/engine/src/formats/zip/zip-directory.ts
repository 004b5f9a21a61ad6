import type { ByteSource } from '#byte-source.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'

/**
 * The directory of a ZIP archive (PKWARE APPNOTE 6.3), read from the end of the file. Its sizes bound
 * reading, never allocating. Overlapping entries, as in a zip bomb, refuse the file.
 */

export type ZipEntry = {
  /** The name as the archive spells it, read as UTF-8. */
  readonly name: string
  readonly nameBytes: Uint8Array
  /** 0 stored, 8 deflated. Any other refuses the file when the part is opened. */
  readonly method: number
  readonly compressedSize: number
  /** The size that the directory states; the true size is known only after unpacking. */
  readonly size: number
  readonly crc: number
  /** The position of the local header in the file, in bytes. */
  readonly offset: number
}

export type ZipDirectory = {
  readonly entries: readonly ZipEntry[]
  /** Case, a leading slash and the kind of slash do not matter. Throws if two parts have that name. */
  find(name: string): ZipEntry | undefined
}

const END_SIGNATURE = 0x06054b50
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50
const ZIP64_END_SIGNATURE = 0x06064b50
const DIRECTORY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50

const END_SIZE = 22
const MAX_COMMENT = 0xffff
const ZIP64_LOCATOR_SIZE = 20
const ZIP64_END_SIZE = 56
const DIRECTORY_HEADER_SIZE = 46
const LOCAL_HEADER_SIZE = 30
const ZIP64_MARK = 0xffffffff
const ENCRYPTED_FLAGS = 0x2041

/** Bytes of `source` from `position` on; shorter than `length` where the source ends. */
async function readBytes(source: ByteSource, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, Math.min(length, source.size - position)))
  return bytes.subarray(0, await source.read(bytes, position))
}

/** Throws `FileProblemError` if there is no directory, or if it is hostile. */
export async function readZipDirectory(
  source: ByteSource,
  platform: Platform,
  limits: FileGuards,
): Promise<ZipDirectory> {
  const end = await findEnd(source)
  const start = await findDirectory(source, end)
  const bytes = await readBytes(source, start.position, end.directorySize)
  const entries = readEntries(bytes, start.shift, platform, limits)
  if (entries.length === 0) throw workbookProblems.damaged('it holds no parts')
  refuseOverlaps(entries, source.size)
  return { entries, find: finder(entries) }
}

/** A part's first byte of data: the extra field of the local header may be longer than the directory's. */
export async function findData(source: ByteSource, entry: ZipEntry): Promise<number> {
  const header = await readBytes(source, entry.offset, LOCAL_HEADER_SIZE)
  const view = viewOf(header)
  if (header.length < LOCAL_HEADER_SIZE || view.getUint32(0, true) !== LOCAL_SIGNATURE) {
    throw workbookProblems.damaged(`the part ${entry.name} is not where the directory says`)
  }
  const start = entry.offset + LOCAL_HEADER_SIZE + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + entry.compressedSize > source.size)
    throw workbookProblems.damaged(`the part ${entry.name} is cut off`)
  return start
}

/** A part's name for comparisons: OPC ignores case, and some writers use backslashes or a leading slash. */
export function partKey(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}

type DirectoryEnd = {
  /** Where the end record begins; that of zip64 if there is one. */
  readonly position: number
  readonly directorySize: number
  readonly directoryOffset: number
}

async function findEnd(source: ByteSource): Promise<DirectoryEnd> {
  const tailStart = Math.max(0, source.size - END_SIZE - MAX_COMMENT - ZIP64_LOCATOR_SIZE)
  const tail = await readBytes(source, tailStart, source.size - tailStart)
  const view = viewOf(tail)
  const at = findEndRecord(view)
  if (at < 0) throw workbookProblems.damaged('its end is missing')
  const locator = at - ZIP64_LOCATOR_SIZE
  if (locator >= 0 && view.getUint32(locator, true) === ZIP64_LOCATOR_SIGNATURE) {
    return readZip64End(source, Number(view.getBigUint64(locator + 8, true)), tailStart + locator)
  }
  return {
    position: tailStart + at,
    directorySize: view.getUint32(at + 12, true),
    directoryOffset: view.getUint32(at + 16, true),
  }
}

/** The last one whose comment ends the file, since a comment may hold the signature; else the last one. */
function findEndRecord(tail: DataView): number {
  let last = -1
  for (let at = tail.byteLength - END_SIZE; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END_SIGNATURE) continue
    if (at + END_SIZE + tail.getUint16(at + 20, true) === tail.byteLength) return at
    if (last < 0) last = at
  }
  return last
}

async function readZip64End(
  source: ByteSource,
  stated: number,
  locatorPosition: number,
): Promise<DirectoryEnd> {
  // Bytes in front of the archive shift everything: the record is then right before its locator.
  for (const position of [stated, locatorPosition - ZIP64_END_SIZE]) {
    if (position < 0 || position >= source.size) continue
    const record = await readBytes(source, position, ZIP64_END_SIZE)
    const view = viewOf(record)
    if (record.length < ZIP64_END_SIZE || view.getUint32(0, true) !== ZIP64_END_SIGNATURE) continue
    return {
      position,
      directorySize: Number(view.getBigUint64(40, true)),
      directoryOffset: Number(view.getBigUint64(48, true)),
    }
  }
  throw workbookProblems.damaged('its directory is missing')
}

/** Where the directory is, and by how much bytes in front of the archive shift all offsets. */
async function findDirectory(
  source: ByteSource,
  end: DirectoryEnd,
): Promise<{ position: number; shift: number }> {
  const shift = end.position - end.directorySize - end.directoryOffset
  for (const candidate of [0, shift]) {
    const position = end.directoryOffset + candidate
    if (position < 0 || position + end.directorySize > source.size) continue
    const signature = await readBytes(source, position, 4)
    if (signature.length === 4 && viewOf(signature).getUint32(0, true) === DIRECTORY_SIGNATURE)
      return { position, shift: candidate }
  }
  throw workbookProblems.damaged('its directory is missing')
}

function readEntries(bytes: Uint8Array, shift: number, platform: Platform, limits: FileGuards): ZipEntry[] {
  const entries: ZipEntry[] = []
  const view = viewOf(bytes)
  let at = 0
  while (at + DIRECTORY_HEADER_SIZE <= bytes.length && view.getUint32(at, true) === DIRECTORY_SIGNATURE) {
    if (entries.length >= limits.maxZipParts) throw workbookProblems.tooManyParts(limits.maxZipParts)
    if (view.getUint16(at + 8, true) & ENCRYPTED_FLAGS) throw workbookProblems.encrypted()
    const nameLength = view.getUint16(at + 28, true)
    const extraLength = view.getUint16(at + 30, true)
    const extraStart = at + DIRECTORY_HEADER_SIZE + nameLength
    const next = extraStart + extraLength + view.getUint16(at + 32, true)
    if (next > bytes.length) throw workbookProblems.damaged('its directory is cut off')
    const sizes = readSizes(view, at, extraStart, extraLength)
    const nameStart = at + DIRECTORY_HEADER_SIZE
    entries.push({
      name: platform.decodeUtf8(bytes, nameStart, extraStart),
      nameBytes: bytes.slice(nameStart, extraStart),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      size: sizes.size,
      compressedSize: sizes.compressedSize,
      offset: sizes.offset + shift,
    })
    at = next
  }
  return entries
}

/** Sizes and offset of an entry: from the zip64 extra field (id 1) where the 32-bit ones are all ones. */
function readSizes(view: DataView, at: number, extraStart: number, extraLength: number) {
  const sizes = {
    size: view.getUint32(at + 24, true),
    compressedSize: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  }
  let field = extraStart
  const end = extraStart + extraLength
  while (field + 4 <= end) {
    const id = view.getUint16(field, true)
    const fieldEnd = Math.min(end, field + 4 + view.getUint16(field + 2, true))
    let value = field + 4
    if (id === 1) {
      for (const key of ['size', 'compressedSize', 'offset'] as const) {
        if (sizes[key] !== ZIP64_MARK || value + 8 > fieldEnd) continue
        sizes[key] = Number(view.getBigUint64(value, true))
        value += 8
      }
    }
    field = fieldEnd
  }
  return sizes
}

/** Two entries over the same bytes can unpack a small file into an endless one; no real writer does it. */
function refuseOverlaps(entries: readonly ZipEntry[], fileSize: number): void {
  let reached = 0
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (entry.offset < reached) throw workbookProblems.damaged('its parts overlap')
    reached = entry.offset + LOCAL_HEADER_SIZE + entry.nameBytes.length + entry.compressedSize
    if (reached > fileSize) throw workbookProblems.damaged(`the part ${entry.name} is cut off`)
  }
}

function finder(entries: readonly ZipEntry[]): ZipDirectory['find'] {
  const byKey = Map.groupBy(entries, ({ name }) => partKey(name))
  return (name) => {
    const found = byKey.get(partKey(name)) ?? []
    if (found.length > 1) throw workbookProblems.damaged(`the part ${name} is there ${found.length} times`)
    return found.at(0)
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
