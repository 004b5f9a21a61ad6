import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ColumnCheck } from '#compile/column-check.ts'
import { NOT_SURE } from '#fast-path/fast-path.ts'
import { firstColumnOf, widthOf } from '#compile/compile-columns.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { type CsvDialect, endsRecord, maxCellBytes } from '#formats/csv/csv-dialect.ts'
import { CellReader, CUT, Bailout } from '#source/csv/cell-reader.ts'
import type { FaultSink, CellView } from '#source/table-source.ts'
import { CARRIAGE_RETURN, LINE_FEED, QUOTE } from '#formats/byte-names.ts'

/**
 * Judges the records of a CSV text without making them: for each cell the column's `accept` finds its end and
 * vouches for it, straight from the bytes. Of what it will not vouch for `reject` may say what is wrong; the
 * rest is read as text and asked of the column's `check`. On clean data some ten cells in a million take that
 * way.
 *
 * A record cut by the end of the bytes at hand is judged again once the rest is there: no state crosses
 * chunks but the number of the row. TRAP: a CR as the last byte looks like the end of a record, and so does
 * the sentinel behind the data; only what ends *before* the data does is whole, unless nothing follows.
 */
export class RecordValidator {
  readonly #columns: readonly ColumnCheck[]
  readonly #accepts: readonly ColumnCheck['accept'][]
  readonly #dialect: CsvDialect
  readonly #limits: Pick<FileGuards, 'maxCellLength' | 'maxColumns'>
  readonly #sink: FaultSink
  readonly #reader: CellReader
  readonly #blankBytes: Uint8Array
  readonly #extraCell: CellFault
  /** Where the table begins; a row that ends before has its first missing cell there. */
  readonly #firstColumn: number
  #rowNumber: number
  /**
   * Faults of the record being judged, null while there are none: kept until it is known to be whole and not
   * blank.
   */
  #faults: Finding[] | null = null

  /** `rowNumber` is that of the first record to be judged. */
  constructor(parts: {
    columns: readonly ColumnCheck[]
    dialect: CsvDialect
    limits: Pick<FileGuards, 'maxCellLength' | 'maxColumns'>
    platform: Pick<Platform, 'decodeUtf8'>
    sink: FaultSink
    rowNumber: number
  }) {
    const { columns, dialect } = parts
    this.#columns = columns
    this.#accepts = columns.map((column) => column.accept)
    this.#dialect = dialect
    this.#limits = parts.limits
    this.#sink = parts.sink
    this.#rowNumber = parts.rowNumber
    this.#reader = new CellReader(dialect, parts.platform)
    this.#firstColumn = firstColumnOf(columns)
    this.#blankBytes = blankBytes(dialect)
    this.#extraCell = {
      code: 'extraCell',
      error: cellErrors.extraCell(widthOf(columns)),
      expected: cellExpectations.noCell,
    }
  }

  /**
   * Judges the whole records of `[0, end)`, behind which sentinels stand, and answers where the first one
   * begins that is not whole. `isLast`: nothing follows `end`, so every record is whole. Throws `Bailout`.
   */
  run(bytes: Uint8Array, end: number, isLast: boolean): number {
    this.#reader.bytes = bytes
    let position = 0
    while (position < end) {
      const next = endsRecord(bytes[position])
        ? this.#blankLine(bytes, position, end, isLast)
        : this.#record(bytes, position, end, isLast)
      if (next === CUT) return position
      position = next
    }
    return position
  }

  /** Of the next record. */
  get rowNumber(): number {
    return this.#rowNumber
  }

  /**
   * Whether the cell that is open at `end` is already longer than any may be; `[0, end)` must begin with its
   * record.
   */
  isOpenCellTooLong(bytes: Uint8Array, end: number): boolean {
    this.#reader.bytes = bytes
    for (let at = 0; ;) {
      const stop = this.#reader.read(at, end, false)
      if (stop === CUT) return end - at > maxCellBytes(this.#limits)
      at = stop + 1
    }
  }

  #blankLine(bytes: Uint8Array, at: number, end: number, isLast: boolean): number {
    const next = behindRecord(bytes, at, end, isLast)
    if (next !== CUT) this.#rowNumber++
    return next
  }

  /** Answers where the next record begins, or CUT. */
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
    const next = behindRecord(bytes, stop, end, isLast)
    if (next === CUT) return this.#cut()
    this.#settle(bytes, start, stop, column)
    return next
  }

  #cut(): typeof CUT {
    this.#faults = null
    return CUT
  }

  /**
   * The cell was not accepted. The inside of a quoted one has a fast path of its own; all else is accused, or
   * read and asked.
   */
  #checkSlowly(
    bytes: Uint8Array,
    at: number,
    end: number,
    isLast: boolean,
    column: number,
    answer: number,
  ): number {
    const check = this.#columns[column]
    if (bytes[at] === QUOTE) {
      const close = check.acceptQuoted(bytes, at + 1)
      const behind = close + 1
      const isWhole = close >= 0 && (behind < end || (behind === end && isLast))
      if (isWhole && (bytes[behind] === this.#dialect.delimiter || endsRecord(bytes[behind]))) return behind
    }
    const hasEnd = answer !== NOT_SURE && ~answer < end
    const stop = hasEnd ? this.#reader.readUpTo(at, ~answer) : this.#reader.read(at, end, isLast)
    if (stop === CUT) return CUT
    const fault = (hasEnd && check.reject(bytes, at, stop)) || check.check(this.#reader.value)
    if (fault !== null) this.#keepFault(column, fault)
    return stop
  }

  /** Cells beyond the header: blank ones are ignored, the first other one is a fault. */
  #extraCells(bytes: Uint8Array, delimiterAt: number, end: number, isLast: boolean): number {
    let stop = delimiterAt
    let isReported = false
    for (let column = this.#columns.length; bytes[stop] === this.#dialect.delimiter && stop < end; column++) {
      if (column >= this.#limits.maxColumns) throw new Bailout()
      stop = this.#reader.read(stop + 1, end, isLast)
      if (stop === CUT) return CUT
      if (isReported || this.#reader.value.trim() === '') continue
      this.#keepFault(column, this.#extraCell)
      isReported = true
    }
    return stop
  }

  /** The record is whole: tells its faults, unless it is blank. `count` cells of the header's were found. */
  #settle(bytes: Uint8Array, start: number, stop: number, count: number): void {
    const rowNumber = this.#rowNumber++
    if (stop - start > this.#limits.maxCellLength) this.#checkCellLengths(bytes, start, stop)
    if (this.#blankBytes[bytes[start]] === 1 && this.#isBlank(bytes, start, stop)) {
      this.#faults = null
      return
    }
    if (this.#faults !== null) this.#reportFaults(rowNumber, this.#faults)
    if (count < this.#columns.length) {
      const column = Math.max(count, this.#firstColumn)
      const { expected } = this.#columns[column]
      this.#sink.fault(
        rowNumber,
        column,
        { code: 'missingCell', error: cellErrors.missingCell, expected },
        NO_CELL,
      )
    }
    this.#sink.record(rowNumber)
  }

  /**
   * A new array for each record with faults: setting a length leaves the compiled code, and so does adding to
   * an array that was made empty.
   */
  #keepFault(column: number, fault: CellFault): void {
    const { from, to, hasEscapedQuotes } = this.#reader
    const finding = { column, fault, from, to, hasEscapedQuotes }
    if (this.#faults === null) this.#faults = [finding]
    else this.#faults.push(finding)
  }

  #reportFaults(rowNumber: number, faults: readonly Finding[]): void {
    const reader = this.#reader
    for (const { column, fault, from, to, hasEscapedQuotes } of faults) {
      reader.from = from
      reader.to = to
      reader.hasEscapedQuotes = hasEscapedQuotes
      this.#sink.fault(rowNumber, column, fault, reader)
    }
    this.#faults = null
  }

  /**
   * A look at the bytes clears nearly every record; only one made of quotes, delimiters and white space alone
   * is read.
   */
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

/** A bad cell, and where its text lies. */
type Finding = Readonly<{
  column: number
  fault: CellFault
  from: number
  to: number
  hasEscapedQuotes: boolean
}>

const NO_CELL: CellView = { value: '' }

/** Where the next record begins, given what ends this one: CR, LF, CRLF, or the end of the text. */
function behindRecord(bytes: Uint8Array, stop: number, end: number, isLast: boolean): number {
  const next = stop + 1
  if (bytes[stop] !== CARRIAGE_RETURN) return next
  if (next >= end) return isLast ? next : CUT
  return bytes[next] === LINE_FEED ? next + 1 : next
}

/**
 * 1 for every byte that a blank record may hold: delimiters, quotes, white space and the bytes of wide
 * spaces.
 */
function blankBytes({ delimiter }: CsvDialect): Uint8Array {
  const blank = new Uint8Array(256)
  blank.fill(1, 0, 0x21)
  blank.fill(1, 0x80, 0xc0)
  for (const byte of [delimiter, QUOTE, 0xc2, 0xe1, 0xe2, 0xe3, 0xef]) blank[byte] = 1
  return blank
}
