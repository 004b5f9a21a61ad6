import { type ByteSource, partOf } from '#byte-source.ts'
import { ColumnKernel, WHOLE_RECORD } from '#fast-path/column-kernel.ts'
import { grown } from '#formats/bytes.ts'
import { Bailout, CellReader, CUT } from '#formats/csv/cell-reader.ts'
import { Utf8Bytes } from '#formats/csv/utf8-bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'
import type { Platform } from '#platform.ts'
import { type ChunkReader, putSentinels, readChunks } from '#source/csv/read-chunks.ts'
import type { ByteRange, FilteredRange, FilterTask } from '#source/table-source.ts'

/** Grows. Where it was 1 MiB, it took a third of the time of a small file's ranges. */
const FIRST_SIZE = 1 << 16
/**
 * The places of millions of short doubtful records took 2 GB, and twice the time of one thread. A range of
 * 4 MiB has fewer if a doubtful cell comes every 64 bytes.
 */
const MOST_PLACES = 1 << 19

/** null for a range with a possible problem, or with so many doubtful cells that the validator reads it. */
export function rangeFilter(
  { kernel: copy, dialect, place }: FilterTask,
  file: ByteSource,
  platform: Pick<Platform, 'isUtf8' | 'decodeUtf8'>,
): (range: ByteRange) => Promise<FilteredRange | null> {
  const kernel = ColumnKernel.copied(copy)
  const room = { bytes: new Uint8Array(FIRST_SIZE), places: new Uint32Array(MOST_PLACES) }
  const text = partOf(file, place.start, place.end)
  return async (range) => {
    const filter = new RecordFilter(kernel, new CellReader(dialect, platform), room)
    try {
      const bytes = new Utf8Bytes(text, platform, range.from)
      return filter.result(await readChunks(bytes, range, kernel.bytes, filter))
    } catch (error) {
      if (error instanceof Bailout || error instanceof FileProblemError) return null
      throw error
    }
  }
}

/** Of all ranges: a buffer that grows anew for each took 25 MB more. */
type Room = { bytes: Uint8Array<ArrayBuffer>; readonly places: Uint32Array<ArrayBuffer> }

/** Copies the records of which the kernel is not sure. */
class RecordFilter implements ChunkReader {
  readonly #kernel: ColumnKernel
  readonly #reader: CellReader
  #rowCount = 0
  #size = 0
  readonly #room: Room
  #words = 0

  constructor(kernel: ColumnKernel, reader: CellReader, room: Room) {
    this.#kernel = kernel
    this.#reader = reader
    this.#room = room
  }

  run(bytes: Uint8Array, end: number, isLast: boolean): number {
    this.#reader.use(bytes)
    let position = 0
    while (position < end) {
      position = this.#pass(position, end)
      if (position === end) break
      const next = this.#reader.nextRecord(position, end, isLast)
      if (next === CUT) break
      const size = this.#size + next - position
      this.#keep([this.#rowCount++, this.#size, size, WHOLE_RECORD], position, next)
      position = next
    }
    return position
  }

  /** The validator reads a record that is longer than half a chunk. */
  isOpenCellTooLong(): boolean {
    return true
  }

  result(end: number): FilteredRange {
    putSentinels(this.#room.bytes, this.#size)
    return {
      end,
      rowCount: this.#rowCount,
      bytes: this.#room.bytes.slice(0, this.#size + SENTINEL_BYTES),
      places: this.#room.places.slice(0, this.#words),
    }
  }

  #pass(position: number, end: number): number {
    const kernel = this.#kernel
    const records = kernel.check(position, end)
    // The validator reads whole records where there are rules, and is faster with all of them in its kernel.
    if (kernel.exports.hasRules() !== 0 && kernel.doubtfulCount * 2 > records) throw new Bailout()
    const next = kernel.startOf(records)
    const stop = kernel.exports.gather(position, this.#rowCount, this.#size)
    this.#keep(kernel.doubtful, position, stop)
    this.#rowCount += records
    return next
  }

  /** `places`: as the kernel lists the doubtful records whose bytes are `[start, stop)` of the chunk. */
  #keep(places: ArrayLike<number>, start: number, stop: number): void {
    if (this.#words + places.length > MOST_PLACES) throw new Bailout()
    this.#room.places.set(places, this.#words)
    this.#words += places.length
    const size = this.#size + stop - start
    while (size + SENTINEL_BYTES > this.#room.bytes.length)
      this.#room.bytes = grown(this.#room.bytes, this.#size)
    this.#room.bytes.set(this.#kernel.bytes.subarray(start, stop), this.#size)
    this.#size = size
  }
}
