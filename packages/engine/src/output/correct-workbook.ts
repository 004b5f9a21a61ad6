import { numberText } from '#formats/spreadsheet/cell-text.ts'
import {
  type CellStyles,
  type NumberFormat,
  NumberKind,
  readStyles,
} from '#formats/spreadsheet/read-styles.ts'
import { needsPreserve } from '#formats/spreadsheet/write-cells.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import type { XmlTokens } from '#formats/xml/xml-tokens.ts'
import { addSheets, changeSheet } from '#output/copy-sheets.ts'
import { type CopyDetails, correctionsSheet } from '#output/corrections-sheet.ts'
import type { CorrectedRow, Correction, CorrectionTally } from '#output/corrections.ts'
import { DerivedStyles } from '#output/derived-styles.ts'
import type { Rows } from '#output/row-feed.ts'
import type { TableRequest } from '#source/open-table.ts'
import { type CheckedTable, LivingCopy } from '#output/living-copy.ts'
import { cellKey, readNotes, withoutOurs, writeNotes } from '#output/sheet-notes.ts'
import type { SheetEditor } from '#output/sheet-rewriter.ts'
import { WorkbookCopy } from '#output/workbook-copy.ts'

/**
 * Only the corrected cells of the data sheet differ: in value, and green. A last sheet lists them. Notes of
 * an earlier Highlighted file go where the cell is corrected.
 */
export async function* correctWorkbook(
  rows: Rows<CorrectedRow>,
  tally: CorrectionTally,
  details: CopyDetails & { table: CheckedTable; isNumber(column: number): boolean },
  request: TableRequest,
): AsyncGenerator<Uint8Array> {
  const copy = await WorkbookCopy.open(request)
  const { archive, plan } = copy
  const { book } = plan
  const added = await addSheets(copy)
  const corrections = added.corrections()
  const living = new LivingCopy(request, details.table, added.about)
  const styles = new DerivedStyles(plan.styles, ['corrected'])
  const notes = await readNotes(copy)
  const noted = notes.filter((note) => withoutOurs(note) !== note)
  const corrected = new Set<string>()
  const corrector = cellCorrector({
    styles,
    cellStyles: await readStyles(archive, book.styles),
    isNumber: (column) => details.isNumber(column),
    tally,
    corrected: noted.length > 0 ? corrected : null,
  })
  const { leftOut } = plan.copied
  leftOut.include(details.structure.leftOut)
  changeSheet(copy, { living, styles, rows, editor: corrector })
  // Of an earlier Highlighted file.
  const left = () =>
    notes
      .map((note) => (corrected.has(cellKey(note)) ? withoutOurs(note) : note))
      .filter((note) => note !== null)
  if (noted.length > 0) writeNotes(copy, left)
  const listed = () => correctionsSheet(corrections.name, book.sheet.name, details, { tally, leftOut })
  copy.addSheet(corrections.part, listed)
  yield* copy.write()
}

type CorrectorParts = {
  readonly styles: DerivedStyles
  /** What the source's formats make of numbers. */
  readonly cellStyles: CellStyles
  isNumber(column: number): boolean
  readonly tally: CorrectionTally
  /** Gets the keys of the corrected cells, which lose our notes; null if the sheet has none. */
  readonly corrected: Set<string> | null
}

/** A number stays one if the field is a number and the cell shows it as it is; else it becomes a text. */
const cellCorrector = (parts: CorrectorParts): SheetEditor<Correction> => ({
  editCell({ tag, start, end }, correction, rowNumber) {
    if (!parts.tally.apply(rowNumber, correction)) return []
    parts.corrected?.add(cellKey({ row: rowNumber - 1, column: correction.column }))
    return [{ start, end, text: cellXml(correction, tag, parts) }]
  },
  missingCell() {
    parts.tally.skip()
    return ''
  },
})

function cellXml(
  { column, value }: Correction,
  source: XmlTokens,
  { styles, cellStyles, isNumber }: CorrectorParts,
): string {
  const reference = source.attribute('r')
  const style = Number(source.attribute('s') ?? 0)
  const prefix = source.prefix()
  const place = reference === null ? '' : ` r="${escapeXml(reference)}"`
  const tag = `<${prefix}c${place} s="${styles.markedOf(style, 'corrected')}"`
  if (value === '') return `${tag}/>`
  const [open, close] = [`<${prefix}`, `</${prefix}`]
  const isShown = isNumber(column) && !styles.isPercent(style) && showsNumber(cellStyles[style], value)
  if (isShown) return `${tag}>${open}v>${value}${close}v>${close}c>`
  const space = needsPreserve(value) ? ' xml:space="preserve"' : ''
  const text = `${open}is>${open}t${space}>${escapeXml(value)}${close}t>${close}is>`
  return `${tag} t="inlineStr">${text}${close}c>`
}

/** Whether a cell with this number reads as the text of the correction, and looks like it. */
function showsNumber(format: NumberFormat = NumberKind.Plain, value: string): boolean {
  const number = Number(value)
  if (!Number.isFinite(number) || numberText(number) !== value) return false
  return (typeof format === 'function' ? format(number) : format) === NumberKind.Plain
}
