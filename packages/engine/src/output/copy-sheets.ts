import { errorFileSheets } from '@veridict/contract/messages/error-files'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { CONTENT_TYPES } from '#formats/spreadsheet/workbook-parts.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits } from '#formats/xml/edit-xml.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { elementsNamed } from '#formats/xml/xml-elements.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import { partKey } from '#formats/zip/zip-directory.ts'
import { LOOK_COLORS } from '#output/mark-fill.ts'
import type { DerivedStyles } from '#output/derived-styles.ts'
import { ABOUT, type AddedSheet, type LivingCopy } from '#output/living-copy.ts'
import { firstFree, newBookLinks, unusedName } from '#output/marking-plan.ts'
import type { WorkbookCopy } from '#output/workbook-copy.ts'
import { sanitizeTailBytes } from '#output/sanitize-sheet.ts'
import type { Rows } from '#output/row-feed.ts'
import { type EditedCell, type EditedRow, type SheetEditor, SheetRewriter } from '#output/sheet-rewriter.ts'
import { placeRules } from '#output/sheet-tail.ts'

const CORRECTIONS: AddedSheet = {
  name: errorFileSheets.corrections,
  part: 'xl/worksheets/sheetVeridict.xml',
  id: 'rIdVeridictCorrections',
}

/** Adds the sheet about the file, in place of that of an earlier copy, and maybe the sheet of corrections. */
export async function addSheets(
  copy: WorkbookCopy,
): Promise<{ about: AddedSheet; corrections(): AddedSheet }> {
  const { platform } = copy
  const { book, namespace, copied } = copy.plan
  const bytes = (await copy.whole(book.part))!
  const links = copied.linksOf(book.part)
  const sheets = Array.from(elementsNamed(new XmlTokens(platform, bytes), 'sheet'), ({ tag }) => ({
    name: tag.attribute('name') ?? '',
    number: Number(tag.attribute('sheetId') ?? 0),
    part: links.find(({ id }) => id === tag.prefixedAttribute('id'))?.target ?? '',
  }))
  const added: AddedSheet[] = []
  const add = ({ name, part, id }: AddedSheet): AddedSheet => {
    const sheet = {
      name: firstFree(
        (number) => `${name} ${number}`.trim(),
        (tried) => !sheets.some((other) => other.name.toLowerCase() === tried.toLowerCase()),
      ),
      part: unusedName(part, (tried) => !copied.parts.has(partKey(tried))),
      id: firstFree(
        (number) => id + number,
        (tried) => !links.some((link) => link.id === tried),
      ),
    }
    copy.addLinks(book.part, [{ id: sheet.id, type: 'worksheet', target: sheet.part, namespace }])
    added.push(sheet)
    return sheet
  }
  copy.add(book.part, () => {
    const first = Math.max(0, ...sheets.map(({ number }) => number)) + 1
    const tagOf = (prefix: string, { name, id }: AddedSheet, index: number) =>
      `<${prefix}sheet name="${escapeXml(name)}" sheetId="${first + index}" ` +
      `xmlns:r="${namespace}" r:id="${id}"/>`
    const tags = (prefix: string) => added.map((sheet, index) => tagOf(prefix, sheet, index)).join('')
    const edit = appendTo(bytes, 'sheets', tags, platform)
    if (edit === null) throw workbookProblems.damaged('its list of sheets is malformed')
    return applyEdits(bytes, [edit], platform)
  })
  const named = sheets.filter(
    ({ name, part }) =>
      name.replace(/ \d+$/, '') === ABOUT.name && partKey(part) !== partKey(book.sheet.part),
  )
  const pages = await Promise.all(named.map(({ part }) => copy.whole(part)))
  // Programs keep how a sheet is printed; one that a person gave the same name is printed otherwise.
  const isOurs = (page: Uint8Array) => / fitToHeight="0"/.test(platform.decodeUtf8(page, 0, page.length))
  const old = named.find((_, index) => pages[index] !== null && isOurs(pages[index]))
  return { about: old ? { ...ABOUT, ...old } : add(ABOUT), corrections: () => add(CORRECTIONS) }
}

type SheetChange<Cell extends EditedCell> = {
  readonly living: LivingCopy
  readonly styles: DerivedStyles
  readonly rows: Rows<EditedRow<Cell>>
  readonly editor: SheetEditor<Cell>
  /** Changes what follows the rows, last of all. */
  tail?(bytes: Uint8Array): Iterable<Uint8Array>
}

/** Plans the parts that every copy changes: the data sheet, the styles, and the sheet about the file. */
export function changeSheet<Cell extends EditedCell>(
  copy: WorkbookCopy,
  { living, styles, rows, editor, tail = (bytes) => [bytes] }: SheetChange<Cell>,
): void {
  const { archive, plan, platform } = copy
  const { sheet, part } = plan.book
  const { leftOut, sheetRules } = plan.copied
  const rewriter = new SheetRewriter({ platform, rows, editor, leftOut, hasMetadata: sheetRules.hasMetadata })
  const [bad, warning, plain] = LOOK_COLORS.map((color) => styles.differenceOf(color))
  copy.add(sheet.part, () =>
    rewriter.rewrite(streamPart(archive, sheet.entry), (bytes) => {
      const sanitized = sanitizeTailBytes(bytes, sheetRules, leftOut, platform)
      const formats = living.formats({ bad, warning, plain })
      return tail(placeRules(sanitized, living.columns, formats, plan.mainNamespace, platform))
    }),
  )
  copy.addLinks(part, newBookLinks(plan))
  copy.add(
    plan.stylesPart,
    () => applyEdits(plan.styles.bytes, styles.edits(), platform),
    CONTENT_TYPES.styles,
  )
  copy.addSheet(living.about.part, () => living.aboutSheet(leftOut.note))
}
