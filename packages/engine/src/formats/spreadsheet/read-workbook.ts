import { refuseContinuedRows } from '#formats/spreadsheet/continued-rows.ts'
import { openSmallPart } from '#formats/spreadsheet/open-small-part.ts'
import { readRelationships } from '#formats/spreadsheet/read-relationships.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { elementsNamed, firstNamed } from '#formats/xml/xml-elements.ts'
import type { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'

export type SheetPart = { readonly name: string; readonly part: string; readonly entry: ZipEntry }

type OtherSheet = SheetPart | { readonly name: string; readonly entry: undefined }

/** Where the parts of a workbook are, and which sheet is read. */
export type Workbook = {
  readonly part: string
  readonly sheet: SheetPart
  /** The other visible worksheets, also those whose parts are missing. */
  readonly otherSheets: readonly OtherSheet[]
  readonly hiddenSheets: readonly OtherSheet[]
  readonly sharedStrings: ZipEntry | undefined
  readonly styles: ZipEntry | undefined
  readonly date1904: boolean
  /** What the types of relationships begin with; strict and transitional workbooks differ. */
  readonly relationshipNamespace: string
}

/** The most characters kept of a sheet's name. Excel allows 31; a hostile workbook may have millions. */
export const MAX_SHEET_NAME = 100

/** The usual place, for archives without `_rels/.rels`. */
const DEFAULT_WORKBOOK = 'xl/workbook.xml'

/** Documents of the same family, by their outermost element. */
const OTHER_DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['document', 'a text document (.docx)'],
  ['presentation', 'a presentation (.pptx)'],
])
const NO_WORKBOOK = 'a ZIP archive without a workbook in it'

type SheetTag = { name: string; id: string; isVisible: boolean }

/** The workbook is found by the package's relationships, its first visible worksheet by its own. */
export async function readWorkbook(archive: ZipArchive): Promise<Workbook> {
  const part = await findWorkbook(archive)
  const entry = archive.directory.find(part)!
  const { sheets, date1904 } = parseWorkbook(await openSmallPart(archive, entry))
  refuseContinuedRows(sheets, archive.limits)
  const relationships = await readRelationships(archive, part)
  const byId = new Map(relationships.map((relationship) => [relationship.id, relationship]))
  const worksheets = sheets.filter(({ id }) => (byId.get(id)?.type ?? 'worksheet') === 'worksheet')
  const visible = worksheets.filter(({ isVisible }) => isVisible)
  if (visible.length === 0) throw workbookProblems.noVisibleSheet()
  const partOfSheet = ({ name, id }: SheetTag): OtherSheet => {
    const sheetPart = byId.get(id)?.target
    const sheetEntry = sheetPart === undefined ? undefined : archive.directory.find(sheetPart)
    return sheetEntry === undefined
      ? { name, entry: undefined }
      : { name, part: sheetPart!, entry: sheetEntry }
  }
  const [sheet, ...otherSheets] = visible.map(partOfSheet)
  if (sheet.entry === undefined) throw workbookProblems.damaged(`the sheet "${sheet.name}" is missing`)
  const partOf = (type: string) =>
    relationships
      .filter((relationship) => relationship.type === type)
      .map(({ target }) => archive.directory.find(target))
      .find((part) => part !== undefined)
  return {
    part,
    sheet,
    otherSheets,
    hiddenSheets: worksheets.filter(({ isVisible }) => !isVisible).map(partOfSheet),
    sharedStrings: partOf('sharedStrings'),
    styles: partOf('styles'),
    date1904,
    relationshipNamespace: byId.get(visible[0].id)!.namespace,
  }
}

async function findWorkbook(archive: ZipArchive): Promise<string> {
  const stated = (await readRelationships(archive, '')).find(({ type }) => type === 'officeDocument')?.target
  const part = stated !== undefined && archive.directory.find(stated) ? stated : DEFAULT_WORKBOOK
  if (/\.bin$/i.test(part) || (stated === undefined && archive.directory.find('xl/workbook.bin'))) {
    throw workbookProblems.notAWorkbook('a binary Excel workbook (.xlsb)')
  }
  if (archive.directory.find(part) === undefined) throw workbookProblems.notAWorkbook(NO_WORKBOOK)
  return part
}

function parseWorkbook(tokens: XmlTokens): { sheets: SheetTag[]; date1904: boolean } {
  const sheets: SheetTag[] = []
  let date1904 = false
  const root = firstNamed(tokens)!
  if (!root.tag.nameIs('workbook'))
    throw workbookProblems.notAWorkbook(OTHER_DOCUMENTS.get(root.tag.localName()) ?? NO_WORKBOOK)
  for (const { tag } of elementsNamed(root.content, 'workbookPr', 'sheet')) {
    if (tag.nameIs('workbookPr')) date1904 = isTrue(tag.attribute('date1904'))
    else {
      const state = tag.attribute('state')
      sheets.push({
        name: (tag.attribute('name') ?? '').slice(0, MAX_SHEET_NAME),
        id: tag.prefixedAttribute('id') ?? '',
        isVisible: state !== 'hidden' && state !== 'veryHidden',
      })
    }
  }
  return { sheets, date1904 }
}

const isTrue = (value: string | null) => value === '1' || value === 'true' || value === 'on'
