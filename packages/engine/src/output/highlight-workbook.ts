import { addContentTypes } from '#formats/spreadsheet/add-content-types.ts'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { relationshipsPart } from '#formats/spreadsheet/read-relationships.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { applyEdits } from '#formats/xml/edit-xml.ts'
import { openArchive, type ZipArchive } from '#formats/zip/zip-archive.ts'
import { addNotes } from '#output/add-notes.ts'
import { addShapes } from '#output/add-shapes.ts'
import { CellMarker } from '#output/cell-marker.ts'
import { DerivedStyles } from '#output/derived-styles.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import { placeLegacyDrawing } from '#output/legacy-drawing.ts'
import type { MarkedRows } from '#output/marked-rows.ts'
import { type MarkingPlan, newBookLinks, newParts, newSheetLinks, planMarking } from '#output/marking-plan.ts'
import { addPerson, addReplies, readThreads } from '#output/reply-to-threads.ts'
import { RewrittenParts, writeCopy } from '#output/rewritten-parts.ts'
import { SheetRewriter } from '#output/sheet-rewriter.ts'
import { stripNotes } from '#output/strip-notes.ts'

/**
 * A copy of a workbook with its bad cells red and with notes. Our marks of an earlier time are removed. Parts
 * are copied without unpacking them, except those that the marks change: the sheet, its links, its notes, the
 * styles and the list of content types.
 */
export async function* highlightWorkbook(
  marks: MarkedRows,
  request: ErrorFileRequest,
): AsyncGenerator<Uint8Array> {
  const archive = await openArchive(request.source, request.platform, request.limits)
  const plan = await planMarking(archive)
  yield* writeCopy(archive, await rewriteParts(archive, plan, marks))
}

/**
 * Plans the parts that the marks change. Those after the sheet depend on what is found while writing it.
 */
async function rewriteParts(
  archive: ZipArchive,
  plan: MarkingPlan,
  marks: MarkedRows,
): Promise<RewrittenParts> {
  const { platform } = archive
  const { sheet, part } = plan.book
  const made = new RewrittenParts(archive)
  const styles = new DerivedStyles(plan.styles, 'bad')
  const marker = new CellMarker(styles)
  const rewriter = new SheetRewriter({ platform, rows: marks, editor: marker })
  made.add('[Content_Types].xml', async function* () {
    const types = await made.whole('[Content_Types].xml')
    if (types === null) throw workbookProblems.damaged('its list of content types is missing')
    yield* addContentTypes(types, newParts(archive, plan), platform)
  })
  made.addLinks(relationshipsPart(sheet.part), newSheetLinks(plan))
  made.add(sheet.part, () =>
    rewriter.rewrite(streamPart(archive, sheet.entry), (tail) => placeLegacyDrawing(tail, plan, platform)),
  )
  made.add(plan.stylesPart, async function* () {
    yield* applyEdits(plan.styles.bytes, styles.edits(), platform)
  })
  await addNoteParts(made, plan, marker, archive)
  const bookLinks = newBookLinks(plan)
  if (bookLinks.length > 0) made.addLinks(relationshipsPart(part), bookLinks)
  return made
}

/** The notes, the drawing of their boxes, and the replies in threads on their cells. */
async function addNoteParts(
  made: RewrittenParts,
  plan: MarkingPlan,
  marker: CellMarker,
  { platform }: ZipArchive,
): Promise<void> {
  const threads = plan.threads && readThreads((await made.whole(plan.threads.part))!, platform)
  let removed: ReadonlySet<string> = new Set()
  made.add(plan.commentsPart, async function* () {
    const old = await made.whole(plan.commentsPart)
    const stripped = old && stripNotes(old, platform)
    removed = stripped?.removed ?? removed
    const settings = { namespace: plan.mainNamespace, threaded: threads?.byCell ?? new Map() }
    yield* addNotes(stripped?.bytes ?? null, marker.notes, settings, platform)
  })
  made.add(plan.drawingPart, async function* () {
    yield* addShapes(await made.whole(plan.drawingPart), marker.notes, removed, platform)
  })
  if (plan.threads === null || threads === null) return
  const { part, personsPart } = plan.threads
  made.add(part, async function* () {
    yield* addReplies(threads, marker.notes, platform)
  })
  made.add(personsPart, async function* () {
    yield* addPerson(await made.whole(personsPart), platform)
  })
}
