import { CARRIAGE_RETURN, LINE_FEED, QUOTE } from '#formats/byte-names.ts'
import type { CellReader } from '#formats/csv/cell-reader.ts'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import { openText } from '#formats/csv/open-text.ts'
import { type RecordVisitor, RecordWalker } from '#formats/csv/record-walker.ts'
import type { TextBytes, TextEncoding } from '#formats/csv/text-bytes.ts'
import { utf16Bytes } from '#formats/encoding.ts'
import { sourceBytes } from '#formats/source-bytes.ts'
import { joined } from '#formats/bytes.ts'
import {
  canBeWritten,
  type CorrectedRow,
  type CorrectedRows,
  type Correction,
  type CorrectionLog,
} from '#output/corrections.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import type { Platform } from '#platform.ts'

/**
 * A copy of a CSV file in which only the corrected cells differ, byte for byte: its encoding, delimiter,
 * quotes, line ends and padding stay. A row that ends before a corrected cell gets `width` cells.
 */
export async function* correctCsv(
  dialect: CsvDialect,
  width: number,
  rows: CorrectedRows,
  log: CorrectionLog,
  { source, platform, limits }: Pick<ErrorFileRequest, 'source' | 'platform' | 'limits'>,
): AsyncGenerator<Uint8Array> {
  const { place, encoding, from } = await openText(source, platform)
  const corrector = new CsvCorrector({ text: await from(0), dialect, width, platform, limits, rows, log })
  yield* sourceBytes(source, 0, place.start)
  for await (const bytes of corrector.write()) yield inEncoding(bytes, encoding, platform)
  yield* sourceBytes(source, place.end, source.size)
}

class CsvCorrector implements RecordVisitor {
  private readonly walker: RecordWalker
  private readonly platform: Platform
  private readonly dialect: CsvDialect
  private readonly width: number
  private readonly rows: CorrectedRows
  private readonly log: CorrectionLog
  /** The next row that has corrections. */
  private next: CorrectedRow | null = null
  /** Corrections of the open row, from `nextCorrection` on those whose cells have not been reached. */
  private open: readonly Correction[] = []
  private nextCorrection = 0
  private column = 0
  /** Where the last cell of the open row ends. */
  private cellEnd = 0
  /** Up to where the walker's bytes were copied. */
  private copied = 0
  private pieces: Uint8Array[] = []

  constructor(parts: {
    text: TextBytes
    dialect: CsvDialect
    width: number
    platform: Platform
    limits: ErrorFileRequest['limits']
    rows: CorrectedRows
    log: CorrectionLog
  }) {
    this.walker = new RecordWalker({ ...parts, visitor: this })
    this.platform = parts.platform
    this.dialect = parts.dialect
    this.width = parts.width
    this.rows = parts.rows
    this.log = parts.log
  }

  /** The text as UTF-8, in chunks that end after whole characters. */
  async *write(): AsyncGenerator<Uint8Array> {
    const { walker } = this
    this.next = await this.rows.peek()
    for (;;) {
      if (walker.walkRecord()) {
        if (this.next === null || this.next.rowNumber !== walker.rowNumber) continue
        this.rows.take()
        this.next = await this.rows.peek()
        continue
      }
      this.copyUpTo(walker.at)
      yield joined(this.pieces)
      this.pieces = []
      if (walker.isLast) return
      await walker.read()
      this.copied = 0
    }
  }

  startRecord(rowNumber: number): void {
    this.open = this.next !== null && this.next.rowNumber === rowNumber ? this.next.cells : []
    this.nextCorrection = 0
    this.column = 0
  }

  cell(_bytes: Uint8Array, start: number, end: number, cell: CellReader): void {
    const column = this.column++
    this.cellEnd = end
    if (this.nextCorrection === this.open.length || this.open[this.nextCorrection].column !== column) return
    const correction = this.open[this.nextCorrection++]
    const { rowNumber } = this.walker
    if (!canBeWritten(correction.value)) {
      this.log.skipped(rowNumber, correction)
      return
    }
    // Quotes and the padding around them stay.
    if (cell.isQuoted) this.replace(cell.from, cell.to, correction.value.replaceAll('"', '""'))
    else this.replace(start, end, spelledCell(correction.value, String.fromCharCode(this.dialect.delimiter)))
    this.log.corrected(rowNumber, correction)
  }

  endRecord(): void {
    if (this.nextCorrection === this.open.length) return
    // A row that ends early has one bad cell after its last one, for all cells that it lacks.
    const delimiter = String.fromCharCode(this.dialect.delimiter)
    this.replace(this.cellEnd, this.cellEnd, delimiter.repeat(this.width - this.column))
    this.log.corrected(this.walker.rowNumber, this.open[this.nextCorrection])
  }

  private replace(start: number, end: number, text: string): void {
    this.copyUpTo(start)
    this.pieces.push(this.platform.encodeUtf8(text))
    this.copied = end
  }

  private copyUpTo(position: number): void {
    if (position > this.copied) this.pieces.push(this.walker.bytes.subarray(this.copied, position))
    this.copied = position
  }
}

/** A text as a cell has it, in quotes where it needs them. */
export function spelledCell(text: string, delimiter: string, isQuoted = false): string {
  const special = [delimiter, ...[QUOTE, CARRIAGE_RETURN, LINE_FEED].map((byte) => String.fromCharCode(byte))]
  const needsQuotes = isQuoted || special.some((character) => text.includes(character))
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
}

export function inEncoding(bytes: Uint8Array, encoding: TextEncoding, platform: Platform): Uint8Array {
  if (encoding === 'utf-8') return bytes
  return utf16Bytes(platform.decodeUtf8(bytes, 0, bytes.length), encoding === 'utf-16le')
}
