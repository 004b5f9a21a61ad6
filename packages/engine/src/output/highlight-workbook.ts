import type { Platform } from '#platform.ts'
import type { ByteSource } from '#byte-source.ts'
import { type Relationship, readRelationships, relationshipsPart } from '#source/xlsx/read-relationships.ts'
import { readBook, type Workbook } from '#source/xlsx/read-book.ts'
import { openArchive } from '#source/xlsx/read-workbook.ts'
import { readPart, streamPart, type WorkbookArchive } from '#source/xlsx/inflate-part.ts'
import { findData, type ZipEntry } from '#source/xlsx/zip-directory.ts'
import { workbookProblems } from '#source/xlsx/workbook-problems.ts'
import { xmlName } from '#source/xlsx/xml-tokens.ts'
import { addContentTypes } from '#output/add-content-types.ts'
import { addNotes } from '#output/add-notes.ts'
import { addShapes } from '#output/add-shapes.ts'
import { addPerson, addReplies, PERSONS_TYPE, readThreads, THREADS_RELATIONSHIPS } from '#output/answer-threads.ts'
import { DerivedStyles, readStyleTable, type StyleTable } from '#output/derive-styles.ts'
import { appendTo, applyEdits } from '#output/edit-xml.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import type { MarkedRows } from '#output/marked-rows.ts'
import { SheetRewriter } from '#output/rewrite-sheet.ts'
import { stripNotes } from '#output/strip-notes.ts'
import { placeLegacyDrawing, readLegacyDrawing } from '#output/sheet-tail.ts'
import {
  CONTENT_TYPES,
  emptyRelationships,
  relationship,
  RELATIONSHIPS_NAMESPACE,
  STRICT_NAMESPACE,
  stylesPart,
} from '#output/workbook-parts.ts'
import { writeZip, type ZipPart } from '#output/write-zip.ts'
import { escapeXml, MAIN_NAMESPACE } from '#output/xml-output.ts'

const READ_SIZE = 128 * 1024
/** A part that is held in memory to be edited; the notes of 100,000 cells are some 30 MB. In bytes. */
const MAX_EDITED_PART = 64 * 1024 * 1024
const RELATIONSHIPS = xmlName('Relationships')
const NEW_COMMENTS = 'xl/commentsVeridict.xml'
const NEW_DRAWING = 'xl/drawings/vmlDrawingVeridict.vml'
/** The first is where programs expect it, some of which look nowhere else. */
const NEW_STYLES = ['xl/styles.xml', 'xl/stylesVeridict.xml']
const NEW_PERSONS = 'xl/persons/personVeridict.xml'
const COMMENTS_ID = 'rIdVeridictComments'
const DRAWING_ID = 'rIdVeridictNotes'
const STYLES_ID = 'rIdVeridictStyles'
const PERSONS_ID = 'rIdVeridictPersons'

/**
 * A workbook again, its bad cells red and with notes; marks that we left at an earlier time vanish. Parts are copied packed
 * as they are, but for those that have to tell of the marks: the sheet, its links, its notes, the styles and the list of
 * content types.
 */
export async function* highlightWorkbook(marks: MarkedRows, request: ErrorFileRequest): AsyncGenerator<Uint8Array> {
  const archive = await openArchive(request.source, request.platform, request.limits)
  const plan = await planMarking(archive)
  yield* writeZip(parts(archive, plan, marks), request.platform)
}

/** Which parts are made anew, and what they are called. */
type MarkingPlan = {
  book: Workbook
  sheetLinks: readonly Relationship[]
  /** The source's cell formats, or ours where it has none. */
  styles: StyleTable
  stylesPart: string
  /** Whether the workbook has a link to it. */
  isStyled: boolean
  /** Threads on cells, and who is in them; null where the sheet has none. */
  threads: { part: string; personsPart: string; arePersonsLinked: boolean } | null
  commentsPart: string
  drawingPart: string
  /** The relationship of the drawing with the notes' boxes. */
  drawingId: string
  namespace: string
  isStrict: boolean
  /** Of the workbook's elements. */
  mainNamespace: string
}

async function planMarking(archive: WorkbookArchive): Promise<MarkingPlan> {
  const book = await readBook(archive)
  const sheetLinks = await readRelationships(archive, book.sheet.part)
  const drawings = sheetLinks.filter(({ type }) => type === 'vmlDrawing')
  // Headers and footers have such drawings too, so the sheet has to tell which is which.
  const legacyId = drawings.length === 0 ? null : await readLegacyDrawing(archive, book.sheet.entry)
  const drawing = drawings.find(({ id }) => id === legacyId)
  const table = book.styles && readStyleTable(await readPart(archive, book.styles), archive.platform)
  // A link that leads nowhere is one all the same, and a second one would be too many.
  const bookLinks = await readRelationships(archive, book.part)
  const stated = bookLinks.find(({ type }) => type === 'styles')?.target
  const isStrict = book.relationshipNamespace.startsWith(STRICT_NAMESPACE)
  const mainNamespace = isStrict ? `${STRICT_NAMESPACE}/spreadsheetml/main` : MAIN_NAMESPACE
  const isFree = (name: string) => archive.directory.find(name) === undefined
  /** A part of that name may belong to a sheet that was the first one at an earlier time. */
  const newPart = (name: string) => (sheetLinks.some(({ target }) => target === name) ? name : unusedName(name, isFree))
  const threads = sheetLinks.find(({ type, target }) => type === 'threadedComment' && !isFree(target))?.target
  const persons = bookLinks.find(({ type }) => type === 'person')?.target
  return {
    book,
    sheetLinks,
    styles: table ?? ownStyles(mainNamespace, archive.platform),
    isStyled: stated !== undefined,
    stylesPart: book.styles?.name ?? stated ?? NEW_STYLES.find(isFree) ?? unusedName(NEW_STYLES[1], isFree),
    threads:
      threads === undefined
        ? null
        : { part: threads, personsPart: persons ?? unusedName(NEW_PERSONS, isFree), arePersonsLinked: persons !== undefined },
    commentsPart: sheetLinks.find(({ type }) => type === 'comments')?.target ?? newPart(NEW_COMMENTS),
    drawingPart: drawing?.target ?? newPart(NEW_DRAWING),
    drawingId: drawing?.id ?? DRAWING_ID,
    namespace: book.relationshipNamespace,
    isStrict,
    mainNamespace,
  }
}

/** `a.xml`, `a2.xml`, or the first of its kind that is free. */
function unusedName(name: string, isFree: (name: string) => boolean): string {
  if (isFree(name)) return name
  for (let number = 2; ; number++) {
    const numbered = name.replace('.', `${number}.`)
    if (isFree(numbered)) return numbered
  }
}

/** Workbooks of small writers come without styles; the copies then follow the formats of our own part. */
const ownStyles = (namespace: string, platform: Platform): StyleTable =>
  readStyleTable(platform.encodeUtf8(stylesPart.replace(MAIN_NAMESPACE, namespace)), platform)!

async function* parts(archive: WorkbookArchive, plan: MarkingPlan, marks: MarkedRows): AsyncGenerator<ZipPart> {
  const { platform } = archive
  const derived = new DerivedStyles(plan.styles)
  const rewriter = new SheetRewriter({ platform, marks, styles: derived })
  const made = await madeParts(archive, plan, rewriter, derived)
  for (const entry of archive.directory.entries) {
    if (!made.has(keyOf(archive, entry.name)))
      yield { packed: plainlyNamed(entry, platform), content: packedBytes(archive.source, archive, entry) }
  }
  for (const { name, content } of made.values()) yield { name, content: content() }
}

type MadePart = { readonly name: string; readonly content: () => AsyncGenerator<Uint8Array> }

/** Parts made anew, by key, in the order they must be written: those that follow the sheet need what it brought. */
async function madeParts(
  archive: WorkbookArchive,
  plan: MarkingPlan,
  rewriter: SheetRewriter,
  derived: DerivedStyles,
): Promise<Map<string, MadePart>> {
  const { platform } = archive
  const { book } = plan
  const made = new Map<string, MadePart>()
  let removed: ReadonlySet<string> = new Set()
  const add = (name: string, content: () => AsyncGenerator<Uint8Array>) => {
    const entry = archive.directory.find(name)
    made.set(keyOf(archive, entry?.name ?? name), { name: plainName(entry?.name ?? name), content })
  }
  const whole = async (name: string) => {
    const entry = archive.directory.find(name)
    return entry === undefined ? null : readPart(archive, entry, MAX_EDITED_PART)
  }
  const threads = plan.threads && readThreads((await whole(plan.threads.part))!, platform)
  add('[Content_Types].xml', async function* () {
    const types = await whole('[Content_Types].xml')
    if (types === null) throw workbookProblems.damaged('its list of content types is missing')
    yield* addContentTypes(types, newParts(archive, plan), platform)
  })
  add(relationshipsPart(book.sheet.part), async function* () {
    const links = newSheetLinks(plan)
    const bytes = (await whole(relationshipsPart(book.sheet.part))) ?? platform.encodeUtf8(emptyRelationships)
    yield* addLinks(bytes, links, archive)
  })
  add(book.sheet.part, () => rewriter.rewrite(streamPart(archive, book.sheet.entry), (tail) => placeLegacyDrawing(tail, plan, platform)))
  add(plan.stylesPart, async function* () {
    yield* applyEdits(plan.styles.bytes, derived.edits(), platform)
  })
  add(plan.commentsPart, async function* () {
    const old = await whole(plan.commentsPart)
    const stripped = old && stripNotes(old, platform)
    removed = stripped?.removed ?? removed
    const settings = { namespace: plan.mainNamespace, threaded: threads?.byCell ?? new Map() }
    yield* addNotes(stripped?.bytes ?? null, rewriter.notes, settings, platform)
  })
  add(plan.drawingPart, async function* () {
    yield* addShapes(await whole(plan.drawingPart), rewriter.notes, removed, platform)
  })
  if (plan.threads !== null && threads !== null) {
    const { part, personsPart } = plan.threads
    add(part, async function* () {
      yield* addReplies(threads, rewriter.notes, platform)
    })
    add(personsPart, async function* () {
      yield* addPerson(await whole(personsPart), platform)
    })
  }
  const bookLinks = newBookLinks(plan)
  if (bookLinks.length > 0) {
    add(relationshipsPart(book.part), async function* () {
      const bytes = (await whole(relationshipsPart(book.part))) ?? platform.encodeUtf8(emptyRelationships)
      yield* addLinks(bytes, bookLinks, archive)
    })
  }
  return made
}

function newParts(archive: WorkbookArchive, plan: MarkingPlan): { name: string; type: string }[] {
  const candidates = [
    { name: plan.commentsPart, type: CONTENT_TYPES.comments },
    { name: plan.stylesPart, type: CONTENT_TYPES.styles },
    ...(plan.threads === null ? [] : [{ name: plan.threads.personsPart, type: PERSONS_TYPE }]),
  ]
  return candidates.filter(({ name }) => archive.directory.find(name) === undefined)
}

function newBookLinks({ isStyled, stylesPart, namespace, threads }: MarkingPlan): string[] {
  const links: string[] = []
  if (!isStyled) links.push(relationship(STYLES_ID, 'styles', `/${stylesPart}`, namespace))
  if (threads !== null && !threads.arePersonsLinked)
    links.push(relationship(PERSONS_ID, 'person', `/${threads.personsPart}`, THREADS_RELATIONSHIPS))
  return links
}

function newSheetLinks(plan: MarkingPlan): string[] {
  const { sheetLinks, commentsPart, drawingPart, namespace } = plan
  const links = [
    { id: COMMENTS_ID, type: 'comments', target: commentsPart, namespace },
    // VML is not strict, and its links are transitional everywhere.
    { id: DRAWING_ID, type: 'vmlDrawing', target: drawingPart, namespace: RELATIONSHIPS_NAMESPACE },
  ]
  return links
    .filter(({ type, target }) => !sheetLinks.some((link) => link.type === type && link.target === target))
    .map(({ id, type, target, namespace }) => relationship(id, type, `/${escapeXml(target)}`, namespace))
}

function* addLinks(bytes: Uint8Array, links: readonly string[], { platform }: WorkbookArchive): Generator<Uint8Array> {
  const edit = appendTo(bytes, RELATIONSHIPS, (prefix) => links.join('').replaceAll('<Relationship ', `<${prefix}Relationship `), platform)
  if (edit === null) throw workbookProblems.damaged('its links are malformed')
  yield* applyEdits(bytes, [edit], platform)
}

/** As a package names its parts (ECMA-376 part 2, 6.2.2): those who read backslashes may not read both kinds in one archive. */
const plainName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '')

function plainlyNamed(entry: ZipEntry, platform: Platform): ZipEntry {
  const name = plainName(entry.name)
  return name === entry.name ? entry : { ...entry, nameBytes: platform.encodeUtf8(name) }
}

const keyOf = (archive: WorkbookArchive, name: string): string => archive.directory.find(name)?.name ?? name

async function* packedBytes(source: ByteSource, archive: WorkbookArchive, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const start = await findData(archive.source, entry)
  for (let position = start; position < start + entry.compressedSize;) {
    const chunk = new Uint8Array(Math.min(READ_SIZE, start + entry.compressedSize - position))
    const count = await source.read(chunk, position)
    if (count <= 0) throw workbookProblems.damaged(`the part ${entry.name} is cut off`)
    yield chunk.subarray(0, count)
    position += count
  }
}
