import { errorFileLimits } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { SourceRow, TableSource } from '#source/table-source.ts'
import type { ErrorFileRequest } from './error-file-request.ts'
import type { MarkedRow, MarkedRows } from './marked-rows.ts'
import { commentsPart, type Note, notesDrawing } from './notes.ts'
import {
  areaOf,
  CellStyle,
  contentTypes,
  MAX_SHEET_ROWS,
  noteRelationships,
  packageRelationships,
  sheetEnd,
  type SheetPlan,
  sheetStart,
  stylesPart,
  workbookPart,
  workbookRelationships,
} from './workbook-parts.ts'
import { writeZip, type ZipPart } from './write-zip.ts'
import { encodeXml, textCell, xmlPart } from './xml-output.ts'

const COLUMN_WIDTH = 18
/** Excel's own bound. */
const MAX_COLUMNS = 16_384
const NO_MARKS: MarkedRow['marks'] = []

/**
 * A table as a workbook of text cells, so that leading zeros and dates stay as they were typed. Rows keep their numbers,
 * blank ones included; beyond Excel's bound they go on on further sheets.
 */
export async function* highlightGrid(table: TableSource, marks: MarkedRows, { platform }: ErrorFileRequest): AsyncGenerator<Uint8Array> {
  const grid = new Grid(table, marks)
  async function* parts(): AsyncGenerator<ZipPart> {
    const part = (name: string, text: string): ZipPart => ({ name, content: xmlPart(text, platform) })
    const sheets: SheetPlan[] = []
    yield part('_rels/.rels', packageRelationships)
    yield part('xl/styles.xml', stylesPart)
    do {
      const number = sheets.length + 1
      yield { name: `xl/worksheets/sheet${number}.xml`, content: encodeXml(grid.sheet(), platform) }
      const notes = grid.takeNotes()
      sheets.push({ name: number === 1 ? 'Data' : `Data ${number}`, notes: notes.length > 0 })
      if (notes.length === 0) continue
      yield part(`xl/worksheets/_rels/sheet${number}.xml.rels`, noteRelationships(number))
      yield { name: `xl/comments${number}.xml`, content: encodeXml(commentsPart(notes), platform) }
      yield { name: `xl/drawings/vmlDrawing${number}.vml`, content: encodeXml(notesDrawing(notes), platform) }
    } while (!grid.isDone)
    yield part('xl/workbook.xml', workbookPart(sheets))
    yield part('xl/_rels/workbook.xml.rels', workbookRelationships(sheets))
    yield part('[Content_Types].xml', contentTypes(sheets))
  }
  yield* writeZip(parts(), platform)
}

/** The rows of a table as sheets, each as long as Excel allows. */
class Grid {
  isDone = false
  private readonly rows: AsyncIterator<readonly SourceRow[]>
  private readonly marks: MarkedRows
  private readonly width: number
  private readonly headerRow: number
  private readonly letters: string[] = []
  private notes: Note[] = []
  private noteCount = 0
  private batch: readonly SourceRow[] = []
  private next = 0
  private firstRow = 1

  constructor(table: TableSource, marks: MarkedRows) {
    this.rows = table.rows()[Symbol.asyncIterator]()
    this.marks = marks
    this.width = table.header.length
    this.headerRow = table.headerRowNumber ?? 1
    this.batch = [{ rowNumber: this.headerRow, cells: table.header }]
  }

  /** The notes of the sheet written last. */
  takeNotes(): Note[] {
    const { notes } = this
    this.notes = []
    return notes
  }

  async *sheet(): AsyncGenerator<string> {
    const { firstRow } = this
    const end = firstRow + MAX_SHEET_ROWS
    yield sheetStart(Array(Math.min(this.width, MAX_COLUMNS)).fill(COLUMN_WIDTH))
    let marked = await this.marks.peek()
    let last = 1
    let text = ''
    for (;;) {
      if (this.next === this.batch.length && !(await this.read())) break
      const row = this.batch[this.next]
      if (row.rowNumber >= end) break
      this.next++
      last = row.rowNumber - firstRow + 1
      if (marked !== null && marked.rowNumber === row.rowNumber) {
        text += this.row(row, last, marked.marks)
        this.marks.take()
        marked = await this.marks.peek()
      } else text += this.row(row, last, NO_MARKS)
      if (text.length > 65_536) {
        yield text
        text = ''
      }
    }
    this.firstRow = end
    yield text + sheetEnd({ area: areaOf(Math.min(this.width, MAX_COLUMNS), last), filter: false, notes: this.notes.length > 0 })
  }

  private async read(): Promise<boolean> {
    const { value, done } = await this.rows.next()
    this.batch = done ? [] : value
    this.next = 0
    this.isDone = done === true
    return !this.isDone
  }

  private row({ rowNumber, cells }: SourceRow, number: number, marks: MarkedRow['marks']): string {
    const heading = rowNumber === this.headerRow ? CellStyle.Heading : CellStyle.Text
    let text = `<row r="${number}">`
    let mark = 0
    const width = Math.min(MAX_COLUMNS, Math.max(cells.length, (marks.at(-1)?.column ?? -1) + 1))
    for (let column = 0; column < width; column++) {
      const isBad = mark < marks.length && marks[mark].column === column
      const value = cells[column] ?? ''
      if (isBad) this.note(number - 1, column, marks[mark++].note)
      if (isBad || value !== '') text += textCell(this.letter(column) + number, isBad ? CellStyle.Bad : heading, value)
    }
    return `${text}</row>`
  }

  private note(row: number, column: number, text: string): void {
    if (this.noteCount >= errorFileLimits.maxNotes) return
    this.noteCount++
    this.notes.push({ row, column, text })
  }

  private letter(column: number): string {
    return (this.letters[column] ??= columnLetter(column))
  }
}
