import { errorFileSheets } from '@veridict/contract/messages/error-files'
import { addContentTypes } from '#formats/spreadsheet/add-content-types.ts'
import { openSmallPart } from '#formats/spreadsheet/open-small-part.ts'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import {
  readRelationships,
  type Relationship,
  relationshipsPart,
} from '#formats/spreadsheet/read-relationships.ts'
import { isExtensions, skipElement } from '#formats/spreadsheet/read-rich-text.ts'
import { readStyles } from '#formats/spreadsheet/read-styles.ts'
import { CONTENT_TYPES, relationship } from '#formats/spreadsheet/workbook-parts.ts'
import { sheetPart } from '#formats/spreadsheet/write-sheet.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits, attributeEdit, type Edit } from '#formats/xml/edit-xml.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { XmlToken, XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import { openArchive, type ZipArchive } from '#formats/zip/zip-archive.ts'
import { addShapes } from '#output/add-shapes.ts'
import { CellCorrector } from '#output/cell-corrector.ts'
import type { CorrectedRows } from '#output/corrected-rows.ts'
import type { CorrectionTally } from '#output/correction-tally.ts'
import { type CopyDetails, correctionsSheet } from '#output/corrections-sheet.ts'
import { DerivedStyles } from '#output/derived-styles.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import { type MarkingPlan, newBookLinks, planMarking, unusedName } from '#output/marking-plan.ts'
import { RewrittenParts, writeCopy } from '#output/rewritten-parts.ts'
import { SheetRewriter } from '#output/sheet-rewriter.ts'
import { cellKey, notedCells, stripNotes } from '#output/strip-notes.ts'

const SHEETS = xmlName('sheets')
const SHEET = xmlName('sheet')
const NAME = xmlName('name')
const SHEET_ID = xmlName('sheetId')
const CALCULATION = xmlName('calcPr')
const FULL_CALCULATION = xmlName('fullCalcOnLoad')

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
  const made = new RewrittenParts(archive)
  const newSheet = await addSheet(made, plan, archive)
  const styles = new DerivedStyles(plan.styles, 'corrected')
  const notes = await readNotes(made, plan, platform)
  const corrector = new CellCorrector({
    styles,
    cellStyles: await readStyles(archive, book.styles),
    isNumber: (column) => details.isNumber(column),
    log: {
      made(rowNumber, correction) {
        tally.made(rowNumber, correction)
        notes?.corrected(cellKey(rowNumber - 1, correction.column))
      },
      left: () => tally.left(),
    },
  })
  const rewriter = new SheetRewriter({ platform, rows, editor: corrector })
  made.add(book.sheet.part, () => rewriter.rewrite(streamPart(archive, book.sheet.entry), (tail) => [tail]))
  made.add(plan.stylesPart, async function* () {
    yield* applyEdits(plan.styles.bytes, styles.edits(), platform)
  })
  notes?.rewrite()
  const done = { tally, lostFormulas: () => corrector.lostFormulas }
  made.add(newSheet.part, () =>
    sheetPart(correctionsSheet(newSheet.name, book.sheet.name, details, done), platform, {
      main: plan.mainNamespace,
      relationships: plan.namespace,
    }),
  )
  yield* writeCopy(archive, made)
}

/**
 * Plans the workbook's own parts: a last sheet is added, and the order of calculation is dropped, which must
 * not name cells that have lost their formula. Programs find it anew, and are asked to calculate all
 * formulas: those that depend on corrected cells still have their old results.
 */
async function addSheet(
  made: RewrittenParts,
  plan: MarkingPlan,
  archive: ZipArchive,
): Promise<{ name: string; part: string }> {
  const { platform, directory } = archive
  const { book, namespace } = plan
  const isFree = (part: string) => directory.find(part) === undefined
  const part = unusedName('xl/worksheets/sheetVeridict.xml', isFree)
  const links = await readRelationships(archive, book.part)
  const linkId = numbered('rIdVeridictCorrections', '', (id) => !links.some((link) => link.id === id))
  const { name, sheetId } = await newSheetTag(archive, book.part)
  const calculation = links.filter(({ type }) => type === 'calcChain')
  for (const { target } of calculation) made.drop(target)
  made.add('[Content_Types].xml', async function* () {
    const types = await made.whole('[Content_Types].xml')
    if (types === null) throw workbookProblems.damaged('its list of content types is missing')
    const parts = [
      { name: part, type: CONTENT_TYPES.worksheet },
      ...(isFree(plan.stylesPart) ? [{ name: plan.stylesPart, type: CONTENT_TYPES.styles }] : []),
    ]
    yield* addContentTypes(types, parts, platform, (dropped) => made.isDropped(dropped))
  })
  made.add(book.part, async function* () {
    const bytes = (await made.whole(book.part))!
    const link = `xmlns:r="${namespace}" r:id="${linkId}"`
    const attributes = `name="${escapeXml(name)}" sheetId="${sheetId}" ${link}`
    const edit = appendTo(bytes, SHEETS, (prefix) => `<${prefix}sheet ${attributes}/>`, platform)
    if (edit === null) throw workbookProblems.damaged('its list of sheets is malformed')
    const recalculation = calculation.length === 0 ? [] : calculateOnLoad(bytes, platform)
    yield* applyEdits(bytes, [edit, ...recalculation], platform)
  })
  made.addLinks(
    relationshipsPart(book.part),
    [...newBookLinks({ ...plan, threads: null }), relationship(linkId, 'worksheet', `/${part}`, namespace)],
    calculation.map(({ id }: Relationship) => id),
  )
  return { name, part }
}

/** Asks programs to calculate all formulas when they open the workbook. */
function calculateOnLoad(bytes: Uint8Array, platform: ZipArchive['platform']): Edit[] {
  const tokens = new XmlTokens(platform, bytes)
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if ((token === XmlToken.Open || token === XmlToken.Empty) && tokens.nameIs(CALCULATION))
      return [attributeEdit(tokens, FULL_CALCULATION, 'fullCalcOnLoad', 1)]
  }
  return []
}

/** The first free name and number of a further sheet. */
async function newSheetTag(
  archive: ZipArchive,
  bookPart: string,
): Promise<{ name: string; sheetId: number }> {
  const tokens = await openSmallPart(archive, archive.directory.find(bookPart)!)
  const names = new Set<string>()
  let lastId = 0
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token !== XmlToken.Open && token !== XmlToken.Empty) continue
    if (token === XmlToken.Open && isExtensions(tokens)) skipElement(tokens)
    else if (tokens.nameIs(SHEET)) {
      names.add((tokens.attribute(NAME) ?? '').toLowerCase())
      lastId = Math.max(lastId, Number(tokens.attribute(SHEET_ID) ?? 0))
    }
  }
  const name = numbered(errorFileSheets.corrections, ' ', (tried) => !names.has(tried.toLowerCase()))
  return { name, sheetId: lastId + 1 }
}

/** `Name`, or the first of `Name 2`, `Name 3`, … that is free. */
function numbered(name: string, separator: string, isFree: (name: string) => boolean): string {
  if (isFree(name)) return name
  for (let number = 2; ; number++) {
    const tried = `${name}${separator}${number}`
    if (isFree(tried)) return tried
  }
}

/** The notes of an earlier Highlighted file; null if there are none. */
async function readNotes(
  made: RewrittenParts,
  plan: MarkingPlan,
  platform: ZipArchive['platform'],
): Promise<{ corrected(key: string): void; rewrite(): void } | null> {
  const bytes = await made.whole(plan.commentsPart)
  const drawing = await made.whole(plan.drawingPart)
  const noted = bytes === null ? new Set<string>() : notedCells(bytes, platform)
  if (bytes === null || noted.size === 0) return null
  const corrected = new Set<string>()
  let removed: ReadonlySet<string> = new Set()
  return {
    corrected(key) {
      if (noted.has(key)) corrected.add(key)
    },
    rewrite() {
      made.add(plan.commentsPart, async function* () {
        const stripped = stripNotes(bytes, platform, (key) => corrected.has(key))
        removed = stripped.removed
        yield stripped.bytes
      })
      if (drawing === null) return
      made.add(plan.drawingPart, async function* () {
        if (removed.size === 0) yield drawing
        else yield* addShapes(drawing, [], removed, platform)
      })
    },
  }
}
