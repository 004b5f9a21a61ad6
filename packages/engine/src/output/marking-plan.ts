import { readPart } from '#formats/spreadsheet/read-part.ts'
import type { Relationship } from '#formats/spreadsheet/read-relationships.ts'
import { readWorkbook, type Workbook } from '#formats/spreadsheet/read-workbook.ts'
import { styleSheetPart } from '#formats/spreadsheet/style-sheet.ts'
import {
  RELATIONSHIPS_NAMESPACE,
  STRICT_NAMESPACE,
  MAIN_NAMESPACE,
} from '#formats/spreadsheet/workbook-parts.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import { partKey } from '#formats/zip/zip-directory.ts'
import { cellStyles } from '#output/cell-styles.ts'
import { readStyleTable, type StyleTable } from '#output/derived-styles.ts'
import { type CopiedParts, findCopiedParts } from '#output/copied-parts.ts'
import { readLegacyDrawing } from '#output/sheet-tail.ts'
import type { Platform } from '#platform.ts'

const NEW_COMMENTS = 'xl/commentsVeridict.xml'
const NEW_DRAWING = 'xl/drawings/vmlDrawingVeridict.vml'
/** Some programs find the styles only under the first name. */
const NEW_STYLES = ['xl/styles.xml', 'xl/stylesVeridict.xml']
const COMMENTS_ID = 'rIdVeridictComments'
const DRAWING_ID = 'rIdVeridictNotes'
const STYLES_ID = 'rIdVeridictStyles'

/** The parts of a workbook that are rewritten for the marks, and their names. */
export type MarkingPlan = {
  book: Workbook
  copied: CopiedParts
  sheetLinks: readonly Relationship[]
  /** The source's cell formats, or ours if it has none. */
  styles: StyleTable
  stylesPart: string
  /** Whether the workbook links to a styles part. */
  isStyled: boolean
  commentsPart: string
  drawingPart: string
  /** The id of the link to the drawing with the notes' boxes. */
  drawingId: string
  namespace: string
  isStrict: boolean
  mainNamespace: string
}

/** Finds what a workbook has already, so that nothing is lost or linked twice. Throws `FileProblemError`. */
export async function planMarking(archive: ZipArchive): Promise<MarkingPlan> {
  const book = await readWorkbook(archive)
  const copied = await findCopiedParts(archive, book)
  const sheetLinks = copied.linksOf(book.sheet.part)
  const drawings = sheetLinks.filter(({ type }) => type === 'vmlDrawing')
  // Headers and footers have such drawings, too; the sheet states which drawing is that of the notes.
  const legacyId = drawings.length === 0 ? null : await readLegacyDrawing(archive, book.sheet.entry)
  const drawing = drawings.find(({ id }) => id === legacyId)
  const table = book.styles && readStyleTable(await readPart(archive, book.styles), archive.platform)
  const stated = copied.linksOf(book.part).find(({ type }) => type === 'styles')?.target
  const isStrict = book.relationshipNamespace.startsWith(STRICT_NAMESPACE)
  const mainNamespace = isStrict ? `${STRICT_NAMESPACE}/spreadsheetml/main` : MAIN_NAMESPACE
  const isFree = (name: string) => !copied.parts.has(partKey(name))
  /** An existing part of that name may belong to another sheet that was the first one at an earlier time. */
  const newPart = (name: string) =>
    sheetLinks.some(({ target }) => target === name) ? name : unusedName(name, isFree)
  return {
    book,
    copied,
    sheetLinks,
    styles: table ?? ownStyles(mainNamespace, archive.platform),
    isStyled: stated !== undefined,
    stylesPart: book.styles?.name ?? stated ?? NEW_STYLES.find(isFree) ?? unusedName(NEW_STYLES[1], isFree),
    commentsPart: sheetLinks.find(({ type }) => type === 'comments')?.target ?? newPart(NEW_COMMENTS),
    drawingPart: drawing?.target ?? newPart(NEW_DRAWING),
    drawingId: drawing?.id ?? DRAWING_ID,
    namespace: book.relationshipNamespace,
    isStrict,
    mainNamespace,
  }
}

/** `a.xml`, or the first of `a2.xml`, `a3.xml`, … that is free. */
export const unusedName = (name: string, isFree: (name: string) => boolean): string =>
  firstFree((number) => name.replace('.', `${number}.`), isFree)

/** The first free name of those without a number, with 2, 3 and so on. */
export function firstFree(named: (number: string) => string, isFree: (name: string) => boolean): string {
  for (let number = 1; ; number++) {
    const name = named(number === 1 ? '' : String(number))
    if (isFree(name)) return name
  }
}

/** Small writers leave out the styles part; then ours is used. */
const ownStyles = (namespace: string, platform: Platform): StyleTable =>
  readStyleTable(platform.encodeUtf8(styleSheetPart(cellStyles, namespace)), platform)!

/** Links that the workbook does not have yet. */
export const newBookLinks = ({ isStyled, stylesPart, namespace }: MarkingPlan): Relationship[] =>
  isStyled ? [] : [{ id: STYLES_ID, type: 'styles', target: stylesPart, namespace }]

/** Links that the sheet does not have yet. */
export function newSheetLinks(plan: MarkingPlan): Relationship[] {
  const { sheetLinks, commentsPart, drawingPart, namespace } = plan
  const links = [
    { id: COMMENTS_ID, type: 'comments', target: commentsPart, namespace },
    // Links to VML are transitional even in a strict workbook.
    { id: DRAWING_ID, type: 'vmlDrawing', target: drawingPart, namespace: RELATIONSHIPS_NAMESPACE },
  ]
  return links.filter(
    ({ type, target }) => !sheetLinks.some((link) => link.type === type && link.target === target),
  )
}
