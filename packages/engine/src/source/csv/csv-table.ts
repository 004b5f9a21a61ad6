import type { ColumnCheck } from '#compile/column-check.ts'
import { ColumnKernel } from '#fast-path/column-kernel.ts'
import { freeMemory } from '#formats/bytes.ts'
import { Bailout } from '#formats/csv/cell-reader.ts'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import { type CsvRecord, isBlankRecord, RecordReader } from '#formats/csv/record-reader.ts'
import { firstLineOf, type Text } from '#formats/csv/text-bytes.ts'
import { SENTINEL_BYTES, type Terminators } from '#formats/terminators.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { guessRecordStarts } from '#source/csv/guess-record-starts.ts'
import type { CompiledDictionary } from '#row-rules/compile-row-rules.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { RuleExports } from '#row-rules/groupings.ts'
import { CHUNK_BYTES, readChunks } from '#source/csv/read-chunks.ts'
import { RecordValidator } from '#source/csv/record-validator.ts'
import {
  type ByteRange,
  type FaultSink,
  type FilterThreads,
  FIRST_RECORDS,
  type SourceRow,
  type TableSource,
} from '#source/table-source.ts'

/** Read by code that is still slow at the start of a process: 1 ms for 1 KiB. */
const FIRST_CHUNK_BYTES = 1 << 9
/** Of what a thread filters at once: small enough that no thread waits long for another. */
const RANGE_BYTES = 1 << 22

/** A CSV file whose header is known. Every reading of its rows begins at the first record below it. */
export class CsvTable implements TableSource {
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

  async firstRecords(isEnough: (row: SourceRow) => boolean): Promise<readonly SourceRow[]> {
    const records: SourceRow[] = []
    for await (const rows of this.rows())
      for (const row of rows) if (records.push(row) === FIRST_RECORDS || isEnough(row)) return records
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
    threads?: FilterThreads,
  ): Promise<void> {
    try {
      // Keys read every record.
      if (threads !== undefined && (rules === null || rules.keys.isEmpty))
        return await this.validateInRanges({ columns, rules }, sink, await this.#ranges(), threads)
      const records = this.#recordValidator(columns, sink, rules)
      await this.#validateBytes(records, { from: this.rowsStart, to: Infinity })
    } catch (error) {
      if (!(error instanceof Bailout)) throw error
      await this.#findProblem()
    }
  }

  /**
   * Threads filter the ranges, which together are all rows; this one validates the rest in order, so that the
   * verdict is that of one thread. Where each begins is a guess: a range counts only if the one before it
   * ended exactly there, and any other is validated here.
   */
  async validateInRanges(
    { columns, rules }: CompiledDictionary,
    sink: FaultSink,
    ranges: readonly ByteRange[],
    threads: FilterThreads,
  ): Promise<void> {
    const records = this.#recordValidator(columns, sink, rules)
    const { place } = this.#text
    // Of UTF-16, no place can be found.
    const kernel = this.#text.raw && records.kernel?.copy()
    const filtered = kernel && threads.filter({ kernel, dialect: this.#dialect, place, ranges })
    let position = ranges[0].from
    for (const [index, { from, to }] of ranges.entries()) {
      const range = await filtered?.(index)
      if (range != null && from === position) {
        records.runFiltered(range)
        position = range.end
        // Freed at once: the garbage collector would let 60 MB of them wait.
        freeMemory(range.bytes)
      }
      if (position < to) position = await this.#validateBytes(records, { from: position, to })
    }
  }

  /** The rows in ranges of about one size. */
  async #ranges(): Promise<readonly ByteRange[]> {
    const { raw } = this.#text
    const [from, to] = [this.rowsStart, Infinity]
    if (raw === undefined) return [{ from, to }]
    const places: number[] = []
    for (let place = from + RANGE_BYTES; place < raw.size; place += RANGE_BYTES) places.push(place)
    const width = this.#headerRecord.cells.length
    const cuts = await guessRecordStarts(raw, places, this.#dialect, width, this.#platform)
    const ends = [...cuts.filter((cut) => cut !== null), to]
    return ends.map((end, index) => ({ from: index === 0 ? from : ends[index - 1], to: end }))
  }

  /** Where the first record below the header begins. */
  get rowsStart(): number {
    return this.#headerRecord.end
  }

  #recordValidator(
    columns: readonly ColumnCheck[],
    sink: FaultSink,
    rules: RowRules | null,
  ): RecordValidator {
    return new RecordValidator({
      columns,
      dialect: this.#dialect,
      limits: this.#limits,
      platform: this.#platform,
      sink,
      rules,
      kernel: this.#kernelOf(columns, rules),
      rowNumber: this.#headerRecord.number + 1,
    })
  }

  /** One for all readings of the file. */
  #kernelOf(columns: readonly ColumnCheck[], rules: RowRules | null): ColumnKernel | null {
    if (this.#kernel?.columns !== columns) {
      const known = columns.map(({ field, describe, blankTexts }) => ({
        describe,
        isRequired: field?.required === true,
        isClassed: blankTexts === undefined,
      }))
      const { delimiter } = this.#dialect
      const settings = { chunk: CHUNK_BYTES, delimiter, longestRecord: this.#limits.maxCellLength }
      this.#kernel = {
        columns,
        kernel: ColumnKernel.of(known, settings, (exports) =>
          rules?.filter.describe(exports as unknown as RuleExports),
        ),
      }
    }
    return this.#kernel.kernel
  }

  async #validateBytes(records: RecordValidator, range: ByteRange): Promise<number> {
    const own = records.kernel?.bytes ?? new Uint8Array(CHUNK_BYTES + SENTINEL_BYTES)
    return readChunks(await this.#text.from(range.from), range, own, records)
  }

  /** After a bailout: the reference reader reads up to the problem, and throws it with its place. */
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
