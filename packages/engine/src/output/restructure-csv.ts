import { LINE_FEED, QUOTE } from '#formats/byte-names.ts'
import type { CellReader } from '#formats/csv/cell-reader.ts'
import { type CsvDialect, endsRecord } from '#formats/csv/csv-dialect.ts'
import { openText } from '#formats/csv/open-text.ts'
import { type RecordVisitor, RecordWalker } from '#formats/csv/record-walker.ts'
import type { TextBytes } from '#formats/csv/text-bytes.ts'
import { sourceBytes } from '#formats/source-bytes.ts'
import { joined } from '#formats/bytes.ts'
import { inEncoding, spelledCell } from '#output/correct-csv.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import type { Platform } from '#platform.ts'
import { mappedCells, type TableView } from '#source/table-view.ts'

type Request = Pick<ErrorFileRequest, 'source' | 'platform' | 'limits'>

/** Bytes in which the first line ends, if its cells are not unusually long. */
const FIRST_LINES = 64 * 1024

/** A copy of a CSV file with another structure; its cells, encoding, delimiter and line ends stay. */
export async function* restructureCsv(
  view: TableView,
  dialect: CsvDialect,
  { source, platform, limits }: Request,
): AsyncGenerator<Uint8Array> {
  const { place, encoding, from } = await openText(source, platform)
  const start = new Uint8Array(FIRST_LINES)
  const lineEnd = lineEndIn(start.subarray(0, await (await from(0)).read(start)))
  const writer = new ViewWriter({ text: await from(0), view, dialect, lineEnd, platform, limits })
  yield* sourceBytes(source, 0, place.start)
  for await (const bytes of writer.write()) yield inEncoding(bytes, encoding, platform)
  yield* sourceBytes(source, place.end, source.size)
}

function lineEndIn(bytes: Uint8Array): string {
  const at = bytes.findIndex(endsRecord)
  if (at < 0 || bytes[at] === LINE_FEED) return '\n'
  return bytes[at + 1] === LINE_FEED ? '\r\n' : '\r'
}

class ViewWriter implements RecordVisitor {
  private readonly walker: RecordWalker
  private readonly view: TableView
  private readonly delimiter: string
  private readonly lineEnd: string
  private readonly platform: Platform
  /** Whether the open record is not copied as it is. */
  private isHeld = false
  private held: Uint8Array[] = []
  private cellEnd = 0
  /** Up to where the walker's bytes were copied. */
  private copied = 0
  private pieces: Uint8Array[] = []

  constructor(parts: {
    text: TextBytes
    view: TableView
    dialect: CsvDialect
    lineEnd: string
    platform: Platform
    limits: Request['limits']
  }) {
    this.walker = new RecordWalker({ ...parts, visitor: this })
    this.view = parts.view
    this.delimiter = String.fromCharCode(parts.dialect.delimiter)
    this.lineEnd = parts.lineEnd
    this.platform = parts.platform
  }

  /** The text as UTF-8, in chunks that end after whole characters. */
  async *write(): AsyncGenerator<Uint8Array> {
    const { walker, view } = this
    for (;;) {
      const isRecord = walker.walkRecord()
      const isDropped = isRecord && view.droppedRows.has(walker.rowNumber)
      if (isRecord && !isDropped) continue
      if (isDropped) this.copied = walker.at
      else this.copyUpTo(walker.at)
      yield joined(this.pieces)
      this.pieces = []
      if (isDropped) {
        // The line feed of its line end may not be read yet.
        this.isHeld = false
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
    const { heading, columns, droppedRows } = this.view
    this.copyUpTo(this.walker.at)
    if (heading.isNew && rowNumber === heading.row) this.push(this.newHeading() + this.lineEnd)
    const hasTexts = !heading.isNew && rowNumber === heading.row && heading.texts.size > 0
    this.isHeld = columns !== null || hasTexts || droppedRows.has(rowNumber)
    this.held = []
  }

  cell(bytes: Uint8Array, start: number, end: number, _cell: CellReader): void {
    if (this.isHeld) this.held.push(bytes.slice(start, end))
    this.cellEnd = end
  }

  endRecord(): void {
    const { rowNumber } = this.walker
    if (!this.isHeld || this.view.droppedRows.has(rowNumber)) return
    const { heading, columns, width } = this.view
    const cells = columns === null ? this.held : mappedCells(this.held, columns, width, new Uint8Array())
    for (const [index, cell] of cells.entries()) {
      if (index > 0) this.push(this.delimiter)
      const text = heading.row === rowNumber && !heading.isNew ? heading.texts.get(index) : undefined
      if (text === undefined) this.pieces.push(cell)
      else this.push(spelledCell(text, this.delimiter, cell.includes(QUOTE)))
    }
    this.isHeld = false
    this.copied = this.cellEnd
  }

  private newHeading(): string {
    const { texts } = this.view.heading
    return Array.from({ length: Math.max(...texts.keys()) + 1 }, (_, column) =>
      spelledCell(texts.get(column) ?? '', this.delimiter),
    ).join(this.delimiter)
  }

  private push(text: string): void {
    this.pieces.push(this.platform.encodeUtf8(text))
  }

  private copyUpTo(position: number): void {
    if (position > this.copied && !this.isHeld)
      this.pieces.push(this.walker.bytes.subarray(this.copied, position))
    this.copied = position
  }
}
