import { errorFileLimits } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import { attributeEdit } from '#formats/xml/edit-xml.ts'
import type { DerivedStyles } from '#output/derived-styles.ts'
import type { Mark } from '#output/marked-rows.ts'
import { signedText } from '#output/note-signature.ts'
import type { SheetEditor } from '#output/sheet-rewriter.ts'

/**
 * Gives each marked cell a red or yellow format; a marked cell that does not exist is added. A cell that an
 * earlier Highlighted file marked, and that is no longer marked, gets its former format back. `notes` gets
 * those of the marked cells, at most `errorFileLimits.maxNotes`.
 */
export const cellMarker = (styles: DerivedStyles, notes: Note[]): SheetEditor<Mark> => ({
  startRow(rowNumber, marks) {
    for (const mark of marks)
      if (notes.length < errorFileLimits.maxNotes && mark.hasNote)
        notes.push({ row: rowNumber - 1, column: mark.column, text: signedText(mark.note) })
  },
  editCell(tokens, { kind }) {
    const style = Number(tokens.attribute('s') ?? 0)
    return [attributeEdit(tokens, 's', styles.markedOf(style, kind))]
  },
  missingCell: ({ column, kind }, { prefix, rowNumber, style }) =>
    `<${prefix}c r="${columnLetter(column)}${rowNumber}" s="${styles.markedOf(style, kind)}"/>`,
  /** Removes the marks of an earlier Highlighted file. */
  editFormat(tokens, attribute) {
    if (!styles.hasOld || !tokens.findAttribute(attribute)) return null
    const plain = styles.plainOf(Number(tokens.attribute(attribute)))
    return plain === null ? null : { start: tokens.valueStart, end: tokens.valueEnd, text: String(plain) }
  },
  columnFormat: (style) => styles.plainOf(style) ?? style,
})
