import type { ColumnCheck } from '#compile/column-check.ts'
import { ColumnKernel } from '#fast-path/column-kernel.ts'
import { LINE_FEED, QUOTE } from '#formats/byte-names.ts'
import { Bailout } from '#formats/csv/cell-reader.ts'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import { type CsvRecord, isBlankRecord, RecordReader } from '#formats/csv/record-reader.ts'
import { firstLineOf, type Text } from '#formats/csv/text-bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { SENTINEL_BYTES, type Terminators } from '#formats/terminators.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { guessRecordStarts } from '#source/csv/guess-record-starts.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import { RecordValidator } from '#source/csv/record-validator.ts'
import {
  type ByteRange,
  type FaultSink,
  FIRST_RECORDS,
  type RangedTable,
  type SourceRow,
  type TableSource,
} from '#source/table-source.ts'

/**
 * Small enough to stay in the cache, large enough that reading costs nothing; other sizes gain or lose a few
 * percent.
 */
const CHUNK_BYTES = 1 << 18
const FIRST_CHUNK_BYTES = 1 << 11

/** A CSV file whose header is known. Every reading of its rows begins at the first record below it. */
export class CsvTable implements TableSource, RangedTable {
  readonly kind = 'csv'
  readonly header: readonly string[]
  readonly headerRowNumber: number
  readonly firstColumn: number
  readonly terminators: Terminators
  readonly #text: Text
  readonly #dialect: CsvDialect
  readonly #headerRecord: CsvRecord
  readonly #platform: Platform
  readonly #limits: FileGuards
  #kernel: { columns: readonly ColumnCheck[]; kernel: ColumnKernel | null } | undefined

  constructor(parts: {
    text: Text
    dialect: CsvDialect
    headerRecord: CsvRecord
    firstColumn: number
    platform: Platform
    limits: FileGuards
  }) {
    const { dialect, headerRecord } = parts
    this.#text = parts.text
    this.#dialect = dialect
    this.#headerRecord = headerRecord
    this.#platform = parts.platform
    this.#limits = parts.limits
    this.firstColumn = parts.firstColumn
    this.headerRowNumber = headerRecord.number
    this.terminators = { kind: 'csv', delimiter: dialect.delimiter }
    this.header = headerRecord.cells.slice(
      0,
      headerRecord.cells.findLastIndex((label) => label.trim() !== '') + 1,
    )
  }

  async firstRecords(): Promise<readonly SourceRow[]> {
    const records: SourceRow[] = []
    for await (const rows of this.rows()) {
      records.push(...rows.slice(0, FIRST_RECORDS - records.length))
      if (records.length === FIRST_RECORDS) break
    }
    return records
  }

  async *rows(): AsyncIterable<readonly SourceRow[]> {
    let batch: SourceRow[] = []
    const reader = this.#reader(({ number, cells }) => {
      if (number > this.#headerRecord.number && !isBlankRecord(cells))
        batch.push({ rowNumber: number, cells })
    })
    const bytes = await this.#text.from(0)
    // Few rows at first: most callers that stop early stop there.
    let chunk = new Uint8Array(FIRST_CHUNK_BYTES)
    for (let count = await bytes.read(chunk); count > 0; count = await bytes.read(chunk)) {
      reader.push(chunk, count)
      if (batch.length > 0) yield batch
      batch = []
      if (chunk.length < CHUNK_BYTES) chunk = new Uint8Array(chunk.length * 2)
    }
    reader.end()
    if (batch.length > 0) yield batch
  }

  async validate(
    columns: readonly ColumnCheck[],
    sink: FaultSink,
    rules: RowRules | null = null,
  ): Promise<void> {
    const records = this.#recordValidator(columns, sink, rules, this.#headerRecord.number + 1)
    try {
      await this.#validateBytes(records, this.#allRows)
    } catch (error) {
      if (!(error instanceof Bailout)) throw error
      await this.#findProblem()
    }
  }

  /** Undefined for UTF-16, because a place in its text can only be found by reading everything before it. */
  get ranged(): RangedTable | undefined {
    return this.#text.raw && this
  }

  async ranges(shares: readonly number[]): Promise<readonly ByteRange[]> {
    const { from, to } = this.#allRows
    const raw = this.#text.raw!
    let before = 0
    const places = shares
      .slice(0, -1)
      .map((share) => Math.floor(from + (raw.size - from) * (before += share)))
    const cuts = await guessRecordStarts(
      raw,
      places,
      this.#dialect,
      this.#headerRecord.cells.length,
      this.#platform,
    )
    const ranges: ByteRange[] = []
    let start = from
    for (const cut of cuts) {
      if (cut === null || cut <= start) continue
      ranges.push({ from: start, to: cut })
      start = cut
    }
    return [...ranges, { from: start, to }]
  }

  async validateRange(
    columns: readonly ColumnCheck[],
    sink: FaultSink,
    rules: RowRules | null,
    range: ByteRange,
  ): Promise<{ end: number; rowCount: number } | null> {
    const records = this.#recordValidator(columns, sink, rules, 1)
    try {
      const end = await this.#validateBytes(records, range)
      return { end, rowCount: records.rowNumber - 1 }
    } catch (error) {
      if (error instanceof Bailout || error instanceof FileProblemError) return null
      throw error
    }
  }

  get #allRows(): ByteRange {
    return { from: this.#headerRecord.end, to: Infinity }
  }

  #recordValidator(
    columns: readonly ColumnCheck[],
    sink: FaultSink,
    rules: RowRules | null,
    rowNumber: number,
  ): RecordValidator {
    return new RecordValidator({
      columns,
      dialect: this.#dialect,
      limits: this.#limits,
      platform: this.#platform,
      sink,
      rules,
      kernel: this.#kernelOf(columns),
      rowNumber,
    })
  }

  /** One for all ranges of the file, which are read one after the other. */
  #kernelOf(columns: readonly ColumnCheck[]): ColumnKernel | null {
    if (this.#kernel?.columns !== columns) {
      const known = columns.map(({ field, describe }) => ({
        describe,
        isRequired: field?.required === true,
      }))
      const { delimiter } = this.#dialect
      const settings = { chunk: CHUNK_BYTES, delimiter, longestRecord: this.#limits.maxCellLength }
      this.#kernel = { columns, kernel: ColumnKernel.of(known, settings) }
    }
    return this.#kernel.kernel
  }

  /**
   * Reads chunk after chunk into one buffer. A record that the end of the buffer cuts is moved to the start
   * and validated again with what follows; the buffer grows only for a record that is longer. Returns where
   * the first record begins that does not end within the range.
   */
  async #validateBytes(records: RecordValidator, { from, to }: ByteRange): Promise<number> {
    const text = await this.#text.from(from)
    const own = records.kernel?.bytes ?? new Uint8Array(CHUNK_BYTES + SENTINEL_BYTES)
    let buffer = own
    let position = from
    let held = 0
    for (;;) {
      const room = Math.min(buffer.length - SENTINEL_BYTES - held, to - position)
      const count = await text.read(buffer.subarray(held, held + room))
      if (count === 0 && to !== Infinity) return position - held
      const isLast = count === 0
      position += count
      held += count
      putSentinels(buffer, held)
      const next = records.run(buffer, held, isLast)
      if (isLast) return position
      buffer.copyWithin(0, next, held)
      held -= next
      if (held <= own.length / 2 - SENTINEL_BYTES) {
        if (buffer !== own) own.set(buffer.subarray(0, held))
        buffer = own
        continue
      }
      if (held <= buffer.length / 2 - SENTINEL_BYTES) continue
      if (records.isOpenCellTooLong(buffer, held)) throw new Bailout()
      buffer = grown(buffer, held)
    }
  }

  /**
   * Called after a bailout: the reference reader reads the file up to the problem, and throws it with its
   * place.
   */
  async #findProblem(): Promise<never> {
    const reader = this.#reader(() => {})
    const bytes = await this.#text.from(0)
    const chunk = new Uint8Array(CHUNK_BYTES)
    for (let count = await bytes.read(chunk); count > 0; count = await bytes.read(chunk))
      reader.push(chunk, count)
    reader.end()
    throw new Error('The fast path bailed out of a file that the reference reads without a problem.')
  }

  #reader(take: (record: CsvRecord) => void): RecordReader {
    return new RecordReader(this.#dialect, this.#platform, this.#limits, take, firstLineOf(this.#text))
  }
}

/** See `SENTINEL_BYTES`: a line end, a quote that ends a quoted cell, then line ends. */
function putSentinels(buffer: Uint8Array, end: number): void {
  buffer.fill(LINE_FEED, end, end + SENTINEL_BYTES)
  buffer[end + 1] = QUOTE
}

function grown(buffer: Uint8Array, held: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(buffer.length * 2)
  larger.set(buffer.subarray(0, held))
  return larger
}
