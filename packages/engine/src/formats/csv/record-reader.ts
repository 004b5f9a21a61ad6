import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/verdict'
import { CARRIAGE_RETURN, LINE_FEED, QUOTE } from '#formats/byte-names.ts'
import { grown } from '#formats/bytes.ts'
import {
  BYTES_PER_UNIT,
  type CsvDialect,
  endsRecord,
  isPadding,
  maxCellBytes,
} from '#formats/csv/csv-dialect.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'

/**
 * BE ADVISED: the grammar of CSV is here twice. This reader is the definition, a byte at a time, and finds
 * what is wrong with a file. `CellReader` finds the same cells some ten times as fast, for `RecordValidator`;
 * `csv.test.ts` compares the two at every size of chunk.
 *
 * Handle a new state in `#step` *and* in `end`; change the grammar of a cell also in `cell-reader.ts`.
 */

export type CsvRecord = {
  /** From 1, blank records counted: the row that a spreadsheet shows. */
  number: number
  /** Texts as they are in the file, quotes resolved. An empty line is one empty cell. */
  cells: string[]
  /** Bytes of the text up to and including the record's end; where that is CRLF, its CR. */
  end: number
}

/** Whether a record is one that is skipped. */
export const isBlankRecord = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

const State = {
  /** Before a record. */
  RecordStart: 0,
  /** Before a record, after a CR: an LF here belongs to that CR. */
  AfterReturn: 1,
  /** Before a cell, or after white space that is padding if a quote follows. */
  CellStart: 2,
  /** Inside a cell without quotes; a quote is an ordinary character here. */
  Unquoted: 3,
  /** After an opening quote: delimiters and line ends are text. */
  Quoted: 4,
  /** After a quote in a quoted cell: the closing one, or the first of two that mean one. */
  QuoteInQuoted: 5,
  /** After a closing quote: only padding may follow before the cell ends. */
  AfterQuoted: 6,
} as const
type State = (typeof State)[keyof typeof State]

/** Programs write it instead of a character that they could not read: the data is lost. */
const LOST_CHARACTER = '\uFFFD'

/**
 * RFC 4180 with these deviations: the delimiter is the dialect's; CR, LF and CRLF end records, also mixed;
 * spaces and tabs around a quoted cell are dropped; a quote inside an unquoted cell is an ordinary character;
 * the last record needs no end. Throws `FileProblemError` for text after a closing quote, an open quote, a
 * NUL and U+FFFD, with the line; for too long a cell, with its row; and for too many columns.
 */
export class RecordReader {
  readonly #dialect: CsvDialect
  readonly #platform: Pick<Platform, 'decodeUtf8'>
  readonly #limits: Pick<FileGuards, 'maxCellLength' | 'maxColumns'>
  readonly #take: (record: CsvRecord) => void
  #state: State = State.RecordStart
  #cells: string[] = []
  /** Bytes of the cell being read, in a buffer that grows. */
  #cell = new Uint8Array(256)
  #cellLength = 0
  /** Where the cell being read begins in the text. */
  #cellOffset = 0
  /** Whether the quoted cell being read is too long: then its bytes are dropped up to its closing quote. */
  #isCellTooLong = false
  #records = 0
  #offset = 0
  #line: number
  #quoteLine: number
  #previous = 0

  /** Calls `take` once per record, blank ones included. `firstLine`: the line on which the text begins. */
  constructor(
    dialect: CsvDialect,
    platform: Pick<Platform, 'decodeUtf8'>,
    limits: Pick<FileGuards, 'maxCellLength' | 'maxColumns'>,
    take: (record: CsvRecord) => void,
    firstLine: number = 1,
  ) {
    this.#line = firstLine
    this.#quoteLine = firstLine
    this.#dialect = dialect
    this.#platform = platform
    this.#limits = limits
    this.#take = take
  }

  /** Reads the first `count` of `bytes`; a chunk may end anywhere. */
  push(bytes: Uint8Array, count: number = bytes.length): void {
    for (let at = 0; at < count; at++) {
      const byte = bytes[at]
      this.#offset++
      if (byte === 0)
        throw new FileProblemError(ErrorType.Unreadable, fileProblemMessages.nulByte(this.#line))
      this.#step(byte)
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && this.#previous !== CARRIAGE_RETURN)) this.#line++
      this.#previous = byte
    }
  }

  /** The text has ended: a record without a line end is whole, a quote that is open is a problem. */
  end(): void {
    if (this.#state === State.RecordStart || this.#state === State.AfterReturn) return
    if (this.#state === State.Quoted)
      throw new FileProblemError(ErrorType.Unreadable, fileProblemMessages.unclosedQuote(this.#quoteLine))
    this.#endRecord(State.RecordStart, this.#offset)
  }

  #step(byte: number): void {
    switch (this.#state) {
      case State.Unquoted:
        return this.#isCellEnd(byte) ? this.#endCell(byte) : this.#append(byte)
      case State.Quoted:
        return byte === QUOTE ? this.#enter(State.QuoteInQuoted) : this.#append(byte)
      case State.QuoteInQuoted:
        return byte === QUOTE ? this.#appendQuote() : this.#afterQuoted(byte)
      case State.AfterQuoted:
        return this.#afterQuoted(byte)
      case State.AfterReturn:
        return byte === LINE_FEED ? this.#enter(State.RecordStart) : this.#cellStart(byte)
      case State.RecordStart:
      case State.CellStart:
        return this.#cellStart(byte)
    }
  }

  #enter(state: State): void {
    this.#state = state
  }

  #isCellEnd(byte: number): boolean {
    return byte === this.#dialect.delimiter || endsRecord(byte)
  }

  #cellStart(byte: number): void {
    if (this.#state !== State.CellStart) this.#cellOffset = this.#offset - 1
    this.#state = State.CellStart
    if (this.#isCellEnd(byte)) return this.#endCell(byte)
    if (byte === QUOTE) return this.#openQuote()
    if (!isPadding(byte, this.#dialect)) this.#state = State.Unquoted
    this.#append(byte)
  }

  /** Drops the white space read so far: it was padding. */
  #openQuote(): void {
    this.#cellLength = 0
    this.#quoteLine = this.#line
    this.#state = State.Quoted
  }

  #appendQuote(): void {
    this.#append(QUOTE)
    this.#state = State.Quoted
  }

  #afterQuoted(byte: number): void {
    this.#state = State.AfterQuoted
    if (isPadding(byte, this.#dialect)) return
    if (!this.#isCellEnd(byte)) throw this.#textAfterQuote()
    if (this.#isCellTooLong) throw this.#cellTooLong()
    this.#endCell(byte)
  }

  /** After lines of the cell, the quote probably opens another cell, and the one before was not closed. */
  #textAfterQuote(): FileProblemError {
    const [opened, closed] = [this.#quoteLine, this.#line]
    const { textAfterQuote, openQuote } = fileProblemMessages
    const message = opened === closed ? textAfterQuote(closed) : openQuote(opened, closed)
    return new FileProblemError(ErrorType.Unreadable, message)
  }

  #append(byte: number): void {
    if (this.#cellLength === this.#cell.length) this.#growCell()
    if (!this.#isCellTooLong) this.#cell[this.#cellLength++] = byte
  }

  /** A quoted cell that is too long may lack its closing quote, a better message: the text's end shows it. */
  #growCell(): void {
    this.#isCellTooLong = this.#cellLength > this.#limits.maxCellLength * BYTES_PER_UNIT
    if (this.#isCellTooLong && this.#state !== State.Quoted) throw this.#cellTooLong()
    if (!this.#isCellTooLong) this.#cell = grown(this.#cell, this.#cellLength)
  }

  #endCell(byte: number): void {
    const end = this.#offset - 1
    if (byte === this.#dialect.delimiter) {
      this.#takeCell(end)
      this.#cellOffset = this.#offset
      this.#state = State.CellStart
    } else this.#endRecord(byte === CARRIAGE_RETURN ? State.AfterReturn : State.RecordStart, end)
  }

  #endRecord(next: State, end: number): void {
    this.#takeCell(end)
    const cells = this.#cells
    this.#cells = []
    this.#state = next
    this.#take({ number: ++this.#records, cells, end: this.#offset })
  }

  /** `end` is where the cell ends in the text. */
  #takeCell(end: number): void {
    const text = this.#cellLength === 0 ? '' : this.#platform.decodeUtf8(this.#cell, 0, this.#cellLength)
    if (text.length > this.#limits.maxCellLength || end - this.#cellOffset > maxCellBytes(this.#limits))
      throw this.#cellTooLong()
    if (text.includes(LOST_CHARACTER))
      throw new FileProblemError(ErrorType.Unreadable, fileProblemMessages.lostCharacter(this.#line))
    if (this.#cells.push(text) > this.#limits.maxColumns) {
      throw new FileProblemError(
        ErrorType.BeyondLimit,
        fileProblemMessages.tooManyColumns(this.#limits.maxColumns),
      )
    }
    this.#cellLength = 0
  }

  #cellTooLong(): FileProblemError {
    const { cellTooLong, quoteMayBeOpen } = fileProblemMessages
    const message = cellTooLong(this.#records + 1, this.#limits.maxCellLength)
    return new FileProblemError(ErrorType.BeyondLimit, `${message} ${quoteMayBeOpen}`)
  }
}
