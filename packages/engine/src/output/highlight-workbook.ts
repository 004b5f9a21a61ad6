import { errorFileLimits } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { type CellStyles, readStyles } from '#formats/spreadsheet/read-styles.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import { attributeEdit } from '#formats/xml/edit-xml.ts'
import { addSheets, changeSheet } from '#output/copy-sheets.ts'
import { DerivedStyles } from '#output/derived-styles.ts'
import type { TableRequest } from '#source/open-table.ts'
import { type CheckedTable, LivingCopy } from '#output/living-copy.ts'
import { placeLegacyDrawing } from '#output/sheet-tail.ts'
import type { Mark, MarkedRow } from '#output/marked-rows.ts'
import { newSheetLinks } from '#output/marking-plan.ts'
import type { Rows } from '#output/row-feed.ts'
import type { SheetEditor } from '#output/sheet-rewriter.ts'
import { readNotes, signedText, withOurs, withoutOurs, writeNotes } from '#output/sheet-notes.ts'
import { WorkbookCopy } from '#output/workbook-copy.ts'

/**
 * A copy of a workbook, its bad cells red and with notes. Our earlier marks are removed, and so is whatever a
 * program would run or load; the sheet about the file says so. Unchanged parts are copied still packed. Parts
 * after the data sheet depend on what is found in it.
 */
export async function* highlightWorkbook(
  marks: Rows<MarkedRow>,
  table: CheckedTable,
  request: TableRequest,
): AsyncGenerator<Uint8Array> {
  const copy = await WorkbookCopy.open(request)
  const { archive, plan } = copy
  const { book } = plan
  const { about } = await addSheets(copy)
  const living = new LivingCopy(request, table, about)
  const styles = new DerivedStyles(plan.styles, ['bad', 'warning'])
  const kept = (await readNotes(copy)).map(withoutOurs).filter((note) => note !== null)
  const notes: Note[] = []
  changeSheet(copy, {
    living,
    styles,
    rows: marks,
    editor: cellMarker(styles, await readStyles(archive, book.styles), living, notes),
    tail: (bytes) => placeLegacyDrawing(bytes, plan, copy.platform),
  })
  copy.addLinks(book.sheet.part, newSheetLinks(plan))
  writeNotes(copy, () => withOurs(kept, notes))
  yield* copy.write()
}

/**
 * Makes each marked cell red or yellow, and adds one that does not exist. A cell that only an earlier
 * Highlighted file marked gets its format back. At most `errorFileLimits.maxNotes` go to `notes`.
 */
const cellMarker = (
  styles: DerivedStyles,
  cellStyles: CellStyles,
  living: LivingCopy,
  notes: Note[],
): SheetEditor<Mark> => ({
  startRow(rowNumber, marks) {
    for (const mark of marks)
      if (notes.length < errorFileLimits.maxNotes && mark.hasNote)
        notes.push({ row: rowNumber - 1, column: mark.column, text: signedText(mark.note) })
  },
  editCell({ tag }, { column, kind }, rowNumber) {
    const style = Number(tag.attribute('s') ?? 0)
    living.mark(rowNumber, column, cellStyles[style])
    return [attributeEdit(tag, 's', styles.markedOf(style, kind))]
  },
  missingCell({ column, kind }, { prefix, rowNumber, style }) {
    living.mark(rowNumber, column, cellStyles[style])
    return `<${prefix}c r="${columnLetter(column)}${rowNumber}" s="${styles.markedOf(style, kind)}"/>`
  },
  newFormat: styles.hasOld ? (style) => styles.plainOf(style) : undefined,
})
