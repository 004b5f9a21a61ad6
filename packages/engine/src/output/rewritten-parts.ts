import { addContentTypes } from '#formats/spreadsheet/add-content-types.ts'
import { readPart, streamPart } from '#formats/spreadsheet/read-part.ts'
import { relationshipsPart } from '#formats/spreadsheet/read-relationships.ts'
import { linksPart } from '#formats/spreadsheet/workbook-parts.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits } from '#formats/xml/edit-xml.ts'
import { xmlName } from '#formats/xml/xml-tokens.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import { partKey } from '#formats/zip/zip-directory.ts'
import { addNotes } from '#output/add-notes.ts'
import { addShapes } from '#output/add-shapes.ts'
import { DerivedStyles } from '#output/derived-styles.ts'
import { placeLegacyDrawing } from '#output/legacy-drawing.ts'
import { CellMarker } from '#output/cell-marker.ts'
import type { MarkedRows } from '#output/marked-rows.ts'
import { type MarkingPlan, newBookLinks, newParts, newSheetLinks } from '#output/marking-plan.ts'
import { addPerson, addReplies, readThreads } from '#output/reply-to-threads.ts'
import { SheetRewriter } from '#output/sheet-rewriter.ts'
import { stripNotes } from '#output/strip-notes.ts'

/** The largest part that is edited in memory, in bytes. The notes of 100,000 cells take some 30 MB. */
const MAX_EDITED_PART = 64 * 1024 * 1024
const RELATIONSHIPS = xmlName('Relationships')

type RewrittenPart = { readonly name: string; readonly content: () => AsyncIterable<Uint8Array> }

/** The parts of a workbook that are written anew, in the order of writing. */
export class RewrittenParts {
  readonly #archive: ZipArchive
  /** By `partKey`: a link may spell the name of a part differently than the archive does. */
  readonly #parts = new Map<string, RewrittenPart>()

  constructor(archive: ZipArchive) {
    this.#archive = archive
  }

  /** Whether a part of the source is written anew. */
  has(name: string): boolean {
    return this.#parts.has(partKey(name))
  }

  [Symbol.iterator](): Iterator<RewrittenPart> {
    return this.#parts.values()
  }

  add(name: string, content: RewrittenPart['content']): void {
    const spelled = this.#archive.directory.find(name)?.name ?? name
    this.#parts.set(partKey(name), { name: opcPartName(spelled), content })
  }

  /** Adds a part of links: those of the source, if it has any, and these. */
  addLinks(name: string, links: readonly string[]): void {
    const { platform } = this.#archive
    const spelled = (prefix: string) => links.join('').replaceAll('<Relationship ', `<${prefix}Relationship `)
    const source = () => this.whole(name)
    this.add(name, async function* () {
      const bytes = (await source()) ?? platform.encodeUtf8(linksPart([]))
      const edit = appendTo(bytes, RELATIONSHIPS, spelled, platform)
      if (edit === null) throw workbookProblems.damaged('its links are malformed')
      yield* applyEdits(bytes, [edit], platform)
    })
  }

  /** A whole part of the source; null if it has none of that name. */
  async whole(name: string): Promise<Uint8Array | null> {
    const entry = this.#archive.directory.find(name)
    return entry === undefined ? null : readPart(this.#archive, entry, MAX_EDITED_PART)
  }
}

/**
 * The standard spelling of a part's name (ECMA-376 part 2, 6.2.2). Some readers accept backslashes, but not
 * both kinds of slashes in one archive.
 */
export const opcPartName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '')

/**
 * Plans the parts that the marks change. Those after the sheet depend on what is found while writing it.
 */
export async function rewriteParts(
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
