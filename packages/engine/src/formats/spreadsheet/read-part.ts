import { workbookProblems } from '#formats/workbook-problems.ts'
import { asUtf8 } from '#formats/xml/as-utf8.ts'
import { unpackPart, type ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'

/** By how much a part in UTF-16 can grow as UTF-8. */
const UTF16_GROWTH = 1.5
/** A part may unpack to this many bytes, whatever size its header states. */
const LEAST_CAPACITY = 1024 * 1024

/** The text of a part in chunks of UTF-8, also where the part is UTF-16. Throws as `unpackPart` does. */
export function streamPart(archive: ZipArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  return asUtf8(unpackPart(archive, entry), entry.name, archive.platform)
}

/**
 * `onData` gets the end of the data so far and may write into it, so that work need not wait for the last
 * bytes. It returns where the data ends then, and where the next bytes go. Throws as `streamPart`, and for a
 * part over `maxBytes` or far larger than its header states.
 */
export async function readPart(
  archive: ZipArchive,
  entry: ZipEntry,
  maxBytes: number = Infinity,
  onData: (end: number) => number = (end) => end,
  allocate: (size: number) => Uint8Array = (size) => new Uint8Array(size),
): Promise<Uint8Array> {
  const { maxUnpackedBytes } = archive.limits
  const capacity = Math.min(capacityFor(entry), maxUnpackedBytes, maxBytes)
  // The buffer never grows, because a copy would need the memory twice. Memory that is not written to costs
  // nothing.
  const bytes = allocate(capacity)
  let total = 0
  let length = 0
  for await (const chunk of streamPart(archive, entry)) {
    total += chunk.length
    if (total > maxBytes)
      throw workbookProblems.damaged(`the part ${entry.name} is far larger than such a part can be`)
    if (total > maxUnpackedBytes) throw workbookProblems.tooLargeUnpacked(maxUnpackedBytes)
    if (total > capacity) throw workbookProblems.damaged(`the part ${entry.name} is far larger than it says`)
    bytes.set(chunk, length)
    length = onData(length + chunk.length)
  }
  return bytes.subarray(0, length)
}

/** As UTF-8. Deflate reaches at most 1032 : 1, so a false size in a header cannot make us allocate much. */
const capacityFor = ({ size, compressedSize }: ZipEntry): number =>
  Math.ceil(UTF16_GROWTH * Math.min(Math.max(size, LEAST_CAPACITY), compressedSize * 1032 + 64))
