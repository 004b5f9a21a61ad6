import { CellType } from '#formats/spreadsheet/cell-text.ts'
import type { RowXml } from '#formats/spreadsheet/sheet-reader.ts'

/** The text of a cell as a report shows it. */
export type CellText = (column: number, type: CellType, style: number, raw: string) => string

/**
 * The scanner makes no texts of the cells that identify a row, so they are read again from its XML for a
 * report. Texts are stored before the XML is dropped because more is read: of one row in some thousand.
 */
export class RowKeyCells {
  private readonly columns: readonly number[]
  private readonly textOf: CellText
  /** The texts of the row `keptRow` from dropped XML, up to the column `keptEnd`. */
  private kept: string[] = []
  private keptRow = 0
  private keptEnd = 0

  constructor(columns: readonly number[], textOf: CellText) {
    this.columns = columns
    this.textOf = textOf
  }

  /** Stores the texts of the row in `xml`; its cells up to the column `end` have been read. */
  keep(rowNumber: number, end: number, isInOrder: boolean, xml: RowXml): void {
    if (this.columns.length === 0) return
    const start = this.keptRow === rowNumber ? this.keptEnd : 0
    // Most pieces of a very wide row have no such cell.
    const mayHaveAny = this.columns.some((column) => column >= start && column < end)
    this.kept = mayHaveAny || !isInOrder ? this.texts(rowNumber, xml) : this.keptOf(rowNumber)
    this.keptRow = rowNumber
    this.keptEnd = end
  }

  /** All texts of a row whose XML ends with `xml`. If a cell comes twice, the last one counts. */
  texts(rowNumber: number, xml: RowXml): string[] {
    const texts = this.keptOf(rowNumber)
    if (texts.length > 0) {
      xml.readCells((column, type, style, raw) => {
        const index = this.columns.indexOf(column)
        if (index >= 0) texts[index] = this.textOf(column, type, style, raw)
      })
    }
    return texts
  }

  private keptOf(rowNumber: number): string[] {
    return this.keptRow === rowNumber ? [...this.kept] : this.columns.map(() => '')
  }
}
