import { errorFileLimits } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import { attributeEdit, type Edit } from '#formats/xml/edit-xml.ts'
import type { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { DerivedStyles } from '#output/derived-styles.ts'
import type { Mark } from '#output/marked-rows.ts'
import { signedText } from '#output/note-signature.ts'
import type { CellPlace, SheetEditor } from '#output/sheet-rewriter.ts'

/**
 * Gives each marked cell a red or yellow format; a marked cell that does not exist is added. A cell that an
 * earlier Highlighted file marked, and that is no longer marked, gets its former format back.
 */
export class CellMarker implements SheetEditor<Mark> {
  /** Notes of the cells marked so far, at most `errorFileLimits.maxNotes`. */
  readonly notes: Note[] = []
  readonly #styles: DerivedStyles

  constructor(styles: DerivedStyles) {
    this.#styles = styles
  }

  startRow(rowNumber: number, marks: readonly Mark[]): void {
    for (const mark of marks) {
      if (this.notes.length < errorFileLimits.maxNotes && mark.hasNote)
        this.notes.push({ row: rowNumber - 1, column: mark.column, text: signedText(mark.note) })
    }
  }

  editCell(tokens: XmlTokens, { kind }: Mark): [Edit] {
    const style = Number(tokens.attribute('s') ?? 0)
    return [attributeEdit(tokens, 's', this.#styles.markedOf(style, kind))]
  }

  missingCell({ column, kind }: Mark, { prefix, rowNumber, style }: CellPlace & { style: number }): string {
    return `<${prefix}c r="${columnLetter(column)}${rowNumber}" s="${this.#styles.markedOf(style, kind)}"/>`
  }

  /** Removes the marks of an earlier Highlighted file. */
  editFormat(tokens: XmlTokens, attribute: string): Edit | null {
    if (!this.#styles.hasOld || !tokens.findAttribute(attribute)) return null
    const plain = this.#styles.plainOf(Number(tokens.attribute(attribute)))
    return plain === null ? null : { start: tokens.valueStart, end: tokens.valueEnd, text: String(plain) }
  }

  columnFormat(style: number): number {
    return this.#styles.plainOf(style) ?? style
  }
}
