import { CARRIAGE_RETURN, LINE_FEED, QUOTE } from '#formats/byte-names.ts'
import type { CellReader } from '#formats/csv/cell-reader.ts'
import { type CsvDialect, endsRecord } from '#formats/csv/csv-dialect.ts'
import { openText } from '#formats/csv/open-text.ts'
import { type RecordVisitor, RecordWalker } from '#formats/csv/record-walker.ts'
import type { TextBytes, TextEncoding } from '#formats/csv/text-bytes.ts'
import { utf16Bytes } from '#formats/encoding.ts'
import { sourceBytes } from '#formats/source-bytes.ts'
import { joined } from '#formats/bytes.ts'
import type { CorrectedRow, Correction, CorrectionTally } from '#output/corrections.ts'
import { NO_ROWS, type Rows } from '#output/row-feed.ts'
import type { TableRequest } from '#source/open-table.ts'
import type { Platform } from '#platform.ts'
import { cellsInCopy, isHeadingRow, type TableView } from '#source/table-view.ts'

type Request = Pick<TableRequest, 'source' | 'platform' | 'limits'>

/**
 * A copy in which only the corrected cells differ: encoding, delimiter, quotes, line ends and padding stay,
 * byte for byte. A row that ends before a corrected cell gets `width` cells.
 */
export const correctCsv = (
  dialect: CsvDialect,
  width: number,
  rows: Rows<CorrectedRow>,
  tally: Tally,
  request: Request,
): AsyncGenerator<Uint8Array> => copyCsv({ dialect, width, rows, tally, view: null }, request)

/** A copy of a CSV file with another structure. What else `correctCsv` keeps, it keeps as well. */
export const restructureCsv = (
  view: TableView,
  dialect: CsvDialect,
  request: Request,
): AsyncGenerator<Uint8Array> => copyCsv({ dialect, width: 0, rows: NO_ROWS, tally: null, view }, request)

type Tally = Pick<CorrectionTally, 'apply'>

type Changes = {
  dialect: CsvDialect
  width: number
  rows: Rows<CorrectedRow>
  /** null where there are no corrections. */
  tally: Tally | null
  view: TableView | null
}

async function* copyCsv(changes: Changes, { source, platform, limits }: Request): AsyncGenerator<Uint8Array> {
  const { place, encoding, from } = await openText(source, platform)
  const start = new Uint8Array(FIRST_LINES)
  const lineEnd = lineEndIn(start.subarray(0, await (await from(0)).read(start)))
  const copier = new CsvCopier({ ...changes, lineEnd, text: await from(0), platform, limits })
  yield* sourceBytes(source, 0, place.start)
  for await (const bytes of copier.write()) yield inEncoding(bytes, encoding, platform)
  yield* sourceBytes(source, place.end, source.size)
}

/** Bytes in which the first line ends, unless its cells are unusually long. */
const FIRST_LINES = 64 * 1024

function lineEndIn(bytes: Uint8Array): string {
  const at = bytes.findIndex(endsRecord)
  if (at < 0 || bytes[at] === LINE_FEED) return '\n'
  return bytes[at + 1] === LINE_FEED ? '\r\n' : '\r'
}

class CsvCopier implements RecordVisitor {
  private readonly walker: RecordWalker
  private readonly platform: Platform
  private readonly delimiter: string
  private readonly lineEnd: string
  private readonly changes: Changes
  private next: CorrectedRow | null = null
  /** Corrections of the open row, from `nextCorrection` on those whose cells have not been reached. */
  private open: readonly Correction[] = []
  private nextCorrection = 0
  /** The cells of the open row as they will be; null for a row that is copied as it is. */
  private cells: Uint8Array[] | null = null
  /** Where the last cell of the open row ends. */
  private cellEnd = 0
  /** Up to where the walker's bytes were copied. */
  private copied = 0
  private pieces: Uint8Array[] = []

  constructor(
    parts: Changes & { text: TextBytes; lineEnd: string; platform: Platform; limits: Request['limits'] },
  ) {
    this.walker = new RecordWalker({ ...parts, visitor: this })
    this.platform = parts.platform
    this.delimiter = String.fromCharCode(parts.dialect.delimiter)
    this.lineEnd = parts.lineEnd
    this.changes = parts
  }

  /** The text as UTF-8, in chunks that end after whole characters. */
  async *write(): AsyncGenerator<Uint8Array> {
    const { walker } = this
    const { rows, view } = this.changes
    this.next = await rows.peek()
    for (;;) {
      const isRecord = walker.walkRecord()
      if (isRecord && this.next?.rowNumber === walker.rowNumber) {
        rows.take()
        this.next = await rows.peek()
      }
      const isDropped = isRecord && view?.droppedRows.has(walker.rowNumber) === true
      if (isRecord && !isDropped) continue
      if (isDropped) this.copied = walker.at
      else this.copyUpTo(walker.at)
      yield joined(this.pieces)
      this.pieces = []
      this.cells = isDropped ? null : this.cells
      if (isDropped) {
        // The line feed of its line end may not be read yet.
        await walker.isAtEnd()
        this.copied = walker.at
      } else if (walker.isLast) return
      else {
        await walker.read()
        this.copied = 0
      }
    }
  }

  startRecord(rowNumber: number): void {
    this.open = this.next?.rowNumber === rowNumber ? this.next.cells : []
    this.nextCorrection = 0
    const { view } = this.changes
    if (this.open.length === 0 && !(view !== null && isTouched(view, rowNumber))) return
    this.copyUpTo(this.walker.at)
    this.cells = []
    if (view !== null && view.heading.isNew && rowNumber === view.heading.row) {
      const { texts } = view.heading
      const names = Array.from({ length: Math.max(...texts.keys()) + 1 }, (_, column) =>
        spelledCell(texts.get(column) ?? '', this.delimiter),
      )
      this.push(names.join(this.delimiter) + this.lineEnd)
    }
  }

  cell(bytes: Uint8Array, start: number, end: number, cell: CellReader): void {
    if (this.cells === null) return
    const column = this.cells.length
    this.cellEnd = end
    const correction = this.open[this.nextCorrection]
    if (correction?.column !== column) {
      this.cells.push(bytes.slice(start, end))
      return
    }
    this.nextCorrection++
    this.cells.push(this.corrected(bytes, start, end, cell, correction))
  }

  private corrected(
    bytes: Uint8Array,
    start: number,
    end: number,
    cell: CellReader,
    correction: Correction,
  ): Uint8Array {
    if (!this.changes.tally!.apply(this.walker.rowNumber, correction)) return bytes.slice(start, end)
    const { encodeUtf8 } = this.platform
    if (!cell.isQuoted) return encodeUtf8(spelledCell(correction.value, this.delimiter))
    // Quotes and the padding around them stay.
    const text = encodeUtf8(correction.value.replaceAll('"', '""'))
    return joined([bytes.slice(start, cell.from), text, bytes.slice(cell.to, end)])
  }

  endRecord(): void {
    const { rowNumber } = this.walker
    const { view, width, tally } = this.changes
    if (this.cells === null || view?.droppedRows.has(rowNumber) === true) return
    // A row that ends early has one bad cell after its last one, for all cells that it lacks.
    if (this.nextCorrection < this.open.length) {
      while (this.cells.length < width) this.cells.push(EMPTY)
      tally!.apply(rowNumber, this.open[this.nextCorrection])
    }
    const joined = view?.joinedCells.get(rowNumber)
    if (joined !== undefined)
      this.cells.splice(joined.column, 2, this.platform.encodeUtf8(spelledCell(joined.text, this.delimiter)))
    const cells = view === null ? this.cells : cellsInCopy(view, rowNumber, this.cells, EMPTY)
    const { texts, delimiter: ofHeading } = view !== null && isHeadingRow(view, rowNumber) ? view.heading : {}
    const delimiter = ofHeading === undefined ? this.delimiter : String.fromCharCode(ofHeading)
    for (const [column, cell] of cells.entries()) {
      if (column > 0) this.push(delimiter)
      const isQuoted = cell.includes(QUOTE)
      // A cell without quotes may hold the new delimiter.
      const own = ofHeading !== undefined && !isQuoted && cell.includes(ofHeading) ? cell : null
      const text = texts?.get(column) ?? (own && this.platform.decodeUtf8(own, 0, own.length))
      if (text === null) this.pieces.push(cell)
      else this.push(spelledCell(text, delimiter, isQuoted))
    }
    this.cells = null
    this.copied = this.cellEnd
  }

  private push(text: string): void {
    this.pieces.push(this.platform.encodeUtf8(text))
  }

  private copyUpTo(position: number): void {
    if (position > this.copied && this.cells === null)
      this.pieces.push(this.walker.bytes.subarray(this.copied, position))
    this.copied = position
  }
}

const EMPTY = new Uint8Array()

const isTouched = (view: TableView, row: number): boolean =>
  view.columns !== null ||
  row === view.heading.row ||
  isHeadingRow(view, row) ||
  [view.droppedRows, view.rowColumns, view.joinedCells].some((rows) => rows.has(row))

/** A text as a cell has it, in quotes where it needs them. */
function spelledCell(text: string, delimiter: string, isQuoted = false): string {
  const special = [delimiter, ...[QUOTE, CARRIAGE_RETURN, LINE_FEED].map((byte) => String.fromCharCode(byte))]
  const needsQuotes = isQuoted || special.some((character) => text.includes(character))
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
}

function inEncoding(bytes: Uint8Array, encoding: TextEncoding, platform: Platform): Uint8Array {
  if (encoding === 'utf-8') return bytes
  return utf16Bytes(platform.decodeUtf8(bytes, 0, bytes.length), encoding === 'utf-16le')
}
