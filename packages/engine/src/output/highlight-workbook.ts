import { errorFileLimits } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { CONTENT_TYPES } from '#formats/spreadsheet/workbook-parts.ts'
import { type Note, notesDrawing } from '#formats/spreadsheet/write-notes.ts'
import { applyEdits, attributeEdit } from '#formats/xml/edit-xml.ts'
import { encodeXml } from '#formats/xml/write-xml.ts'
import { openArchive, type ZipArchive } from '#formats/zip/zip-archive.ts'
import { addNotes } from '#output/add-notes.ts'
import { DerivedStyles } from '#output/derived-styles.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import { placeLegacyDrawing } from '#output/legacy-drawing.ts'
import type { MarkedRows, Mark } from '#output/marked-rows.ts'
import { type MarkingPlan, newBookLinks, newSheetLinks, planMarking } from '#output/marking-plan.ts'
import { readNoteBoxes, withBoxes } from '#output/note-boxes.ts'
import { signedText } from '#output/note-signature.ts'
import { addPerson, addReplies, readThreads } from '#output/reply-to-threads.ts'
import { RewrittenParts, writeCopy } from '#output/rewritten-parts.ts'
import { sanitizeTailBytes } from '#output/sanitize-sheet.ts'
import { type SheetEditor, SheetRewriter } from '#output/sheet-rewriter.ts'
import { stripNotes } from '#output/strip-notes.ts'

/** The first cell of a header; both count from 0. */
type HeaderPlace = { readonly row: number; readonly column: number }

/**
 * A copy of a workbook with its bad cells red and with notes. Our marks of an earlier time are removed, and
 * so is whatever a program would run or load; a note on the header says so. Parts are copied without
 * unpacking them where nothing in them changes.
 */
export async function* highlightWorkbook(
  marks: MarkedRows,
  header: HeaderPlace,
  request: ErrorFileRequest,
): AsyncGenerator<Uint8Array> {
  const archive = await openArchive(request.source, request.platform, request.limits)
  const plan = await planMarking(archive)
  yield* writeCopy(archive, await rewriteParts(archive, plan, marks, header))
}

/**
 * Plans the parts that the marks change. Those after the sheet depend on what is found while writing it.
 */
async function rewriteParts(
  archive: ZipArchive,
  plan: MarkingPlan,
  marks: MarkedRows,
  header: HeaderPlace,
): Promise<RewrittenParts> {
  const { platform } = archive
  const { copied } = plan
  const { sheet, part } = plan.book
  const parts = new RewrittenParts(archive, copied)
  const styles = new DerivedStyles(plan.styles, ['bad', 'warning'])
  const markNotes: Note[] = []
  const { leftOut, sheetRules } = copied
  const { hasMetadata } = sheetRules
  const rewriter = new SheetRewriter({
    platform,
    rows: marks,
    editor: cellMarker(styles, markNotes),
    leftOut,
    hasMetadata,
  })
  parts.add(sheet.part, () =>
    rewriter.rewrite(streamPart(archive, sheet.entry), (tail) =>
      placeLegacyDrawing(sanitizeTailBytes(tail, sheetRules, leftOut, platform), plan, platform),
    ),
  )
  parts.addLinks(sheet.part, newSheetLinks(plan))
  parts.add(
    plan.stylesPart,
    () => applyEdits(plan.styles.bytes, styles.edits(), platform),
    CONTENT_TYPES.styles,
  )
  const notes = () => withNoteOnHeader(markNotes, header, leftOut.note)
  await addNoteParts(parts, plan, notes, archive)
  parts.addLinks(part, newBookLinks(plan))
  return parts
}

/** The notes with one more on the header, in front of what it says already. */
function withNoteOnHeader(
  notes: readonly Note[],
  { row, column }: HeaderPlace,
  text: string | null,
): readonly Note[] {
  if (text === null) return notes
  const there = notes.findIndex((note) => note.row === row && note.column === column)
  if (there < 0) return [{ row, column, text: signedText(text) }, ...notes]
  return notes.with(there, { ...notes[there], text: `${notes[there].text}\n${text}` })
}

/** The notes, the drawing of their boxes, and the replies in threads on their cells. */
async function addNoteParts(
  parts: RewrittenParts,
  plan: MarkingPlan,
  notes: () => readonly Note[],
  { platform }: ZipArchive,
): Promise<void> {
  const threads = plan.threads && readThreads((await parts.whole(plan.threads.part))!, platform)
  const drawing = await parts.whole(plan.drawingPart)
  const boxes = drawing === null ? [] : readNoteBoxes(drawing, platform)
  let removed: ReadonlySet<string> = new Set()
  parts.add(
    plan.commentsPart,
    async () => {
      const old = await parts.whole(plan.commentsPart)
      const stripped = old && stripNotes(old, platform)
      removed = stripped?.removed ?? removed
      const settings = { namespace: plan.mainNamespace, threaded: threads?.byCell ?? new Map() }
      return addNotes(stripped?.bytes ?? null, notes(), settings, platform)
    },
    CONTENT_TYPES.comments,
  )
  parts.add(
    plan.drawingPart,
    () => encodeXml(notesDrawing(withBoxes(boxes, notes(), removed)), platform),
    CONTENT_TYPES.notesDrawing,
  )
  if (plan.threads === null || threads === null) return
  const { part, personsPart } = plan.threads
  parts.add(part, () => addReplies(threads, notes(), platform))
  parts.add(
    personsPart,
    async () => addPerson(await parts.whole(personsPart), platform),
    CONTENT_TYPES.persons,
  )
}

/**
 * Gives each marked cell a red or yellow format; a marked cell that does not exist is added. A cell that an
 * earlier Highlighted file marked, and that is no longer marked, gets its former format back. `notes` gets
 * those of the marked cells, at most `errorFileLimits.maxNotes`.
 */
const cellMarker = (styles: DerivedStyles, notes: Note[]): SheetEditor<Mark> => ({
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
