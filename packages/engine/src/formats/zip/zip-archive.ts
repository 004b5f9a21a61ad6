import type { ByteSource } from '#byte-source.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { READ_SIZE, sourceBytes } from '#formats/source-bytes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { findData, readZipDirectory, type ZipDirectory, type ZipEntry } from '#formats/zip/zip-directory.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'

const STORED = 0
const DEFLATED = 8

/** An archive with what is needed to unpack its parts within the limits. */
export type ZipArchive = {
  readonly source: ByteSource
  readonly platform: Platform
  readonly limits: FileGuards
  readonly directory: ZipDirectory
  /** Bytes that each part has unpacked to so far. A part that is read again does not count twice. */
  readonly unpacked: Map<ZipEntry, number>
}

/** Opens an archive and reads its directory. Throws `FileProblemError` if the file is not an archive. */
export async function openArchive(
  source: ByteSource,
  platform: Platform,
  limits: FileGuards,
): Promise<ZipArchive> {
  const directory = await readZipDirectory(source, platform, limits)
  return { source, platform, limits, directory, unpacked: new Map() }
}

/**
 * Counts the bytes itself, since sizes in headers may be wrong, and compares the checksum. Throws
 * `FileProblemError` if the part is damaged or all parts together exceed the limit.
 */
export async function* unpackPart(archive: ZipArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let total = 0
  let checksum = 0
  for await (const chunk of inflate(archive, entry)) {
    total += chunk.length
    countUnpacked(archive, entry, total)
    checksum = archive.platform.crc32(chunk, checksum)
    yield chunk
  }
  if (checksum !== entry.crc)
    throw workbookProblems.damaged(`the part ${entry.name} does not match its checksum`)
}

function countUnpacked(archive: ZipArchive, entry: ZipEntry, total: number): void {
  const { unpacked, limits } = archive
  if (total <= (unpacked.get(entry) ?? 0)) return
  unpacked.set(entry, total)
  let sum = 0
  for (const bytes of unpacked.values()) sum += bytes
  if (sum > limits.maxUnpackedBytes) throw workbookProblems.tooLargeUnpacked(limits.maxUnpackedBytes)
}

async function* inflate(archive: ZipArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const start = await findData(archive.source, entry)
  // A failing disk is not a damaged workbook: an error of the source is passed on as it is.
  const failure: { error?: unknown } = {}
  const shared = new Uint8Array(Math.min(READ_SIZE, entry.compressedSize))
  const bytes = sourceBytes(archive.source, start, start + entry.compressedSize, shared)
  const packed = keepingFailure(bytes, failure)
  if (entry.method === STORED) return yield* packed
  if (entry.method !== DEFLATED)
    throw workbookProblems.damaged(`the part ${entry.name} is packed in an unknown way`)
  try {
    yield* archive.platform.inflateRaw(packed, entry.compressedSize)
  } catch (error) {
    if (failure.error !== undefined) throw failure.error
    if (error instanceof FileProblemError) throw error
    throw workbookProblems.damaged(`the part ${entry.name} cannot be unpacked`)
  }
}

/** Passes chunks on, and keeps the error with which their source fails. */
async function* keepingFailure(
  chunks: AsyncIterable<Uint8Array>,
  failure: { error?: unknown },
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    failure.error = error
    throw error
  }
}
