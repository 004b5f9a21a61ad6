import { type ByteSource, partOf } from '#byte-source.ts'
import { CELL_WORDS, ColumnKernel, WHOLE_RECORD } from '#fast-path/column-kernel.ts'
import { Bailout, CellReader, CUT, startOfNextRecord } from '#formats/csv/cell-reader.ts'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import { Utf8Bytes } from '#formats/csv/utf8-bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'
import type { Platform } from '#platform.ts'
import { type ChunkReader, putSentinels, readChunks } from '#source/csv/read-chunks.ts'
import type { ByteRange, FilteredRange, FilterTask } from '#source/table-source.ts'

/** Grows. Where it was 1 MiB, it took a third of the time of a small file's ranges. */
const FIRST_SIZE = 1 << 16
const NO_CELLS = new Uint32Array(0)
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
  const text = partOf(file, place.start, place.end)
  return async (range) => {
    const filter = new RecordFilter(kernel, new CellReader(dialect, platform), dialect)
    try {
      const bytes = new Utf8Bytes(text, platform, range.from)
      return filter.result(await readChunks(bytes, range, kernel.bytes, filter))
    } catch (error) {
      if (error instanceof Bailout || error instanceof FileProblemError) return null
      throw error
    }
  }
}

/** Copies the records of which the kernel is not sure. */
class RecordFilter implements ChunkReader {
  readonly #kernel: ColumnKernel
  readonly #reader: CellReader
  readonly #dialect: CsvDialect
  readonly #hasRules: boolean
  #rowCount = 0
  #bytes = new Uint8Array(FIRST_SIZE)
  #size = 0
  readonly #places: number[] = []

  constructor(kernel: ColumnKernel, reader: CellReader, dialect: CsvDialect) {
    this.#kernel = kernel
    this.#reader = reader
    this.#dialect = dialect
    this.#hasRules = kernel.exports.hasRules() !== 0
  }

  run(bytes: Uint8Array, end: number, isLast: boolean): number {
    this.#reader.use(bytes)
    let position = 0
    while (position < end) {
      position = this.#pass(position, end)
      if (position === end) break
      const next = this.#endOfRecord(position, end, isLast)
      if (next === CUT) break
      this.#keep(this.#rowCount++, position, next, NO_CELLS)
      position = next
    }
    return position
  }

  /** The validator reads a record that is longer than half a chunk. */
  isOpenCellTooLong(): boolean {
    return true
  }

  result(end: number): FilteredRange {
    putSentinels(this.#bytes, this.#size)
    return {
      end,
      rowCount: this.#rowCount,
      bytes: this.#bytes.subarray(0, this.#size + SENTINEL_BYTES),
      places: Uint32Array.from(this.#places),
    }
  }

  #pass(position: number, end: number): number {
    const kernel = this.#kernel
    const records = kernel.check(position, end)
    // The validator reads whole records where there are rules, and is faster with all of them in its kernel.
    if (this.#hasRules && kernel.doubtfulCount * 2 > records) throw new Bailout()
    for (let doubt = 0, cell = 0; doubt < kernel.doubtfulCount; doubt++) {
      const record = kernel.doubtfulRecord(doubt)
      const count = kernel.cellCount(doubt)
      const next = cell + (count === WHOLE_RECORD ? 0 : CELL_WORDS * count)
      const cells = kernel.cells.subarray(cell, next)
      this.#keep(this.#rowCount + record, kernel.startOf(record), kernel.startOf(record + 1), cells)
      cell = next
    }
    this.#rowCount += records
    return kernel.startOf(records)
  }

  #endOfRecord(start: number, end: number, isLast: boolean): number {
    const { bytes } = this.#kernel
    let stop = this.#reader.read(start, end, isLast)
    while (stop !== CUT && stop < end && bytes[stop] === this.#dialect.delimiter)
      stop = this.#reader.read(stop + 1, end, isLast)
    return stop === CUT ? CUT : startOfNextRecord(bytes, stop, end, isLast)
  }

  /** `cells`: as the kernel lists them. */
  #keep(row: number, start: number, stop: number, cells: Uint32Array): void {
    if (this.#places.length > MOST_PLACES) throw new Bailout()
    const size = this.#size + stop - start
    while (size + SENTINEL_BYTES > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.set(this.#kernel.bytes.subarray(start, stop), this.#size)
    const moved = this.#size - start
    this.#places.push(row, this.#size, size, cells.length / CELL_WORDS)
    for (let index = 0; index < cells.length; index += CELL_WORDS)
      this.#places.push(cells[index], cells[index + 1] + moved, cells[index + 2] + moved, cells[index + 3])
    this.#size = size
  }
}
