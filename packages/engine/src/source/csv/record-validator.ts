import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import { type ColumnCheck, firstColumnOf, keyColumnsOf, widthOf } from '#compile/column-check.ts'
import {
  type ColumnKernel,
  LISTED_WORDS,
  MOST_NUMBERS,
  NO_CLASS,
  WHOLE_RECORD,
} from '#fast-path/column-kernel.ts'
import { NOT_SURE } from '#fast-path/fast-path.ts'
import * as byteNames from '#formats/byte-names.ts'
import { Bailout, CellReader, CUT, startOfNextRecord } from '#formats/csv/cell-reader.ts'
import { type CsvDialect, endsRecord, maxCellBytes } from '#formats/csv/csv-dialect.ts'
import { SENTINEL_BYTES } from '#formats/terminators.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { PlacedCell } from '#source/placed-cell.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { RuleCell } from '#row-rules/rule-cell.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import type { ChunkReader } from '#source/csv/read-chunks.ts'
import type { BadCell, FaultSink, FilteredRange, RowView } from '#source/table-source.ts'

const { CARRIAGE_RETURN, LINE_FEED, QUOTE } = byteNames

const NO_TESTS: readonly UnmetTest[] = []

/**
 * Validates the records of a CSV text without making them. The kernel passes the surely valid cells of a
 * chunk, column by column, so that only doubtful cells and records come here: some ten cells in a million of
 * clean data. A doubtful cell is read as text for the column's `check`, unless one with the same bytes was,
 * or one of its class. Where the kernel knows nothing, the column's `accept` works straight on the bytes.
 *
 * A record that the end of the bytes cuts is validated again with the rest: only the row number is kept
 * between chunks. TRAP: a CR as the last byte looks like the end of a record, and so does the sentinel. Only
 * what ends *before* the data does is whole, unless nothing follows.
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
  #bytes: Uint8Array = new Uint8Array(0)
  /** The start and end of the record whose faults are being reported. */
  #recordStart = 0
  #recordStop = 0
  #rowNumber: number
  /** The bad cells of the record, until it is known to be whole and not blank; then of earlier ones. */
  readonly #badCells: BadCell[] = []
  #badCellCount = 0
  /** By column, then by class. */
  readonly #classes: (PlacedCell | undefined)[][]
  /** Doubtful cells by the number of their value: the bad cell, or null where it is valid. */
  #values: (PlacedCell | null | undefined)[] | undefined
  /** Not made where it is used: V8 would make a context for each cell. */
  readonly #textOf = (at: number, end: number): string => {
    this.#reader.read(at, end, true)
    return this.#reader.value
  }
  readonly #rules: RowRules | null
  readonly kernel: ColumnKernel | null

  /** `rowNumber` is that of the first record; `columns` are those of `rules`, if any, and of the kernel. */
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
    this.#keyColumns = keyColumnsOf(columns)
    this.#firstColumn = firstColumnOf(columns)
    this.#blankBytes = blankBytes(dialect)
    this.#classes = columns.map(() => [])
    this.#extraCell = {
      code: 'extraCell',
      error: cellErrors.extraCell(widthOf(columns)),
      expected: cellExpectations.noCell,
    }
  }

  run(bytes: Uint8Array, end: number, isLast: boolean): number {
    this.#use(bytes)
    // Not of a chunk that has grown beyond the memory of the kernel.
    const kernel = bytes === this.kernel?.bytes ? this.kernel : null
    // Found once: where records end with CR alone, a search after each record takes 100 times as long.
    const lastLineFeed = bytes.lastIndexOf(LINE_FEED, end - 1)
    let position = 0
    while (position < end) {
      if (kernel !== null) position = this.#pass(kernel, position, end, isLast)
      if (position === end) break
      // Half a record is not worth reading: once a chunk, in code that is still slow, it takes 40 µs.
      const mayBeCut = kernel !== null && !isLast && position > lastLineFeed
      if (mayBeCut && !bytes.subarray(position, end).includes(CARRIAGE_RETURN)) break
      const next = this.#next(bytes, position, end, isLast)
      if (next === CUT) break
      position = next
    }
    return position
  }

  /** Validates what another thread has left of a range: the records between are surely valid. */
  runFiltered({ bytes, places, rowCount }: FilteredRange): void {
    this.#use(bytes)
    const next = this.#checkListed(bytes, places, bytes.length - SENTINEL_BYTES, true)
    this.#countRecords(rowCount - next)
  }

  #use(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#reader.use(bytes)
  }

  /** The reference of the kernel: validates any record. */
  #next(bytes: Uint8Array, at: number, end: number, isLast: boolean): number {
    if (!endsRecord(bytes[at])) return this.#record(bytes, at, end, isLast)
    const next = startOfNextRecord(bytes, at, end, isLast)
    if (next !== CUT) this.#rowNumber++
    return next
  }

  /** Validates the records from `position` on whose structure the kernel knows. Returns where they end. */
  #pass(kernel: ColumnKernel, position: number, end: number, isLast: boolean): number {
    const records = kernel.check(position, end)
    const next = this.#checkListed(kernel.bytes, kernel.doubtful, end, isLast)
    this.#passRecords(kernel, next, records)
    return kernel.startOf(records)
  }

  /** Validates doubtful records, and passes those before each. Returns the number of the next one. */
  #checkListed(bytes: Uint8Array, listed: Uint32Array, end: number, isLast: boolean): number {
    const kernel = this.kernel!
    const rules = this.#rules
    const isFiltered = bytes !== kernel.bytes
    let next = 0
    for (let index = 0; index < listed.length;) {
      const record = listed[index]
      const start = listed[index + 1]
      const stop = listed[index + 2]
      const count = listed[index + 3]
      const isWhole = count === WHOLE_RECORD
      const first = index + LISTED_WORDS
      index = isWhole ? first : first + LISTED_WORDS * count
      if (rules === null && !isWhole) {
        this.#checkCells(bytes, listed, first, index)
        if (this.#isCounted(this.#rowNumber + record - next, bytes[start])) continue
      }
      this.#passRecords(kernel, next, record)
      next = record + 1
      if (isWhole || (isFiltered && rules !== null)) {
        this.#next(bytes, start, end, isLast)
        continue
      }
      if (rules !== null) {
        this.#showCells(rules.read, kernel, record)
        this.#checkCells(bytes, listed, first, index)
      }
      const isReturn = bytes[stop - 2] === CARRIAGE_RETURN
      this.#endRecord(bytes, start, isReturn ? stop - 2 : stop - 1, this.#columns.length)
    }
    return next
  }

  /** Whether a record needs no report: it is valid, or its bad cells are like many others. */
  #isCounted(rowNumber: number, firstByte: number): boolean {
    if (this.#blankBytes[firstByte] === 1) return false
    if (this.#badCellCount > 0 && this.#sink.count?.(rowNumber, this.#foundCells()) !== true) return false
    this.#badCellCount = 0
    return true
  }

  #countRecords(count: number): void {
    if (count > 0) this.#sink.records(this.#rowNumber, count)
    this.#rowNumber += count
  }

  /** The records `[from, to)` of the chunk have no doubtful cell, and rules find nothing but keys in them. */
  #passRecords(kernel: ColumnKernel, from: number, to: number): void {
    const rules = this.#rules
    if (rules === null || from === to) return this.#countRecords(to - from)
    for (const key of rules.keys.collecting) {
      if (key.columns !== null) key.collectRecords(kernel, from, to)
      else
        for (let record = from; record < to; record++) {
          this.#showCells(key.cells, kernel, record)
          key.collect()
        }
    }
    if (!rules.keys.lookAtRows) return this.#countRecords(to - from)
    rules.keys.areCollected = true
    for (let record = from; record < to; record++) {
      this.#showCells(rules.read, kernel, record)
      this.#recordStart = kernel.startOf(record)
      this.#recordStop = kernel.endOf(record)
      const rowNumber = this.#rowNumber++
      this.#askRules(rules, rowNumber)
      this.#sink.records(rowNumber, 1)
    }
    rules.keys.areCollected = false
  }

  /** Shows the cells that rules read. Those with faults show themselves when they are checked. */
  #showCells(cells: readonly RuleCell[], kernel: ColumnKernel, record: number): void {
    const { bytes } = kernel
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]
      const at = kernel.startOfCell(record, cell.column)
      const end = kernel.endOfCell(record, cell.column)
      const isQuoted = bytes[at] === QUOTE
      cell.see(bytes, isQuoted ? at + 1 : at, isQuoted ? end - 1 : end)
      if (isQuoted && bytes.indexOf(QUOTE, at + 1) < end - 1) cell.keep(QUOTE)
    }
  }

  /** Checks doubtful cells of a regular record: those that `cells` lists in `[from, to)`. */
  #checkCells(bytes: Uint8Array, cells: Uint32Array, from: number, to: number): void {
    for (let index = from; index < to; index += LISTED_WORDS) {
      const column = cells[index]
      const at = cells[index + 1]
      const end = cells[index + 2]
      const ofClass = cells[index + 3]
      if (ofClass !== NO_CLASS) this.#checkClassed(column, ofClass, at, end)
      else if (this.#rules === null && this.#columns[column].describe !== undefined)
        this.#checkValue(column, at, end)
      // It must show itself to rules, or the kernel is never sure of its column.
      else if (this.#accepts[column](bytes, at) === NOT_SURE) this.#checkSlowly(bytes, at, end, true, column)
    }
  }

  #checkClassed(column: number, ofClass: number, at: number, end: number): void {
    const known = this.#classes[column]
    const like = known[ofClass]
    if (like !== undefined && like.memo !== null) {
      like.at = at
      like.end = end
      this.#keepBadCell(like)
      return
    }
    const cell = this.#checkValue(column, at, end)
    if (cell !== null) cell.like = known[ofClass] ??= new PlacedCell(column, cell.fault, this.#textOf)
  }

  /** Checks the cell `[at, end)`, quotes and padding included. Returns null where it is valid. */
  #checkValue(column: number, at: number, end: number): PlacedCell | null {
    const found = this.kernel === null ? 0 : this.kernel.findValue(this.#bytes, column, at, end)
    // Made here, because 32 kB are much for a file without a bad cell.
    const values = (this.#values ??= Array<PlacedCell | null | undefined>(MOST_NUMBERS + 1).fill(undefined))
    let cell = (found & 1) === 0 ? values[found >> 1] : undefined
    if (cell === undefined) {
      const value = this.#textOf(at, end)
      const fault = this.#columns[column].check(value)
      cell = fault && this.#badCell(column, fault, value)
      if (found > 0) values[found >> 1] = cell
    }
    if (cell !== null) this.#keepBadCell(cell)
    return cell
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
    const texts = this.#keyColumns.map(() => '')
    let next = 0
    this.#everyCell(this.#recordStart, this.#recordStop, (text, column) => {
      if (column === this.#keyColumns[next]) texts[next++] = text
      return next < texts.length
    })
    return texts
  }

  /** Whether the record whose faults are being reported has other cells that are not blank. */
  hasContentBeside(badCells: readonly Pick<BadCell, 'column' | 'value'>[]): boolean {
    let next = 0
    return !this.#everyCell(this.#recordStart, this.#recordStop, (text, column) => {
      if (badCells[next]?.column !== column) return text.trim() === ''
      next++
      return true
    })
  }

  /** Whether the record whose faults are being reported has more cells than there are columns. */
  isTooLong(): boolean {
    const width = this.#columns.length
    return !this.#everyCell(this.#recordStart, this.#recordStop, (_, column) => column < width)
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
      if (stop === NOT_SURE && (stop = this.#checkSlowly(bytes, at, end, isLast, column)) === CUT)
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
    this.#badCellCount = 0
    return CUT
  }

  /** Reads and checks a cell that was not accepted. The inside of a quoted cell has its own fast path. */
  #checkSlowly(bytes: Uint8Array, at: number, end: number, isLast: boolean, column: number): number {
    const check = this.#columns[column]
    if (bytes[at] === QUOTE) {
      const close = check.acceptQuoted(bytes, at + 1)
      const next = close + 1
      const isWhole = close >= 0 && (next < end || (next === end && isLast))
      if (isWhole && (bytes[next] === this.#dialect.delimiter || endsRecord(bytes[next]))) return next
    }
    const stop = this.#reader.read(at, end, isLast)
    if (stop === CUT) return CUT
    this.#checkValue(column, at, stop)
    return stop
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
      this.#keepBadCell(this.#badCell(column, this.#extraCell, this.#reader.value))
      isReported = true
    }
    return stop
  }

  /** Ends a whole record: reports its faults, unless it is blank. It has `count` of the header's cells. */
  #endRecord(bytes: Uint8Array, start: number, stop: number, count: number): void {
    const rowNumber = this.#rowNumber++
    if (stop - start > this.#limits.maxCellLength) this.#checkCellLengths(start, stop)
    if (this.#blankBytes[bytes[start]] === 1 && this.#isBlank(start, stop)) {
      this.#badCellCount = 0
      return
    }
    if (count < this.#columns.length) this.#keepBadCell(this.#missingCell(count))
    this.#recordStart = start
    this.#recordStop = stop
    if (this.#rules !== null) this.#askRules(this.#rules, rowNumber)
    else if (this.#badCellCount > 0) this.#sink.badCells(rowNumber, this.#foundCells(), this, NO_TESTS)
    this.#badCellCount = 0
    this.#sink.records(rowNumber, 1)
  }

  #askRules(rules: RowRules, rowNumber: number): void {
    const reader = this.#reader
    for (const cell of rules.read) {
      if (cell.to >= 0) continue
      reader.read(cell.from, this.#recordStop, true)
      cell.seeText(reader.value)
    }
    const cells = rules.ask(rowNumber, this.#foundCells())
    if (cells.length > 0 || rules.unmet.length > 0) this.#sink.badCells(rowNumber, cells, this, rules.unmet)
  }

  #keepBadCell(cell: PlacedCell): void {
    this.#badCells[this.#badCellCount++] = cell
  }

  /** The bad cells of the record. In V8 setting the length of an array is slower, and so is a new one. */
  #foundCells(): readonly BadCell[] {
    while (this.#badCells.length > this.#badCellCount) this.#badCells.pop()
    return this.#badCells
  }

  /** `count` is that of the record's cells. */
  #missingCell(count: number): PlacedCell {
    const column = Math.max(count, this.#firstColumn)
    const { expected } = this.#columns[column]
    const fault: CellFault = { code: 'missingCell', error: cellErrors.missingCell, expected }
    return this.#badCell(column, fault, '')
  }

  #badCell(column: number, fault: CellFault, value: string): PlacedCell {
    return new PlacedCell(column, fault, this.#textOf, 0, value)
  }

  /** Looks at the bytes first: only a record of nothing but quotes, delimiters and white space is read. */
  #isBlank(start: number, stop: number): boolean {
    for (let at = start; at < stop; at++) if (this.#blankBytes[this.#bytes[at]] === 0) return false
    return this.#everyCell(start, stop, (text) => text.trim() === '')
  }

  /** A record shorter than the longest cell has no cell that is too long. */
  #checkCellLengths(start: number, stop: number): void {
    const mostBytes = maxCellBytes(this.#limits)
    const isWithin = (text: string, _: number, size: number) =>
      text.length <= this.#limits.maxCellLength && size <= mostBytes
    if (!this.#everyCell(start, stop, isWithin)) throw new Bailout()
  }

  /** Whether something holds for every cell of a record, given its text, its column and its bytes. */
  #everyCell(
    start: number,
    stop: number,
    holds: (text: string, column: number, size: number) => boolean,
  ): boolean {
    const reader = this.#reader
    reader.use(this.#bytes)
    for (let from = start, column = 0; from <= stop; column++) {
      const at = reader.read(from, stop, true)
      if (!holds(reader.value, column, at - from)) return false
      from = at + 1
    }
    return true
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
