import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import { type ColumnCheck, firstColumnOf, keyColumnsOf, widthOf } from '#compile/column-check.ts'
import type { ColumnKernel } from '#fast-path/column-kernel.ts'
import { NOT_SURE } from '#fast-path/fast-path.ts'
import * as byteNames from '#formats/byte-names.ts'
import { Bailout, CellReader, CUT, startOfNextRecord } from '#formats/csv/cell-reader.ts'
import { type CsvDialect, endsRecord, maxCellBytes } from '#formats/csv/csv-dialect.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import { CsvBadCell } from '#source/csv/csv-bad-cell.ts'
import type { ChunkReader } from '#source/csv/read-chunks.ts'
import { KnownBadCells, NOT_FOUND } from '#source/csv/known-bad-cells.ts'
import type { BadCell, FaultSink, FilteredRange, RowView } from '#source/table-source.ts'

const { CARRIAGE_RETURN, QUOTE } = byteNames

/**
 * How many records with faults are reported together. Reported one by one, in a file with few bad cells, the
 * sink's code and data were no longer in the processor's caches each time.
 */
const MAX_WAITING = 64

/**
 * So many chunks go without the kernel after one in which it, and then the fast path, refused most records.
 */
const LEFT_OUT_CHUNKS = 16
const FEW_REFUSED = 16

const NO_CELLS: readonly BadCell[] = []
const NO_TESTS: readonly UnmetTest[] = []

/**
 * Validates the records of a CSV text without making them. For each cell the column's `accept` finds the end
 * and accepts the cell, straight from the bytes. For any other cell `reject` may know the fault; the rest is
 * read as text and given to the column's `check`. On clean data some ten cells in a million are read.
 *
 * Before that, the kernel passes the cells of a chunk that are surely valid, column by column. Only doubtful
 * cells and records come here, and what is between them is a number of rows.
 *
 * A record that the end of the bytes cuts is validated again once the rest is there: nothing but the number
 * of the row is kept between chunks. TRAP: a CR as the last byte looks like the end of a record, and so does
 * the sentinel after the data. Only what ends *before* the data does is whole, unless nothing follows.
 */
export class RecordValidator implements ChunkReader, RowView {
  readonly #columns: readonly ColumnCheck[]
  readonly #accepts: readonly ColumnCheck['accept'][]
  readonly #dialect: CsvDialect
  readonly #limits: Pick<FileGuards, 'maxCellLength' | 'maxColumns'>
  readonly #sink: FaultSink
  readonly #reader: CellReader
  readonly #blankBytes: Uint8Array
  readonly #extraCell: CellFault
  /** The first column of the table. If a row ends before it, this is the column of its first missing cell. */
  readonly #firstColumn: number
  readonly #keyColumns: readonly number[]
  /**
   * Reads the cells of `keyTexts`. A reader of its own, because `#reader` must keep the cell of the current
   * fault.
   */
  readonly #keyReader: CellReader
  #bytes: Uint8Array = new Uint8Array(0)
  /** The start and end of the record whose faults are being reported. */
  #recordStart = 0
  #recordStop = 0
  /** The faults of the first `#waitingCount` records are not yet reported to the sink. */
  readonly #waitingCells: (readonly BadCell[])[] = []
  /** For each of these records its row number, its start and its end. */
  readonly #waitingPlaces = new Float64Array(3 * MAX_WAITING)
  #waitingCount = 0
  #rowNumber: number
  /**
   * The bad cells of the record being validated, until it is known to be complete and not blank; null if it
   * has none.
   */
  #badCells: BadCell[] | null = null
  /** Made when the first cell is searched; only for a sink that keeps memos. */
  #known: KnownBadCells | undefined
  /** By column, whether its rule is a number rule. */
  readonly #isNumber: readonly boolean[]
  /** By column, the bad cell for an empty text between two delimiters; undefined until there is one. */
  readonly #emptyCells: (BadCell | undefined)[]

  readonly #rules: RowRules | null
  readonly kernel: ColumnKernel | null
  /** How many of the next chunks go without the kernel. */
  #leftOut = 0
  /** Records of the chunk that neither the kernel nor the fast path accepted. */
  #refused = 0

  /**
   * `rowNumber` is that of the first record. `columns` are those of `rules`, if there are some; the kernel is
   * one for `columns`.
   */
  constructor(parts: {
    columns: readonly ColumnCheck[]
    dialect: CsvDialect
    limits: Pick<FileGuards, 'maxCellLength' | 'maxColumns'>
    platform: Pick<Platform, 'decodeUtf8'>
    sink: FaultSink
    rules: RowRules | null
    kernel: ColumnKernel | null
    rowNumber: number
  }) {
    const { columns, dialect, sink, rules } = parts
    this.kernel = parts.kernel
    this.#rules = rules
    this.#columns = columns
    this.#accepts = columns.map((column) => column.accept)
    this.#dialect = dialect
    this.#limits = parts.limits
    this.#sink = sink
    this.#rowNumber = parts.rowNumber
    this.#reader = new CellReader(dialect, parts.platform)
    this.#keyReader = new CellReader(dialect, parts.platform)
    this.#keyColumns = keyColumnsOf(columns)
    this.#firstColumn = firstColumnOf(columns)
    this.#blankBytes = blankBytes(dialect)
    this.#isNumber = columns.map(({ field }) => field?.rule.type === 'number')
    this.#emptyCells = Array.from({ length: columns.length })
    this.#extraCell = {
      code: 'extraCell',
      error: cellErrors.extraCell(widthOf(columns)),
      expected: cellExpectations.noCell,
    }
  }

  run(bytes: Uint8Array, end: number, isLast: boolean): number {
    this.#use(bytes)
    const kernel = this.#kernelFor(bytes)
    const firstRow = this.#rowNumber
    this.#refused = 0
    let position = 0
    while (position < end) {
      if (kernel !== null) position = this.#pass(kernel, position, end, isLast)
      if (position === end) break
      const next = this.#next(bytes, position, end, isLast)
      if (next === CUT) break
      position = next
    }
    const refused = kernel === null ? 0 : this.#refused
    if (refused > FEW_REFUSED && refused * 2 > this.#rowNumber - firstRow) this.#leftOut = LEFT_OUT_CHUNKS
    this.#reportWaiting()
    return position
  }

  /** Validates what another thread has left of a range: the records between are surely valid. */
  runFiltered({ bytes, places, rowCount }: FilteredRange): void {
    this.#use(bytes)
    const firstRow = this.#rowNumber
    for (let index = 0; index < places.length;) {
      const start = places[index + 1]
      const count = places[index + 3]
      this.#countRecords(firstRow + places[index] - this.#rowNumber)
      if (count === 0) this.#next(bytes, start, bytes.length - SENTINEL_BYTES, true)
      else this.#checkCells(bytes, start, places[index + 2], places, index + 4, count)
      index += 4 + 2 * count
    }
    this.#countRecords(firstRow + rowCount - this.#rowNumber)
    this.#reportWaiting()
  }

  #use(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#reader.use(bytes)
    this.#keyReader.use(bytes)
  }

  /** null if the chunk is not in the memory of the kernel, or if it passed too little before. */
  #kernelFor(bytes: Uint8Array): ColumnKernel | null {
    const { kernel } = this
    return kernel === null || bytes !== kernel.bytes || this.#leftOut-- > 0 ? null : kernel
  }

  /** The reference of the kernel: validates any record. */
  #next(bytes: Uint8Array, at: number, end: number, isLast: boolean): number {
    this.#refused++
    return endsRecord(bytes[at])
      ? this.#blankLine(bytes, at, end, isLast)
      : this.#record(bytes, at, end, isLast)
  }

  /** Validates the records from `position` on whose structure the kernel knows. Returns where they end. */
  #pass(kernel: ColumnKernel, position: number, end: number, isLast: boolean): number {
    const records = kernel.check(position, end)
    let next = 0
    for (let doubt = 0; doubt < kernel.doubtfulCount; doubt++) {
      const record = kernel.doubtfulRecord(doubt)
      this.#passRecords(kernel, next, record)
      next = record + 1
      const count = kernel.listCells(doubt)
      const start = kernel.startOf(record)
      if (count === 0) this.#next(kernel.bytes, start, end, isLast)
      else {
        if (this.#rules !== null) this.#showCells(this.#rules, kernel, record)
        this.#checkCells(kernel.bytes, start, kernel.startOf(next), kernel.cells, 0, count)
      }
    }
    this.#passRecords(kernel, next, records)
    return kernel.startOf(records)
  }

  #countRecords(count: number): void {
    if (count > 0) this.#sink.records(this.#rowNumber, count)
    this.#rowNumber += count
  }

  /** The records `[from, to)` of the chunk have no doubtful cell. */
  #passRecords(kernel: ColumnKernel, from: number, to: number): void {
    const rules = this.#rules
    if (rules === null) return this.#countRecords(to - from)
    for (let record = from; record < to; record++) {
      this.#showCells(rules, kernel, record)
      const start = kernel.startOf(record)
      const rowNumber = this.#rowNumber++
      this.#askRules(rules, rowNumber, start, kernel.endOf(record))
      this.#sink.records(rowNumber, 1)
    }
  }

  /** Shows the cells that rules read. Those with faults show themselves when they are checked. */
  #showCells(rules: RowRules, kernel: ColumnKernel, record: number): void {
    const { bytes } = kernel
    const { read } = rules
    for (let index = 0; index < read.length; index++) {
      const cell = read[index]
      const at = kernel.startOfCell(record, cell.column)
      const end = kernel.endOfCell(record, cell.column)
      const isQuoted = bytes[at] === QUOTE
      cell.see(bytes, isQuoted ? at + 1 : at, isQuoted ? end - 1 : end)
      if (isQuoted && bytes.indexOf(QUOTE, at + 1) < end - 1) cell.keep(QUOTE)
    }
  }

  /** Checks doubtful cells of a regular record `[start, next)`: `count` columns and places in `cells`. */
  #checkCells(
    bytes: Uint8Array,
    start: number,
    next: number,
    cells: Uint32Array,
    from: number,
    count: number,
  ): void {
    let isRefused = false
    for (let index = from; index < from + 2 * count; index += 2) {
      const column = cells[index]
      const at = cells[index + 1]
      const accepted = this.#accepts[column](bytes, at)
      if (accepted >= 0) continue
      isRefused = true
      // The cell ends before `next`, or at the end of the record.
      this.#checkSlowly(bytes, at, next, true, column, accepted)
    }
    if (isRefused) this.#refused++
    const isReturn = bytes[next - 2] === CARRIAGE_RETURN
    this.#endRecord(bytes, start, isReturn ? next - 2 : next - 1, this.#columns.length)
  }

  isOpenCellTooLong(bytes: Uint8Array, end: number): boolean {
    this.#reader.use(bytes)
    for (let at = 0; ;) {
      const stop = this.#reader.read(at, end, false)
      if (stop === CUT) return end - at > maxCellBytes(this.#limits)
      at = stop + 1
    }
  }

  /** The identifying texts of the record whose faults are being reported. */
  keyTexts(): readonly string[] {
    const reader = this.#keyReader
    reader.use(this.#bytes)
    const texts = this.#keyColumns.map(() => '')
    let from = this.#recordStart
    for (let column = 0, next = 0; next < texts.length && from <= this.#recordStop; column++) {
      const stop = reader.read(from, this.#recordStop, true)
      if (column === this.#keyColumns[next]) texts[next++] = reader.value
      from = stop + 1
    }
    return texts
  }

  /** Whether the record whose faults are being reported has other cells that are not blank. */
  hasContentBeside(badCells: readonly Pick<BadCell, 'column' | 'value'>[]): boolean {
    const reader = this.#keyReader
    reader.use(this.#bytes)
    let from = this.#recordStart
    for (let column = 0, next = 0; from <= this.#recordStop; column++) {
      const stop = reader.read(from, this.#recordStop, true)
      if (badCells[next]?.column === column) next++
      else if (reader.value.trim() !== '') return true
      from = stop + 1
    }
    return false
  }

  /** Whether the record whose faults are being reported has more cells than there are columns. */
  isTooLong(): boolean {
    const reader = this.#keyReader
    reader.use(this.#bytes)
    let from = this.#recordStart
    for (let column = 0; column < this.#columns.length && from <= this.#recordStop; column++)
      from = reader.read(from, this.#recordStop, true) + 1
    return from <= this.#recordStop
  }

  #blankLine(bytes: Uint8Array, at: number, end: number, isLast: boolean): number {
    const next = startOfNextRecord(bytes, at, end, isLast)
    if (next !== CUT) this.#rowNumber++
    return next
  }

  /** Returns where the next record begins, or CUT. */
  #record(bytes: Uint8Array, start: number, end: number, isLast: boolean): number {
    const accepts = this.#accepts
    const delimiter = this.#dialect.delimiter
    const count = accepts.length
    let at = start
    let stop = CUT
    let column = 0
    do {
      stop = accepts[column](bytes, at)
      if (stop < 0 && (stop = this.#checkSlowly(bytes, at, end, isLast, column, stop)) === CUT)
        return this.#cut()
      at = stop + 1
    } while (++column < count && bytes[stop] === delimiter)
    if (
      column === count &&
      bytes[stop] === delimiter &&
      (stop = this.#extraCells(bytes, stop, end, isLast)) === CUT
    )
      return this.#cut()
    if (stop >= end && !isLast) return this.#cut()
    const next = startOfNextRecord(bytes, stop, end, isLast)
    if (next === CUT) return this.#cut()
    this.#endRecord(bytes, start, stop, column)
    return next
  }

  #cut(): typeof CUT {
    this.#badCells = null
    return CUT
  }

  /**
   * Checks a cell that was not accepted. The inside of a quoted cell has a fast path of its own. Any other
   * cell is rejected, or read and checked.
   */
  #checkSlowly(
    bytes: Uint8Array,
    at: number,
    end: number,
    isLast: boolean,
    column: number,
    accepted: number,
  ): number {
    const check = this.#columns[column]
    if (bytes[at] === QUOTE) {
      const close = check.acceptQuoted(bytes, at + 1)
      const next = close + 1
      const isWhole = close >= 0 && (next < end || (next === end && isLast))
      if (isWhole && (bytes[next] === this.#dialect.delimiter || endsRecord(bytes[next]))) return next
    }
    const isEndKnown = accepted !== NOT_SURE && ~accepted < end
    const stop = isEndKnown ? this.#reader.readUpTo(at, ~accepted) : this.#reader.read(at, end, isLast)
    if (stop === CUT) return CUT
    if (at === stop) this.#checkEmpty(column)
    else this.#checkKnown(bytes, at, stop, column, isEndKnown)
    return stop
  }

  /** Checks the cell that was read last, which has no bytes. */
  #checkEmpty(column: number): void {
    let cell = this.#emptyCells[column]
    if (cell === undefined) {
      const fault = this.#columns[column].check('')
      if (fault === null) return
      cell = this.#emptyCells[column] = { column, fault, value: '', memo: null }
    }
    this.#keepBadCell(cell)
  }

  /** Checks the cell that was read last. `mayReject`: `accept` was called last for it, and knows its end. */
  #checkKnown(bytes: Uint8Array, at: number, stop: number, column: number, mayReject: boolean): void {
    const known = this.#searched(column, stop - at, mayReject)
    const slot = known === null ? NOT_FOUND : known.find(bytes, column, at, stop)
    if (slot !== NOT_FOUND) {
      const found = known!.cell(slot)
      found.readAgain()
      this.#keepBadCell(found)
      return
    }
    const check = this.#columns[column]
    const fault = (mayReject && check.reject(bytes, at, stop)) || check.check(this.#reader.value)
    if (fault === null) return
    const cell = new CsvBadCell(column, fault, stop - at, this.#reader)
    if (known !== null) known.keepIfSeen(cell, at)
    this.#keepBadCell(cell)
  }

  /** The known cells, if one is to be searched among them; null if that is not worth its time. */
  #searched(column: number, size: number, mayReject: boolean): KnownBadCells | null {
    // Rejecting and diagnosing a number out of bounds is faster than searching it.
    if (!this.#sink.keepsMemos || (mayReject && this.#isNumber[column])) return null
    const known = (this.#known ??= new KnownBadCells(this.#columns.length))
    return known.isSearched(column, size) ? known : null
  }

  /** Cells beyond the header: blank ones are ignored, the first other one is a fault. */
  #extraCells(bytes: Uint8Array, delimiterAt: number, end: number, isLast: boolean): number {
    let stop = delimiterAt
    let isReported = false
    for (let column = this.#columns.length; bytes[stop] === this.#dialect.delimiter && stop < end; column++) {
      if (column >= this.#limits.maxColumns) throw new Bailout()
      const from = stop + 1
      stop = this.#reader.read(from, end, isLast)
      if (stop === CUT) return CUT
      if (isReported || this.#reader.value.trim() === '') continue
      this.#keepBadCell(new CsvBadCell(column, this.#extraCell, stop - from, this.#reader))
      isReported = true
    }
    return stop
  }

  /** Ends a whole record: reports its faults, unless it is blank. It has `count` of the header's cells. */
  #endRecord(bytes: Uint8Array, start: number, stop: number, count: number): void {
    const rowNumber = this.#rowNumber++
    if (stop - start > this.#limits.maxCellLength) this.#checkCellLengths(bytes, start, stop)
    if (this.#blankBytes[bytes[start]] === 1 && this.#isBlank(bytes, start, stop)) {
      this.#badCells = null
      return
    }
    if (count < this.#columns.length) this.#keepBadCell(this.#missingCell(count))
    if (this.#rules !== null) this.#askRules(this.#rules, rowNumber, start, stop)
    else if (this.#badCells !== null) this.#endBadRecord(rowNumber, start, stop, this.#badCells)
    this.#sink.records(rowNumber, 1)
  }

  /** Reported at once, because the sentences of rules are made from the cells of this record. */
  #askRules(rules: RowRules, rowNumber: number, start: number, stop: number): void {
    const reader = this.#keyReader
    for (const cell of rules.read) {
      if (cell.to >= 0) continue
      reader.read(cell.from, stop, true)
      cell.seeText(reader.value)
    }
    const cells = rules.ask(rowNumber, this.#badCells ?? NO_CELLS)
    this.#badCells = null
    if (cells.length === 0 && rules.unmet.length === 0) return
    this.#recordStart = start
    this.#recordStop = stop
    this.#sink.badCells(rowNumber, cells, this, rules.unmet)
  }

  #endBadRecord(rowNumber: number, start: number, stop: number, badCells: readonly BadCell[]): void {
    this.#badCells = null
    const index = this.#waitingCount++
    this.#waitingCells[index] = badCells
    this.#waitingPlaces[3 * index] = rowNumber
    this.#waitingPlaces[3 * index + 1] = start
    this.#waitingPlaces[3 * index + 2] = stop
    if (this.#waitingCount === MAX_WAITING) this.#reportWaiting()
  }

  /** Must be called before the bytes are moved, because the waiting cells refer to them. */
  #reportWaiting(): void {
    const count = this.#waitingCount
    this.#waitingCount = 0
    for (let index = 0; index < count; index++) {
      this.#recordStart = this.#waitingPlaces[3 * index + 1]
      this.#recordStop = this.#waitingPlaces[3 * index + 2]
      this.#sink.badCells(this.#waitingPlaces[3 * index], this.#waitingCells[index], this, NO_TESTS)
    }
  }

  /** Makes a new array for each record with faults: setting the length of an old one is slower in V8. */
  #keepBadCell(cell: BadCell): void {
    if (this.#badCells === null) this.#badCells = [cell]
    else this.#badCells.push(cell)
  }

  /** `count` is that of the record's cells. */
  #missingCell(count: number): BadCell {
    const column = Math.max(count, this.#firstColumn)
    const { expected } = this.#columns[column]
    const fault: CellFault = { code: 'missingCell', error: cellErrors.missingCell, expected }
    return { column, fault, value: '', memo: null }
  }

  /** Looks at the bytes first: only a record of nothing but quotes, delimiters and white space is read. */
  #isBlank(bytes: Uint8Array, start: number, stop: number): boolean {
    for (let at = start; at < stop; at++) if (this.#blankBytes[bytes[at]] === 0) return false
    return this.#everyCell(bytes, start, stop, (text) => text.trim() === '')
  }

  /** A record shorter than the longest cell has no cell that is too long. */
  #checkCellLengths(bytes: Uint8Array, start: number, stop: number): void {
    const mostBytes = maxCellBytes(this.#limits)
    const isWithin = (text: string, size: number) =>
      text.length <= this.#limits.maxCellLength && size <= mostBytes
    if (!this.#everyCell(bytes, start, stop, isWithin)) throw new Bailout()
  }

  /** Whether something holds for every cell of a record, given its text and the bytes that it takes. */
  #everyCell(
    bytes: Uint8Array,
    start: number,
    stop: number,
    holds: (text: string, size: number) => boolean,
  ): boolean {
    for (let from = start; ;) {
      const at = this.#reader.read(from, stop, true)
      if (!holds(this.#reader.value, at - from)) return false
      if (at >= stop) return true
      from = at + 1
    }
  }
}

/** 1 for each byte that a blank record may hold: delimiters, quotes, white space, bytes of wide spaces. */
function blankBytes({ delimiter }: CsvDialect): Uint8Array {
  const blank = new Uint8Array(256)
  blank.fill(1, 0, 0x21)
  blank.fill(1, 0x80, 0xc0)
  for (const byte of [delimiter, QUOTE, 0xc2, 0xe1, 0xe2, 0xe3, 0xef]) blank[byte] = 1
  return blank
}
