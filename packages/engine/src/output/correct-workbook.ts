import { errorFileSheets } from '@veridict/contract/messages/error-files'
import { numberText } from '#formats/spreadsheet/cell-text.ts'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import {
  type CellStyles,
  type NumberFormat,
  NumberKind,
  readStyles,
} from '#formats/spreadsheet/read-styles.ts'
import { CONTENT_TYPES } from '#formats/spreadsheet/workbook-parts.ts'
import { needsPreserve } from '#formats/spreadsheet/write-cells.ts'
import { notesDrawing } from '#formats/spreadsheet/write-notes.ts'
import { sheetPart } from '#formats/spreadsheet/write-sheet.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits } from '#formats/xml/edit-xml.ts'
import { encodeXml, escapeXml } from '#formats/xml/write-xml.ts'
import { elementsNamed, skipElement } from '#formats/xml/xml-elements.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import { openArchive } from '#formats/zip/zip-archive.ts'
import { partKey } from '#formats/zip/zip-directory.ts'
import { type CopyDetails, correctionsSheet } from '#output/corrections-sheet.ts'
import {
  canBeWritten,
  type CorrectedRows,
  type Correction,
  type CorrectionLog,
  type CorrectionTally,
} from '#output/corrections.ts'
import { DerivedStyles } from '#output/derived-styles.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import { firstFree, type MarkingPlan, newBookLinks, planMarking, unusedName } from '#output/marking-plan.ts'
import { readNoteBoxes, withBoxes } from '#output/note-boxes.ts'
import { RewrittenParts, writeCopy } from '#output/rewritten-parts.ts'
import { sanitizeTailBytes } from '#output/sanitize-sheet.ts'
import { type SheetEditor, SheetRewriter } from '#output/sheet-rewriter.ts'
import { cellKey, notedCells, stripNotes } from '#output/strip-notes.ts'
import type { Platform } from '#platform.ts'

/**
 * A copy of a workbook in which only the corrected cells of its data sheet differ: they have other values and
 * are green. A last sheet lists them. Notes of an earlier Highlighted file go where the cell is corrected.
 */
export async function* correctWorkbook(
  rows: CorrectedRows,
  tally: CorrectionTally,
  details: CopyDetails & { isNumber(column: number): boolean },
  request: Pick<ErrorFileRequest, 'source' | 'platform' | 'limits'>,
): AsyncGenerator<Uint8Array> {
  const { platform } = request
  const archive = await openArchive(request.source, platform, request.limits)
  const plan = await planMarking(archive)
  const { book } = plan
  const parts = new RewrittenParts(archive, plan.copied)
  const newSheet = await addSheet(parts, plan, platform)
  const styles = new DerivedStyles(plan.styles, ['corrected'])
  const notes = await readNotes(parts, plan, platform)
  const corrector = cellCorrector({
    styles,
    cellStyles: await readStyles(archive, book.styles),
    isNumber: (column) => details.isNumber(column),
    log: {
      corrected(rowNumber, correction) {
        tally.corrected(rowNumber, correction)
        notes?.corrected(cellKey(rowNumber - 1, correction.column))
      },
      skipped: () => tally.skipped(),
    },
  })
  const { leftOut, sheetRules } = plan.copied
  leftOut.include(details.structure.leftOut)
  const { hasMetadata } = sheetRules
  const rewriter = new SheetRewriter({ platform, rows, editor: corrector, leftOut, hasMetadata })
  parts.add(book.sheet.part, () =>
    rewriter.rewrite(streamPart(archive, book.sheet.entry), (tail) => [
      sanitizeTailBytes(tail, sheetRules, leftOut, platform),
    ]),
  )
  parts.add(
    plan.stylesPart,
    () => applyEdits(plan.styles.bytes, styles.edits(), platform),
    CONTENT_TYPES.styles,
  )
  notes?.rewrite()
  parts.add(
    newSheet.part,
    () =>
      sheetPart(correctionsSheet(newSheet.name, book.sheet.name, details, { tally, leftOut }), platform, {
        main: plan.mainNamespace,
        relationships: plan.namespace,
      }),
    CONTENT_TYPES.worksheet,
  )
  yield* writeCopy(archive, parts)
}

/** Adds a last sheet to the workbook's own parts. */
async function addSheet(
  parts: RewrittenParts,
  plan: MarkingPlan,
  platform: Platform,
): Promise<{ name: string; part: string }> {
  const { book, namespace, copied } = plan
  const part = unusedName('xl/worksheets/sheetVeridict.xml', (tried) => !copied.parts.has(partKey(tried)))
  const links = copied.linksOf(book.part)
  const id = firstFree(
    (number) => `rIdVeridictCorrections${number}`,
    (tried) => !links.some((link) => link.id === tried),
  )
  const bytes = (await parts.whole(book.part))!
  const { name, sheetId } = newSheetTag(new XmlTokens(platform, bytes))
  parts.add(book.part, () => {
    const link = `xmlns:r="${namespace}" r:id="${id}"`
    const attributes = `name="${escapeXml(name)}" sheetId="${sheetId}" ${link}`
    const edit = appendTo(bytes, 'sheets', (prefix) => `<${prefix}sheet ${attributes}/>`, platform)
    if (edit === null) throw workbookProblems.damaged('its list of sheets is malformed')
    return applyEdits(bytes, [edit], platform)
  })
  parts.addLinks(book.part, [
    ...newBookLinks({ ...plan, threads: null }),
    { id, type: 'worksheet', target: part, namespace },
  ])
  return { name, part }
}

/** The first free name and number of a further sheet. */
function newSheetTag(tokens: XmlTokens): { name: string; sheetId: number } {
  const names = new Set<string>()
  let lastId = 0
  for (const { tag } of elementsNamed(tokens, 'sheet')) {
    names.add((tag.attribute('name') ?? '').toLowerCase())
    lastId = Math.max(lastId, Number(tag.attribute('sheetId') ?? 0))
  }
  const name = firstFree(
    (number) => `${errorFileSheets.corrections} ${number}`.trim(),
    (tried) => !names.has(tried.toLowerCase()),
  )
  return { name, sheetId: lastId + 1 }
}

/** The notes of an earlier Highlighted file; null if there are none. */
async function readNotes(
  parts: RewrittenParts,
  plan: MarkingPlan,
  platform: Platform,
): Promise<{ corrected(key: string): void; rewrite(): void } | null> {
  const bytes = await parts.whole(plan.commentsPart)
  const drawing = await parts.whole(plan.drawingPart)
  const noted = bytes === null ? new Set<string>() : notedCells(bytes, platform)
  if (bytes === null || noted.size === 0) return null
  const corrected = new Set<string>()
  let removed: ReadonlySet<string> = new Set()
  return {
    corrected(key) {
      if (noted.has(key)) corrected.add(key)
    },
    rewrite() {
      parts.add(plan.commentsPart, () => {
        const stripped = stripNotes(bytes, platform, (key) => corrected.has(key))
        removed = stripped.removed
        return [stripped.bytes]
      })
      if (drawing === null) return
      const boxes = readNoteBoxes(drawing, platform)
      parts.add(plan.drawingPart, () => encodeXml(notesDrawing(withBoxes(boxes, [], removed)), platform))
    },
  }
}

/** What the corrections of a workbook depend on. */
type CorrectorParts = {
  readonly styles: DerivedStyles
  /** What the source's formats make of numbers. */
  readonly cellStyles: CellStyles
  /** Whether the field of a column is a number. */
  isNumber(column: number): boolean
  readonly log: CorrectionLog
}

/**
 * Replaces the values of cells and gives them a green format. A number is written as one where the field is a
 * number and the cell shows it as it is; any other value becomes a text.
 */
const cellCorrector = (parts: CorrectorParts): SheetEditor<Correction> => ({
  startRow() {},
  editCell(tokens, correction, { rowNumber, prefix, isEmpty }) {
    if (!canBeWritten(correction.value)) {
      parts.log.skipped(rowNumber, correction)
      return []
    }
    const { start } = tokens
    const reference = tokens.attribute('r')
    const style = Number(tokens.attribute('s') ?? 0)
    if (!isEmpty && !skipElement(tokens)) return null
    parts.log.corrected(rowNumber, correction)
    return [{ start, end: tokens.position, text: cellXml(correction, reference, style, prefix, parts) }]
  },
  missingCell(correction, { rowNumber }) {
    parts.log.skipped(rowNumber, correction)
    return ''
  },
  editFormat: () => null,
  columnFormat: (style) => style,
})

function cellXml(
  { column, value }: Correction,
  reference: string | null,
  style: number,
  prefix: string,
  { styles, cellStyles, isNumber }: CorrectorParts,
): string {
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
